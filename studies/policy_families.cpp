// How do policies, and `auto` among them, compare on problems of different kinds?
//
// Mean log10 max(simple regret, 1e-2 of the unit) at t = 50, paired seeds; the difference to `auto` with its standard error.
// Kernel, mean and noise are given ("known") or fitted.
//
//   policy_families [--draws 20] [--seed 1] [--only fitted]
#include <cmath>
#include <cstdio>

#include "cases.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header

struct Family {
  std::string name;
  std::function<study::Case(std::uint64_t seed)> make;
};

std::vector<Family> families() {
  using Seed = std::uint64_t;
  return {
      {"two peaks, known", [](Seed) { return study::two_peaks(); }},
      {"districts, known", [](Seed seed) { return study::districts("districts", true, seed); }},
      {"GP draws, known", [](Seed seed) { return study::gp_draw(true, seed); }},
      {"rough districts, known", [](Seed seed) { return study::districts("districts-rough", true, seed); }},
      {"districts, fitted", [](Seed seed) { return study::districts("districts", false, seed); }},
      {"rough districts, fitted", [](Seed seed) { return study::districts("districts-rough", false, seed); }},
      {"GP draws, fitted", [](Seed seed) { return study::gp_draw(false, seed); }},
  };
}

const std::vector<PolicyKind>& compared() {
  using enum PolicyKind;
  static const std::vector<PolicyKind> kinds{kAuto,     kCkg,    kCjes,        kCmes, kCmesGumbel,
                                             kThompson, kRandom, kMaxVariance, kMes,  kEi};
  return kinds;
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 20, true);
  const std::vector<Index> at{15, 50};
  std::printf("| family | policy | log10 regret at t = 15 | at t = 50 | minus auto's |\n|---|---|---|---|---|\n");
  for (const auto& [name, make] : families()) {
    if (!options.wants(name)) continue;
    std::vector<double> of_auto;
    for (const PolicyKind kind : compared()) {
      std::vector<std::vector<double>> score(at.size(), std::vector<double>(static_cast<std::size_t>(options.draws)));
      study::parallel(options.draws, name + ", " + to_string(kind), [&](int d) {
        const std::uint64_t seed = options.seed * 100000 + static_cast<std::uint64_t>(d);
        const study::Case problem = make(seed);
        PolicyOptions policy;
        policy.policy = kind;
        const auto regret = study::regrets(problem, policy, at, seed);
        for (std::size_t i = 0; i < at.size(); ++i)
          score[i][static_cast<std::size_t>(d)] = std::log10(std::max(regret[i], 1e-2 * problem.unit));
      });
      if (kind == PolicyKind::kAuto) of_auto = score[1];
      std::vector<double> difference;
      for (std::size_t d = 0; d < of_auto.size(); ++d) difference.push_back(score[1][d] - of_auto[d]);
      const auto early = study::summarise(score[0]);
      const auto late = study::summarise(score[1]);
      const auto less = study::summarise(difference);
      std::printf("| %s | %s | %.2f +- %.2f | %.2f +- %.2f | %+.2f +- %.2f |\n", name.c_str(), to_string(kind).c_str(),
                  early.mean, early.se, late.mean, late.se, less.mean, less.se);
      std::fflush(stdout);
    }
  }
}
