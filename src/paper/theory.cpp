// Lemmas 2 and 3, theorems 1 and 2 and assumption 2 of [Zhang26], as checks on runs: how often, and how loose.
//
// Lemmas and theorem 1: CMES with one sample of f*, as the theorem has it, p(x|a) and the prior known, on draws of that
// prior, of which the statements are made, and on Branin, of which they are not. Theorem 2: its policy on draws of a GP on
// a line, as in studies/resolution_schedule.cpp. docs/theory/bounds.md says what does not hold as printed.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/chance.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/paper/paper.hpp"
#include "iqbo/policy/scheduled_ucb.hpp"
#include "iqbo/problem/registry.hpp"
#include "iqbo/theory/blurred.hpp"
#include "iqbo/theory/bounds.hpp"
#include "iqbo/theory/coverage.hpp"
#include "iqbo/theory/information.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr int kRuns = 20;
constexpr Index kRunLength = 30;
constexpr double kDelta = 0.1;
constexpr double kNoiseVar = 0.01;  // of f's variance

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// In how many runs a bound held throughout, and bound over what it bounds.
struct Tally {
  int runs = 0, held = 0;
  std::vector<double> ratio = {};

  void add(bool holds) {
    ++runs;
    held += holds ? 1 : 0;
  }
  void compare(double bound, double value) {
    if (value > 0.0) ratio.push_back(bound / value);
  }
  std::string text() const {
    std::string out = std::to_string(held) + " of " + std::to_string(runs) + " runs";
    if (!ratio.empty()) out += " (median bound over value: " + two_digits(median(ratio)) + ")";
    return out;
  }
};

struct Tallies {
  Tally lemma2, lemma3, theorem1;
};

// f and g on the listed inputs and queries.
struct Values {
  Vector f, g;
};

// What CMES with one sample asks next: the sample of f*, how many sds it is above the mean of g there, and that sd.
struct OneSampleChoice {
  Index row;
  double upper, margin, sd;
};
OneSampleChoice choice_by_one_sample(const FiniteBelief& belief, Rng& rng) {
  const FiniteBelief::Paths path = belief.draw(1, rng);
  const double upper = std::max(path.f.maxCoeff(), path.g.maxCoeff());
  const Vector sd = belief.g().var.cwiseSqrt();
  Index row = 0;
  const double margin = ((upper - belief.g().mean.array()) / sd.array()).minCoeff(&row);
  return {row, upper, margin, sd[row]};
}

void run_once(const Posterior& prior, const FiniteBelief& start, const Values& truth, Rng& rng, Tallies& out) {
  FiniteBelief belief = start;
  const double most = truth.f.maxCoeff();
  bool lemma2 = true, lemma3 = true;
  Run run{Queries(), Vector(kRunLength), Vector(kRunLength)};
  Index above = 0;
  double kappa = 0.0, least = most - truth.g.minCoeff();
  for (Index t = 0; t < kRunLength; ++t) {
    const auto [row, upper, margin, sd] = choice_by_one_sample(belief, rng);
    const double width = zeta(union_weight(t + 1), kDelta) * sd, off = std::abs(belief.g().mean[row] - truth.g[row]);
    const double regret = most - truth.g[row];
    lemma2 = lemma2 && off <= width;
    out.lemma2.compare(width, off);
    if (upper >= most) {
      const double bound = margin * sd + width;
      lemma3 = lemma3 && regret <= bound + 1e-9;
      out.lemma3.compare(bound, regret);
      kappa = above == 0 ? margin : std::max(kappa, margin);
      ++above;
    }
    least = std::min(least, regret);
    run.a = run.a.joined(belief.a().slice(row, 1));
    run.z[t] = truth.g[row] + std::sqrt(kNoiseVar) * rng.normal();
    belief.observe(row, run.z[t], kNoiseVar);
  }
  out.lemma2.add(lemma2);
  out.lemma3.add(lemma3);
  if (above == 0) return;
  const double told = information_along(prior, run.a, kNoiseVar)[kRunLength - 1];
  const double bound = instant_regret_bound(above, told, kappa, kNoiseVar, kDelta, start.g().var.maxCoeff());
  out.theorem1.add(least <= bound + 1e-9);
  out.theorem1.compare(bound, least);
}

Finding row(const std::string& about, const std::string& claim, const Tally& drawn, const Tally& branin) {
  Finding out{about, claim, "draws of the prior: " + drawn.text() + "; Branin: " + branin.text()};
  out.verdict = drawn.held >= (1.0 - kDelta) * drawn.runs ? Verdict::kHolds : Verdict::kDoesNotHold;
  return out;
}

Findings of_cmes(std::uint64_t seed) {
  const Problem branin = problem("branin-linear", {.x_counts = {18, 18}, .a_counts = {15, 15}});
  const Posterior prior(Rbf(1.0, Vector{{3.0, 6.0}}), *branin.conditional());
  const Inputs& x = branin.x().points();
  const Queries& a = branin.a().points();
  const FiniteBelief start(prior, x, a, {.noise_var = kNoiseVar});
  const auto scaled = [&](const Vector& values) { return Vector((values.array() - branin.mean()) / branin.unit()); };
  const Values hers{scaled(branin.f(x)), scaled(branin.g(a))};
  Tallies drawn, real;
  for (int i = 0; i < kRuns; ++i) {
    Rng rng(seed, {106, static_cast<std::uint64_t>(i)});
    const FiniteBelief::Paths path = start.draw(1, rng);
    run_once(prior, start, {path.f.col(0), path.g.col(0)}, rng, drawn);
    run_once(prior, start, hers, rng, real);
  }
  Finding second =
      row("lemma 2", "|nu - g| <= zeta sqrt(q) at every query asked, with probability 0.9", drawn.lemma2, real.lemma2);
  second.remark = "zeta as printed bounds one side; docs/theory/bounds.md";
  Finding third =
      row("lemma 3", "f* - g(a_t) <= (kappa + zeta) sqrt(q) where the sample is above f*", drawn.lemma3, real.lemma3);
  Finding theorem =
      row("theorem 1", "instant regret <= sqrt(C rho / T) (kappa + zeta), T answers with samples above f*",
          drawn.theorem1, real.theorem1);
  theorem.remark = "rho is what the answers told; T' counts samples of the prior, which these are not";
  return {second, third, theorem};
}

Finding assumption2(Rng& rng) {
  const Problem branin = problem("branin-linear");
  const Inputs best = branin.optimum().argmax.slice(0, 1);
  Finding out{"assumption 2", "some query shows any neighbourhood of x* with any probability",
              "largest P(|X - x*| <= eps) over the queries of figure 3"};
  double least = 1.0;
  for (const double eps : {2.0, 1.0, 0.5, 0.1}) {
    const BestCoverage found =
        best_coverage(*branin.conditional(), branin.a().points(), best, eps, Neighbourhood::kCube, rng);
    out.measure +=
        std::string(eps == 2.0 ? ": " : ", ") + two_digits(found.probability) + " at eps = " + two_digits(eps);
    least = std::min(least, found.probability);
  }
  out.verdict = least > 0.99 ? Verdict::kHolds : Verdict::kDoesNotHold;
  out.remark = "no fixed resolution satisfies it; simple regret falls all the same";
  return out;
}

Posterior on_a_line() {
  return {Rbf(1.0, Vector{{0.2}}), GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1}))};
}

double half_curvature(const Vector& f) {
  const double h = 1.0 / static_cast<double>(f.size() - 1);
  const Index n = f.size() - 2;
  return (f.head(n) - 2.0 * f.segment(1, n) + f.tail(n)).cwiseAbs().maxCoeff() / (2.0 * h * h);
}

Findings theorem2(std::uint64_t seed) {
  constexpr Index kInputs = 51, kAnswers = 50;
  const Inputs x = Inputs::line(Vector::LinSpaced(kInputs, 0.0, 1.0));
  const InputSet list(x);
  const Vector delta = ResolutionSchedule::paper(1).first(kAnswers);
  Rows all(kInputs * (kAnswers + 1), 2);  // every input at every resolution, and directly
  for (Index t = 0; t <= kAnswers; ++t) {
    all.middleRows(t * kInputs, kInputs).col(0) = x.coordinates().col(0);
    all.middleRows(t * kInputs, kInputs).col(1).setConstant(t < kAnswers ? delta[t] : 0.0);
  }
  const Queries queries(std::move(all));
  const FiniteBelief world(on_a_line(), x, queries, {EngineKind::kLowRank, {}});
  const double gamma = greedy_information(on_a_line(), queries.slice(kAnswers * kInputs, kInputs), kAnswers, kNoiseVar)
                           .upper[kAnswers - 1];
  Tally bound_holds, term_holds, repaired_holds;
  std::vector<double> terms;
  for (int i = 0; i < kRuns; ++i) {
    Rng rng(seed, {107, static_cast<std::uint64_t>(i)});
    const FiniteBelief::Paths truth = world.draw(1, rng);
    const Vector f = truth.f.col(0);
    ScheduledUcb ucb(on_a_line(), list, ResolutionSchedule::paper(1), kNoiseVar, {.delta = kDelta / 2.0}, seed);
    double best = truth.g.minCoeff(), beta = 0.0;
    Queries asked;
    for (Index t = 0; t < kAnswers; ++t) {
      beta = ucb.beta();
      const Queries a = ucb.suggest();
      const double g = truth.g(t * kInputs + *list.find(a.row(0).head(1)), 0);
      best = std::max(best, g);
      ucb.observe(a, Vector::Constant(1, g + std::sqrt(kNoiseVar) * rng.normal()));
      asked = asked.joined(a);
    }
    const Inputs xi(Rows(asked.coordinates().leftCols(1)));
    const double term = target_information_along(on_a_line(), asked, xi, kNoiseVar)[kAnswers - 1];
    const double bound = scheduled_regret_bound(beta, term, delta, half_curvature(f), kNoiseVar);
    bound_holds.add(f.maxCoeff() - best <= bound);
    bound_holds.compare(bound, f.maxCoeff() - best);
    term_holds.add(term <= gamma);
    terms.push_back(term);
    const double told = information_along(on_a_line(), asked, kNoiseVar)[kAnswers - 1];
    const double repaired =
        blurred_regret_bound(beta, told, blur_var(on_a_line(), xi, asked).sum(), kAnswers, kNoiseVar);
    repaired_holds.add(f.maxCoeff() - best <= repaired);
    repaired_holds.compare(repaired, f.maxCoeff() - best);
  }
  Finding holds{"theorem 2", "instant regret of GP-UCB with the schedule is below the bound, with its constants",
                "draws of a GP on a line, T = 50, the information term as measured: " + bound_holds.text()};
  holds.verdict = bound_holds.held >= (1.0 - kDelta) * kRuns ? Verdict::kHolds : Verdict::kDoesNotHold;
  holds.remark = "the rate is not tested";
  Finding gap{
      "theorem 2", "the information term of its proof is at most gamma_T",
      "in " + term_holds.text() + ": median " + two_digits(median(terms)) + " nats, gamma_50 <= " + two_digits(gamma)};
  gap.verdict = term_holds.held == kRuns ? Verdict::kHolds : Verdict::kDoesNotHold;
  gap.remark = "a gap in the proof: blurred answers leave more variance than direct ones; docs/theory/bounds.md";
  Finding repaired{"theorem 2",
                   "the same with the proof repaired: sqrt(beta / T) (2 sqrt(C I) + 3 sqrt(E)), E what windows hide",
                   "the same draws: " + repaired_holds.text()};
  repaired.verdict = repaired_holds.held >= (1.0 - kDelta) * kRuns ? Verdict::kHolds : Verdict::kDoesNotHold;
  repaired.remark = "needs no bound on f'', and keeps the rate of direct measurements; docs/theory/bounds.md";
  repaired.extra = true;
  return {holds, gap, repaired};
}

struct LearnedTallies {
  Tally printed, biased;
};

// CMES with p(x|a) learned by the paper's CME: lemma 3 as printed, and with the bias that a jackknife of the pairs gives.
LearnedTallies lemma3_with(Index pairs, std::uint64_t seed) {
  const Problem branin = problem("branin-linear", {.x_counts = {18, 18}, .a_counts = {15, 15}});
  const Inputs& x = branin.x().points();
  const Queries& a = branin.a().points();
  const Rbf kernel(1.0, Vector{{3.0, 6.0}});
  const FiniteBelief world(Posterior(kernel, *branin.conditional()), x, a, {.noise_var = kNoiseVar});
  LearnedTallies out;
  for (int i = 0; i < kRuns; ++i) {
    Rng rng(seed, {109, static_cast<std::uint64_t>(i)});
    const FiniteBelief::Paths truth = world.draw(1, rng);
    const PairLog log = branin.logged(pairs, rng);
    LearnedOptions options{.model = LearnedKind::kCme, .domain = *branin.x_box(), .exact_constant = false};
    options.yardstick = kernel.clone();
    const Posterior prior(kernel, LearnedConditional(log.x, log.a, options));
    FiniteBelief belief(prior, x, a, {.noise_var = kNoiseVar});
    const double most = truth.f.maxCoeff();
    Queries asked;
    Vector step = Vector::Constant(kRunLength, std::numeric_limits<double>::infinity()),
           regret = Vector::Zero(kRunLength);
    for (Index t = 0; t < kRunLength; ++t) {
      const auto [row, upper, margin, sd] = choice_by_one_sample(belief, rng);
      regret[t] = most - truth.g(row, 0);
      if (upper >= most) step[t] = (margin + zeta(union_weight(t + 1), kDelta / 2.0)) * sd;
      asked = asked.joined(a.slice(row, 1));
      belief.observe(row, truth.g(row, 0) + std::sqrt(kNoiseVar) * rng.normal(), kNoiseVar);
    }
    const Vector bias = bias_along(prior, asked, kNoiseVar, learned_bias(prior, a, kRunLength, kDelta / 2.0));
    out.printed.add((regret.array() <= step.array() + 1e-9).all());
    out.biased.add((regret.array() <= step.array() + bias.array() + 1e-9).all());
    for (Index t = 0; t < kRunLength; ++t) {
      if (!std::isfinite(step[t])) continue;
      out.printed.compare(step[t], regret[t]);
      out.biased.compare(step[t] + bias[t], regret[t]);
    }
  }
  return out;
}

Finding lemma3_learned(std::uint64_t seed) {
  Finding out{"lemma 3", "the same with p(x given a) learned by the CME, and the jackknife's error as a bias",
              "draws of the prior"};
  out.verdict = Verdict::kHolds;
  for (const Index pairs : {20, 100}) {
    const auto [printed, biased] = lemma3_with(pairs, seed);
    out.measure += (pairs == 20 ? ", " : "; ") + std::to_string(pairs) + " pairs: as printed " + printed.text() +
                   ", with the bias " + biased.text();
    if (biased.held < (1.0 - kDelta) * biased.runs) out.verdict = Verdict::kDoesNotHold;
  }
  out.remark = "the paper has no such bound; docs/theory/bounds.md";
  out.extra = true;
  return out;
}

}  // namespace

Findings theory_findings(std::uint64_t seed) {
  Rng rng(seed, {108});
  Findings out = of_cmes(seed);
  out.insert(out.begin() + 2, lemma3_learned(seed));  // after lemma 3
  out.push_back(assumption2(rng));
  for (Finding& each : theorem2(seed)) out.push_back(std::move(each));
  return out;
}

}  // namespace iqbo
