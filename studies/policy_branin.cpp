// Branin behind the paper's non-linear map: what do a learned p(x|a) and the policy matter?
//
// X 36 x 36, A 30 x 30, noise sd 0.1 of that of f, kernel, mean and noise fitted. p(x|a) is known, or learned from 100 pairs: by `auto`,
// or by the paper's CME with its own leave-one-out choice. Median and quartiles of the simple regret, in units of Branin
// (whose sd is 51), and the mean of log10 max(regret, 0.5).
//
//   policy_branin [--draws 20] [--seed 1] [--only known]
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cases.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header

enum class Known { kWindow, kLearned, kCme };

std::shared_ptr<const Conditional> conditional(Known known, Rng& rng) {
  if (known == Known::kWindow) return study::branin_window();
  return study::branin_learned(known == Known::kLearned ? LearnedKind::kAuto : LearnedKind::kCme, 100, rng);
}

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double at = p * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - std::floor(at)) * (values[high] - values[low]);
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 20, true);
  const std::vector<Index> at{25, 100};
  struct Row {
    const char* p;
    Known known;
    PolicyKind kind;
  };
  using enum PolicyKind;
  const std::vector<Row> rows{{"100 pairs, auto", Known::kLearned, kAuto},
                              {"100 pairs, CME", Known::kCme, kCmes},
                              {"100 pairs, auto", Known::kLearned, kRandom},
                              {"100 pairs, auto", Known::kLearned, kCmesGumbel},
                              {"100 pairs, auto", Known::kLearned, kCjes},
                              {"100 pairs, auto", Known::kLearned, kCkg},
                              {"known", Known::kWindow, kAuto},
                              {"known", Known::kWindow, kRandom},
                              {"known", Known::kWindow, kCmesGumbel},
                              {"known", Known::kWindow, kCjes},
                              {"known", Known::kWindow, kCkg},
                              {"known", Known::kWindow, kMaxVariance},
                              {"known", Known::kWindow, kMes}};
  std::printf(
      "| p(x given a) | policy | median regret at t = 25 | median at t = 100 (quartiles) | log10 at t = 25 | at t = "
      "100 |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const auto& [p, known, kind] : rows) {
    if (!options.wants(p)) continue;
    const auto draws = static_cast<std::size_t>(options.draws);
    std::vector<std::vector<double>> regret(at.size(), std::vector<double>(draws));
    study::parallel(options.draws, std::string(p) + ", " + to_string(kind), [&, k = known, policy_kind = kind](int d) {
      const std::uint64_t seed = options.seed * 100000 + static_cast<std::uint64_t>(d);
      Rng rng(seed, {7});
      const study::Case problem = study::branin(conditional(k, rng));
      PolicyOptions policy;
      policy.policy = policy_kind;
      const auto found = study::regrets(problem, policy, at, seed);
      for (std::size_t i = 0; i < at.size(); ++i) regret[i][static_cast<std::size_t>(d)] = found[i];
    });
    std::vector<study::Summary> logs;
    for (const auto& values : regret) {
      std::vector<double> log10;
      for (const double value : values) log10.push_back(std::log10(std::max(value, 0.5)));
      logs.push_back(study::summarise(log10));
    }
    std::printf("| %s | %s | %.2f | %.2f (%.2f to %.2f) | %.2f +- %.2f | %.2f +- %.2f |\n", p, to_string(kind).c_str(),
                quantile(regret[0], 0.5), quantile(regret[1], 0.5), quantile(regret[1], 0.25),
                quantile(regret[1], 0.75), logs[0].mean, logs[0].se, logs[1].mean, logs[1].se);
    std::fflush(stdout);
  }
}
