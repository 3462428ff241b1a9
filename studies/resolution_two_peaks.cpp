// Which policies find the narrow peak on a budget, when sharp looks are dear and blurred ones cheap?
//
// The function of policy_two_peaks, seen through Gaussian windows of sd delta in {0.2, 0.1, 0.05, 0.02} at 61 centres, cost
// 0.02 / delta, noise sd 0.01, budget 15, never overspent: what cannot be paid is no candidate. RBF prior of
// lengthscale 0.035 and variance 0.1; baselines on the plain GP fit theirs. Scores are per cost; random ignores it. Success: f
// at the recommended x is within 0.1 of the maximum.
//
//   resolution_two_peaks [--draws 100] [--seed 1]
#include <array>
#include <cstdio>

#include "cases.hpp"
#include "iqbo/policy/resolutions.hpp"
#include "iqbo/space/budget.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;

constexpr double kNoiseSd = 0.01;
constexpr double kBudget = 15.0;

const Vector& resolutions() {
  static const Vector delta{{0.2, 0.1, 0.05, 0.02}};
  return delta;
}

double cost_of(double delta) { return 0.02 / delta; }

// Queries at the first `levels` resolutions, from the coarsest on.
FlatQueries queries(const study::Case& one, Index levels) {
  return flat_queries(QuerySet(one.setting.queries->probes()), Vector(resolutions().head(levels)),
                      {Window::kGaussian, cost_of});
}

// How many resolutions the budget still pays for.
Index affordable(const Budget& budget) {
  Index out = 0;
  while (out < resolutions().size() && budget.affords(cost_of(resolutions()[out]))) ++out;
  return out;
}

Policy policy_on(const study::Case& one, const FlatQueries& flat, PolicyKind kind, std::uint64_t seed) {
  Setting setting = flat.setting(one.setting.targets);
  setting.kernel = one.setting.kernel;
  setting.noise_var = kNoiseSd * kNoiseSd;
  PolicyOptions options;
  options.policy = kind;
  options.recommend_paths = 1;  // probabilities are not looked at
  return {setting, options, seed};
}

struct Outcome {
  double regret;
  double queries;
  double finest_share;  // of the cost
};

Outcome play(const study::Case& one, PolicyKind kind, std::uint64_t seed) {
  const double mean =
      study::two_hills(std::get<InputSet>(one.setting.targets).points().coordinates().col(0), 0.0).mean();
  Budget budget(kBudget);
  Index levels = resolutions().size();
  FlatQueries flat = queries(one, levels);
  Policy policy = policy_on(one, flat, kind, seed);
  Queries asked;
  Vector seen(0);
  Outcome out{0.0, 0.0, 0.0};
  while (affordable(budget) > 0) {
    if (affordable(budget) < levels) {  // the same answers, fewer queries to choose from
      levels = affordable(budget);
      flat = queries(one, levels);
      policy = policy_on(one, flat, kind, seed);
      policy.observe(asked, seen);
    }
    const Queries a = policy.suggest().queries;
    const double delta = flat.resolutions(a)[0];
    budget = budget.after(cost_of(delta));
    Rng noise(seed, {1000, static_cast<std::uint64_t>(seen.size())});  // depends on the seed and on t alone
    const double g = study::two_hills(flat.centres(a).col(0), delta)[0] - mean;
    asked = asked.joined(a);
    seen.conservativeResize(seen.size() + 1);
    seen[seen.size() - 1] = g + kNoiseSd * noise.normal();
    policy.observe(a, seen.tail(1));
    if (delta == resolutions().minCoeff()) out.finest_share += cost_of(delta) / kBudget;
  }
  out.queries = static_cast<double>(seen.size());
  out.regret = one.f.maxCoeff() - one.f[*policy.best().row];
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 100);
  const study::Case one = study::two_peaks();
  std::printf("| policy | success | median regret | queries | of the cost at delta = 0.02 |\n|---|---|---|---|---|\n");
  using enum PolicyKind;
  for (const PolicyKind kind : {kCmes, kCmesGumbel, kCmesNoisy, kCkg, kCjes, kAuto, kThompson, kMes, kMesG, kMfmes, kEi,
                                kRandom, kMaxVariance}) {
    std::vector<Outcome> outcome(static_cast<std::size_t>(options.draws));
    study::parallel(options.draws, to_string(kind), [&](int d) {
      outcome[static_cast<std::size_t>(d)] = play(one, kind, options.seed * 100000 + static_cast<std::uint64_t>(d));
    });
    std::vector<double> success, regret, queries, share;
    for (const Outcome& run : outcome) {
      success.push_back(run.regret < 0.1 ? 1.0 : 0.0);
      regret.push_back(run.regret);
      queries.push_back(run.queries);
      share.push_back(run.finest_share);
    }
    std::nth_element(regret.begin(), regret.begin() + options.draws / 2, regret.end());
    std::printf("| %s | %s %% | %.3f | %.0f | %.0f %% |\n", to_string(kind).c_str(), study::percent(success).c_str(),
                regret[static_cast<std::size_t>(options.draws / 2)], study::summarise(queries).mean,
                100.0 * study::summarise(share).mean);
    std::fflush(stdout);
  }
}
