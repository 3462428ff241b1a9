#include "iqbo/theory/information.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/plain_gp.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

Posterior prior_of(double width) {
  return {Rbf(0.8, Vector{{0.2, 0.3}}), GaussianConditional(QueryMap::columns({0, 1}), width)};
}

// 1/2 log det(I + R^-1 Q) by elimination in long double.
double gain_by_elimination(const Matrix& q, const Vector& noise_var) {
  test::LongMatrix m = q.cast<long double>();
  for (Index i = 0; i < m.rows(); ++i) m.row(i) /= static_cast<long double>(noise_var[i]);
  m.diagonal().array() += 1.0L;
  long double log_det = 0.0L;
  for (Index i = 0; i < m.rows(); ++i) {
    log_det += std::log(m(i, i));
    for (Index r = i + 1; r < m.rows(); ++r) m.row(r) -= m(r, i) / m(i, i) * m.row(i);
  }
  return static_cast<double>(log_det / 2);
}

Matrix rows_of(const Matrix& q, const std::vector<Index>& rows) { return q(rows, rows); }

// Every selection of `steps` rows, by plain recursion and a determinant each.
double best_by_brute_force(const Matrix& q, const Vector& noise_var, Index steps, bool repeats) {
  double best = 0.0;
  std::vector<Index> rows;
  const std::function<void(Index)> extend = [&](Index from) {
    if (static_cast<Index>(rows.size()) == steps) {
      best = std::max(best, gain_by_elimination(rows_of(q, rows), noise_var(rows)));
      return;
    }
    for (Index i = from; i < q.rows(); ++i) {
      rows.push_back(i);
      extend(repeats ? i : i + 1);
      rows.pop_back();
    }
  };
  extend(0);
  return best;
}

RC_GTEST_PROP(Information, IsTheLogDeterminant, (std::uint64_t seed)) {
  Rng rng(seed);
  const Queries a = test::random_queries(rng, 12, 2);
  const Vector noise_var = test::random_vector(rng, 12, 0.01, 0.3);
  const Posterior prior = prior_of(0.1);
  const double want = gain_by_elimination(prior.g_cov(a), noise_var);
  RC_ASSERT(std::abs(information_gain(prior, a, noise_var) - want) < test::kConditioned * want);
}

// Lemma 4, with variances that the posterior itself gives, one answer at a time.
RC_GTEST_PROP(Information, IsTheSumOverPredictiveVariances, (std::uint64_t seed)) {
  Rng rng(seed);
  const Queries a = test::random_queries(rng, 10, 2).joined(test::random_queries(rng, 2, 2));
  const Vector noise_var = test::random_vector(rng, 12, 0.01, 0.3);
  const Posterior prior = prior_of(0.1);
  const Vector along = information_along(prior, a, noise_var);
  Posterior posterior = prior;
  double sum = 0.0;
  for (Index t = 0; t < a.size(); ++t) {
    sum += 0.5 * std::log(1.0 + posterior.g(a.slice(t, 1)).var[0] / noise_var[t]);
    RC_ASSERT(std::abs(along[t] - sum) < test::kConditioned * (1.0 + sum));
    posterior = posterior.condition(a.slice(t, 1), rng.normals(1), noise_var[t]);
  }
  RC_ASSERT(std::abs(sum - information_gain(prior, a, noise_var)) < test::kConditioned * (1.0 + sum));
  RC_ASSERT(std::abs(sum - posterior.information_gain()) < test::kConditioned * (1.0 + sum));
}

RC_GTEST_PROP(Information, TheExactMaximumIsThatOfBruteForce, (std::uint64_t seed, bool repeats)) {
  Rng rng(seed);
  const Queries a = test::random_queries(rng, 7, 2);
  const Vector noise_var = test::random_vector(rng, 7, 0.05, 0.5);
  const Posterior prior = prior_of(0.05 + 0.2 * rng.uniform());
  const Index steps = 1 + rng.below(4);
  const double want = best_by_brute_force(prior.g_cov(a), noise_var, steps, repeats);
  const InformationChoice exact = exact_information(prior, a, steps, noise_var, repeats);
  RC_ASSERT(std::abs(exact.gain[steps - 1] - want) < test::kConditioned * want);
  RC_ASSERT(static_cast<Index>(exact.chosen.size()) == steps);
}

// Greedy is the plain greedy, its gains are those of what it chose, and rho_t lies between them and `upper`.
RC_GTEST_PROP(Information, GreedyKeepsItsPromise, (std::uint64_t seed, bool repeats)) {
  Rng rng(seed);
  const Queries a = test::random_queries(rng, 8, 2);
  const Vector noise_var = test::random_vector(rng, 8, 0.02, 0.5);
  const Posterior prior = prior_of(0.05 + 0.2 * rng.uniform());
  const Matrix q = prior.g_cov(a);
  constexpr Index kSteps = 4;
  const InformationChoice greedy = greedy_information(prior, a, kSteps, noise_var, repeats);
  std::vector<Index> taken;
  for (Index t = 1; t <= kSteps; ++t) {
    double best = 0.0;
    for (Index i = 0; i < a.size(); ++i) {
      if (!repeats && std::count(taken.begin(), taken.end(), i) > 0) continue;
      std::vector<Index> tried = taken;
      tried.push_back(i);
      best = std::max(best, gain_by_elimination(rows_of(q, tried), noise_var(tried)));
    }
    taken.push_back(greedy.chosen[static_cast<std::size_t>(t - 1)]);
    RC_ASSERT(std::abs(greedy.gain[t - 1] - best) < test::kConditioned * best);
    RC_ASSERT(std::abs(gain_by_elimination(rows_of(q, taken), noise_var(taken)) - best) < test::kConditioned * best);
    const double rho = best_by_brute_force(q, noise_var, t, repeats);
    RC_ASSERT(greedy.gain[t - 1] <= rho * (1.0 + test::kRounding));
    RC_ASSERT(greedy.upper[t - 1] >= rho * (1.0 - test::kRounding));
    RC_ASSERT(greedy.upper[t - 1] <= greedy.gain[t - 1] / (1.0 - std::exp(-1.0)) * (1.0 + test::kRounding));
  }
}

TEST(Information, AnyBeliefAboutQueriesWillDo) {
  Rng rng(3);
  const Queries a = test::random_queries(rng, 20, 2);
  const PlainGp plain = PlainGp(Rbf(1.0, Vector{{0.3, 0.3}})).condition(a.slice(0, 3), Vector{{1.0, 0.0, 2.0}}, 0.1);
  const InformationChoice greedy = greedy_information(plain, a, 5, 0.1);
  const Queries chosen(Rows(a.coordinates()(greedy.chosen, Eigen::all)));
  EXPECT_NEAR(greedy.gain[4], information_gain(plain, chosen, 0.1), test::kConditioned);
}

TEST(Information, NamesWhatIsWrong) {
  const Posterior prior = prior_of(0.1);
  const Queries a{{0.1, 0.2}, {0.5, 0.5}};
  test::expect_refusal([&] { information_gain(prior, a, 0.0); }, {"noise_var: row 0 is 0"});
  test::expect_refusal([&] { information_gain(prior, a, Vector{{0.1, 0.1, 0.1}}); }, {"noise_var", "3", "2"});
  test::expect_refusal([&] { greedy_information(prior, a, 0, 0.1); }, {"steps: 0, expected at least 1"});
  test::expect_refusal([&] { greedy_information(prior, a, 3, 0.1, false); }, {"steps: 3, expected at most 2"});
  test::expect_refusal([&] { greedy_information(prior, Queries(), 3, 0.1); }, {"candidates"});
  Rng rng(1);
  const Queries many = test::random_queries(rng, 60, 2);
  test::expect_refusal([&] { exact_information(prior, many, 5, 0.1); },
                       {"candidates: 7624512 selections, expected at most 1e+06; use greedy_information"});
  test::expect_refusal(
      [&] {
        target_information_along(prior, a, Inputs{{0.1, 0.1}}, 0.1);
      },
      {"xi: 1 rows, expected 2"});
}

}  // namespace
}  // namespace iqbo
