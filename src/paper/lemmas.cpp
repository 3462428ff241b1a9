// Lemmas 1 and 4 of [Zhang26], on random posteriors of Branin; and lemma 1 with the score of appendix B.
#include <algorithm>
#include <cmath>
#include <vector>

#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/paper/paper.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/problem/registry.hpp"
#include "iqbo/theory/information.hpp"

namespace iqbo {
namespace {

constexpr int kCases = 100;
constexpr int kNoisyCases = 200;
constexpr double kNoiseSd = 0.1;

Index best(const Vector& score) {
  Index out = 0;
  score.maxCoeff(&out);
  return out;
}

// h as [Wang17] prints it for MES: gamma phi / (2 Phi) - log Phi.
double printed_h(double gamma) {
  const double cdf = 0.5 * std::erfc(-gamma / std::sqrt(2.0));
  return gamma * std::exp(-0.5 * gamma * gamma) / std::sqrt(2.0 * M_PI) / (2.0 * cdf) - std::log(cdf);
}

struct Case {
  Posterior posterior;
  Queries asked;
};

Case random_case(const Problem& problem, Rng& rng) {
  const Posterior prior(Rbf(1.0, Vector{{3.0, 6.0}}), *problem.conditional());
  const Index n = 3 + rng.below(20);
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) rows.push_back(rng.below(problem.a().size()));
  const Queries a(Rows(problem.a().points().coordinates()(rows, Eigen::all)));
  const Vector z = (problem.g(a).array() - problem.mean()).matrix() / problem.unit() + kNoiseSd * rng.normals(n);
  return {prior.condition(a, z, kNoiseSd * kNoiseSd), a};
}

// All four choose the same query, given one value that f* might have.
bool same_choice(const Marginals& g, double fstar) {
  const Outlook outlook{g.mean, g.var, Vector::Constant(g.mean.size(), kNoiseSd * kNoiseSd)};
  const Vector gamma = (fstar - g.mean.array()) / g.var.array().sqrt();
  const Index cmes = best(Cmes(Vector::Constant(1, fstar)).score(outlook, Matrix()));
  return cmes == best(gamma.unaryExpr(&printed_h)) && cmes == best(est(g.mean, g.var, fstar)) &&
         cmes == best(ucb(g.mean, g.var, gamma.minCoeff()));
}

Finding lemma1(const Problem& problem, Rng& rng) {
  int same = 0;
  for (int i = 0; i < kCases; ++i) {
    const Case each = random_case(problem, rng);
    const Marginals g = each.posterior.g(problem.a().points());
    same += same_choice(g, g.mean.maxCoeff() + 0.05 + std::abs(rng.normal())) ? 1 : 0;
  }
  Finding out{
      "lemma 1", "CMES with one sample of f* chooses as MES, EST and GP-UCB on g do",
      "same query in " + std::to_string(same) + " of " + std::to_string(kCases) + " posteriors, 900 queries each"};
  out.verdict = same == kCases ? Verdict::kHolds : Verdict::kDoesNotHold;
  out.remark = "with one sample; the lemma says nothing about several";
  return out;
}

// The authors' remark: "it is unclear whether this equivalence still holds if we change the approximation", as appendix B does.
// The posteriors are the same at every noise, so that nothing changes but the score.
Finding lemma1_with_noise(const Problem& problem, Rng& rng) {
  const std::vector<double> noise_vars{1e-9, 0.001, 0.01, 0.1, 1.0, 10.0};
  std::vector<int> same(noise_vars.size(), 0);
  for (int i = 0; i < kNoisyCases; ++i) {
    const Case each = random_case(problem, rng);
    const Marginals g = each.posterior.g(problem.a().points());
    const Vector fstar = Vector::Constant(1, g.mean.maxCoeff() + 0.05 + std::abs(rng.normal()));
    for (std::size_t k = 0; k < noise_vars.size(); ++k) {
      const Outlook outlook{g.mean, g.var, Vector::Constant(g.mean.size(), noise_vars[k])};
      same[k] += best(NoisyCmes(fstar).score(outlook, Matrix())) == best(Cmes(fstar).score(outlook, Matrix())) ? 1 : 0;
    }
  }
  Finding out{"lemma 1", "the same with the approximation of appendix B, which the authors leave open",
              "same query in"};
  std::string noises;
  for (std::size_t k = 0; k < noise_vars.size(); ++k) {
    out.measure += (k == 0 ? " " : ", ") + std::to_string(same[k]);
    noises += (k == 0 ? "" : ", ") + readable(noise_vars[k]);
  }
  out.measure += " of " + std::to_string(kNoisyCases) + " posteriors at sigma^2 = " + noises + " (variance of f: 1)";
  const bool all = std::all_of(same.begin(), same.end(), [](int count) { return count == kNoisyCases; });
  out.verdict = all ? Verdict::kHolds : Verdict::kDoesNotHold;
  out.remark = "appendix B weighs q against the noise; gamma alone does not decide";
  return out;
}

Finding lemma4(const Problem& problem, Rng& rng) {
  constexpr double kTolerance = 1e-9;
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const Case each = random_case(problem, rng);
    const Posterior prior(each.posterior.kernel(), each.posterior.conditional());
    const double whole = information_gain(prior, each.asked, kNoiseSd * kNoiseSd);
    const Vector along = information_along(prior, each.asked, kNoiseSd * kNoiseSd);
    worst = std::max(worst, std::abs(along[along.size() - 1] - whole) / whole);
  }
  const int exponent = static_cast<int>(std::ceil(std::log10(std::max(worst, 1e-16))));
  Finding out{"lemma 4", "the information gain is 1/2 sum log(1 + q/sigma^2)",
              "relative error at most 1e" + std::to_string(exponent) + " against the determinant, " +
                  std::to_string(kCases) + " sequences of queries"};
  out.verdict = worst < kTolerance ? Verdict::kHolds : Verdict::kDoesNotHold;
  return out;
}

}  // namespace

Findings lemma_findings(std::uint64_t seed) {
  const Problem branin = problem("branin-linear");
  Rng rng(seed, {104});
  Finding first = lemma1(branin, rng);
  Finding last = lemma4(branin, rng);
  Rng noisy(seed, {105});
  return {std::move(first), lemma1_with_noise(branin, noisy), std::move(last)};
}

}  // namespace iqbo
