// Which policies find a narrow peak that averages hide behind a broad, lower hill?
//
// f = 0.8 exp(-((x - 0.3) / 0.12)^2 / 2) + exp(-((x - 0.75) / 0.03)^2 / 2) on 401 points of [0, 1], mean removed, seen through Gaussian
// windows of sd 0.05 at 61 centres with noise sd 0.005. RBF prior of lengthscale 0.035 and variance 0.1; baselines on the plain
// GP fit theirs. Success: f at the recommended x is within 0.1 of the maximum.
//
//   policy_two_peaks [--draws 100] [--seed 1]
#include <cstdio>

#include "cases.hpp"
#include "study.hpp"

int main(int argc, char** argv) {
  using namespace iqbo;
  const study::Arguments options = study::parse(argc, argv, 100);
  const study::Case problem = study::two_peaks();
  const std::vector<Index> at{10, 25, 50};
  std::printf("| policy | success at t = 10 | t = 25 | t = 50 |\n|---|---|---|---|\n");
  for (const PolicyKind kind : all_policies()) {
    if (kind == PolicyKind::kMfmes || kind == PolicyKind::kLevelSet) continue;  // one resolution; no threshold
    PolicyOptions policy;
    policy.policy = kind;
    std::vector<std::vector<double>> success(at.size(), std::vector<double>(static_cast<std::size_t>(options.draws)));
    study::parallel(options.draws, to_string(kind), [&](int d) {
      const auto regret = study::regrets(problem, policy, at, options.seed * 100000 + static_cast<std::uint64_t>(d));
      for (std::size_t i = 0; i < at.size(); ++i) success[i][static_cast<std::size_t>(d)] = regret[i] < 0.1 ? 1.0 : 0.0;
    });
    std::printf("| %s |", to_string(kind).c_str());
    for (const auto& share : success) std::printf(" %s %% |", study::percent(share).c_str());
    std::printf("\n");
    std::fflush(stdout);
  }
}
