// Does looking at f through its averages pay, and does CKG beat CMES, where districts are surveyed to find the hot pixel?
//
// 400 pixels (20 x 20) in 40 Voronoi districts, f from an RBF GP with lengthscale 3 pixels and variance 1, noise sd 0.1, prior known
// (baselines fit their plain GP). Mean log10 max(simple regret, 1e-2), and differences on paired seeds.
//
//   policy_districts [--draws 200] [--seed 1]
#include <cmath>
#include <cstdio>

#include "cases.hpp"
#include "study.hpp"

int main(int argc, char** argv) {
  using namespace iqbo;
  const study::Arguments options = study::parse(argc, argv, 200);
  const std::vector<Index> at{10, 25, 50};
  using enum PolicyKind;
  std::printf(
      "| policy | log10 regret at t = 10 | at t = 25 | at t = 50 | minus cmes at t = 50 |\n|---|---|---|---|---|\n");
  std::vector<double> of_cmes;
  for (const PolicyKind kind :
       {kCmes, kCkg, kCjes, kCmesGumbel, kThompson, kAuto, kMes, kEi, kMesG, kRandom, kMaxVariance}) {
    const auto draws = static_cast<std::size_t>(options.draws);
    std::vector<std::vector<double>> score(at.size(), std::vector<double>(draws));
    study::parallel(options.draws, to_string(kind), [&](int d) {
      const std::uint64_t seed = options.seed * 100000 + static_cast<std::uint64_t>(d);
      const study::Case problem = study::districts("districts", true, seed);
      PolicyOptions policy;
      policy.policy = kind;
      const auto regret = study::regrets(problem, policy, at, seed);
      for (std::size_t i = 0; i < at.size(); ++i)
        score[i][static_cast<std::size_t>(d)] = std::log10(std::max(regret[i], 1e-2));
    });
    if (kind == kCmes) of_cmes = score.back();
    std::vector<double> difference;
    for (std::size_t d = 0; d < draws; ++d) difference.push_back(score.back()[d] - of_cmes[d]);
    std::printf("| %s |", to_string(kind).c_str());
    for (const auto& values : score) {
      const auto [mean, se] = study::summarise(values);
      std::printf(" %.2f +- %.2f |", mean, se);
    }
    const auto [mean, se] = study::summarise(difference);
    std::printf(" %+.3f +- %.3f |\n", mean, se);
    std::fflush(stdout);
  }
}
