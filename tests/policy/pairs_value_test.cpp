#include "iqbo/policy/pairs_value.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/policy/policy.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

struct Logged {
  Inputs x;
  Queries a;
};

Logged pairs(Index count, Rng& rng) {
  const Rows a = test::uniform_rows(rng, count, 1);
  return {Inputs(Rows(a + 0.15 * rng.normals(count))), Queries(a)};
}

constexpr double kNoiseVar = 0.04;

Posterior answered(double tau2, Rng& rng) {
  const Logged log = pairs(40, rng);
  const LearnedConditional learned(log.x, log.a, {.model = LearnedKind::kNw});
  const Queries asked = Queries::line(Vector{{0.1, 0.35, 0.4, 0.8}});
  return Posterior(Rbf(1.0, Vector{{0.2}}), learned)
      .with_discrepancy(*learned.discrepancy(tau2))
      .condition(asked, Vector{{0.3, 1.1, 0.7, 0.9}}, kNoiseVar);
}

// The whole joint law of f, e1, e2 and the answers written out, conditioned on z, then on z and e1 for draws of e1 given z.
TEST(PairsValue, AgreesWithTheJointLaw) {
  Rng rng(5);
  const double tau2 = 0.3;
  const Posterior posterior = answered(tau2, rng);
  const Inputs x = Inputs::line(Vector::LinSpaced(15, 0.0, 1.0));
  const PairsValue found = value_of_pairs(posterior, x, Queries::line(Vector{{0.1, 0.5}}), kNoiseVar, rng, 40000);

  const Posterior prior = Posterior(posterior.kernel(), posterior.conditional());
  const Queries& asked = posterior.queries();
  const Matrix f = prior.f_cov(x), fz = prior.fg_cov(x, asked), q = prior.g_cov(asked);
  const Matrix l = posterior.discrepancy()->evaluate(asked.coordinates(), asked.coordinates());
  const Index t = asked.size();
  const Matrix s = q + l + kNoiseVar * Matrix::Identity(t, t);
  const Vector z = posterior.z();
  const Vector m = fz * s.llt().solve(z);
  // e1 at the asked queries, given z; then f given z - e1, whose covariance has l / 2 left.
  const Vector e_mean = 0.5 * l * s.llt().solve(z);
  const Matrix e_cov = 0.5 * l - 0.25 * l * s.llt().solve(l);
  const Matrix root = e_cov.llt().matrixL();
  const Matrix left = q + 0.5 * l + kNoiseVar * Matrix::Identity(t, t);
  double sum = 0.0;
  constexpr int kDraws = 40000;
  for (int i = 0; i < kDraws; ++i)
    sum += (fz * left.llt().solve(z - e_mean - root * rng.normals(t))).maxCoeff() - m.maxCoeff();
  EXPECT_NEAR(found.doubling, sum / kDraws, 0.03 * found.doubling + 5.0 * found.doubling_error);
  EXPECT_GT(found.doubling, 20.0 * found.doubling_error);
}

// Being told e1 at one query is worth what one line of the joint law says.
TEST(PairsValue, OfOnePlace) {
  Rng rng(6);
  const Posterior posterior = answered(0.3, rng);
  const Inputs x = Inputs::line(Vector::LinSpaced(15, 0.0, 1.0));
  const Queries a = Queries::line(Vector{{0.1, 0.37, 0.6}});
  const PairsValue found = value_of_pairs(posterior, x, a, kNoiseVar, rng, 100);
  const Posterior prior = Posterior(posterior.kernel(), posterior.conditional());
  const Queries& asked = posterior.queries();
  const Kernel& l = *posterior.discrepancy();
  const Matrix s =
      prior.g_cov(asked) + l.evaluate(asked.coordinates(), asked.coordinates()) + kNoiseVar * Matrix::Identity(4, 4);
  const Matrix fz = prior.fg_cov(x, asked), ez = 0.5 * l.evaluate(a.coordinates(), asked.coordinates());
  const Vector m = fz * s.llt().solve(posterior.z());
  for (Index j = 0; j < a.size(); ++j) {
    const Vector cov = -(fz * s.llt().solve(ez.row(j).transpose()));
    const double var = 0.5 * l.evaluate_diagonal(a.coordinates())[j] - ez.row(j) * s.llt().solve(ez.row(j).transpose());
    double want = 0.0;  // midpoint rule in Z
    for (double at = -8.0; at < 8.0; at += 1e-3)
      want += 1e-3 * std::exp(-0.5 * at * at) / std::sqrt(2.0 * M_PI) * ((m + cov * at / std::sqrt(var)).maxCoeff());
    EXPECT_NEAR(found.here[j], want - m.maxCoeff(), 1e-5) << j;
  }
  EXPECT_DOUBLE_EQ(found.here[found.best_place], found.here.maxCoeff());
}

TEST(PairsValue, NoDiscrepancyNoWorth) {
  Rng rng(7);
  const Inputs x = Inputs::line(Vector::LinSpaced(15, 0.0, 1.0));
  const Queries a = Queries::line(Vector::LinSpaced(9, 0.0, 1.0));
  const PairsValue little = value_of_pairs(answered(1e-8, rng), x, a, kNoiseVar, rng);
  const PairsValue much = value_of_pairs(answered(0.5, rng), x, a, kNoiseVar, rng);
  EXPECT_LT(little.doubling, 1e-3 * little.query);
  EXPECT_GT(much.doubling, 0.1 * much.query);
  EXPECT_GT(little.query, 0.0);
}

bool advises_pairs(const Recommendation& best) {
  return std::any_of(best.notes.begin(), best.notes.end(), [](const std::string& note) {
    return note.starts_with("further logged pairs are worth more than further answers");
  });
}

// best() advises further pairs where they are worth more, by many draws of our own, and nowhere else.
TEST(PairsValue, IsWhatBestAdvises) {
  int yes = 0, no = 0;
  const Inputs x = Inputs::line(Vector::LinSpaced(41, 0.0, 1.0));
  const Queries a = Queries::line(Vector::LinSpaced(21, 0.0, 1.0));
  for (const Index answers : {3, 30})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Rng rng(seed);
      const Logged log = pairs(15, rng);
      const LearnedConditional learned(log.x, log.a, {.model = LearnedKind::kNw});
      Setting setting{InputSet(x), QuerySet(a), learned};
      setting.kernel = Rbf(1.0, Vector{{0.2}});
      setting.noise_var = kNoiseVar;
      Policy policy(setting, {}, seed);
      const Posterior truth(*setting.kernel, GaussianConditional(QueryMap::identity(1), 0.15));
      const Vector g = truth.g_cov(a).llt().matrixL() * rng.normals(a.size());
      for (Index i = 0; i < answers; ++i) {
        const Index row = rng.below(a.size());
        policy.observe(a.slice(row, 1), Vector::Constant(1, g[row] + std::sqrt(kNoiseVar) * rng.normal()));
      }
      const bool advised = advises_pairs(policy.best());
      if (policy.posterior().discrepancy() == nullptr) {
        EXPECT_FALSE(advised);
        continue;
      }
      const PairsValue value = value_of_pairs(policy.posterior(), x, a, kNoiseVar, rng, 20000);
      const double lead = value.doubling / value.query;
      if (std::abs(std::log(lead)) < 0.3) continue;  // too close for the few draws of best()
      EXPECT_EQ(advised, lead > 1.0) << answers << " answers, seed " << seed << ": " << value.doubling << " +- "
                                     << value.doubling_error << " against " << value.query;
      (advised ? yes : no) += 1;
    }
  EXPECT_GT(yes, 0);
  EXPECT_GT(no, 0);
}

TEST(PairsValue, NamesWhatIsWrong) {
  Rng rng(8);
  const BagConditional bags(Inputs{{0.0}, {1.0}}, {{0, 0, 1.0}, {1, 1, 1.0}});
  const Posterior known(Rbf(1.0, Vector{{1.0}}), bags);
  test::expect_refusal([&] { value_of_pairs(known, Inputs{{0.0}}, bags.queries(), 0.1, rng); },
                       {"posterior: no discrepancy of one parameter"});
  const Posterior told = answered(0.1, rng);
  test::expect_refusal([&] { value_of_pairs(told, Inputs(Rows(0, 1)), told.queries(), 0.1, rng); }, {"x"});
  const Posterior untold = Posterior(told.kernel(), told.conditional()).with_discrepancy(*told.discrepancy());
  test::expect_refusal([&] { value_of_pairs(untold, Inputs{{0.0}}, told.queries(), 0.1, rng); }, {"without answers"});
}

}  // namespace
}  // namespace iqbo
