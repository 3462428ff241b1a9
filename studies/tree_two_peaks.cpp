// Which policies find a narrow peak behind a broad hill on a tree, under a budget?
//
// The function of policy_two_peaks on a binary tree of 64 leaves, delta = 0.2 to 0.02 down the levels, cost 0.02 / delta, noise sd
// 0.01, RBF prior of lengthscale 0.035 and variance 0.1, p(x|a) known; baselines on the plain GP fit theirs. Success: f at the
// recommended x is within 0.1 of the maximum.
//
//   tree_two_peaks [--draws 100] [--seed 1]
#include <cstdio>

#include "study.hpp"
#include "tree_cases.hpp"

int main(int argc, char** argv) {
  using namespace iqbo;
  using enum PolicyKind;
  const study::Arguments arguments = study::parse(argc, argv, 100);
  const study::TreeCase problem = study::two_peaks_tree();
  const std::vector<double> at{5.0, 10.0, 15.0};
  std::printf("| policy | success at cost 5 | 10 | 15 |\n|---|---|---|---|\n");
  for (const PolicyKind kind : {kCmes, kCmesGumbel, kCkg, kCjes, kMesG, kMfmes, kMes, kMaxVariance, kRandom}) {
    std::vector<std::vector<double>> success(at.size(), std::vector<double>(static_cast<std::size_t>(arguments.draws)));
    study::parallel(arguments.draws, to_string(kind), [&](int d) {
      const auto regret = study::regrets(problem, problem.setting, kind, 0, at,
                                         arguments.seed * 100000 + static_cast<std::uint64_t>(d));
      for (std::size_t i = 0; i < at.size(); ++i) success[i][static_cast<std::size_t>(d)] = regret[i] < 0.1 ? 1.0 : 0.0;
    });
    std::printf("| %s%s |", to_string(kind).c_str(), kind == kCmes ? " (CMETS)" : "");
    for (const auto& share : success) std::printf(" %s %% |", study::percent(share).c_str());
    std::printf("\n");
    std::fflush(stdout);
  }
}
