#include "iqbo/acquisition/improvement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "iqbo/core/rng.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/score_gradient.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::Real;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Oracle: the expectation of (g - incumbent)+ and of [g > incumbent], from the incumbent upwards.
double upwards(double nu, double q, double incumbent, int power) {
  const Real pi = std::acos(Real(-1));
  const auto integrand = [&](const Real& g) -> Real {
    return std::pow(g - incumbent, power) * std::exp(-(g - nu) * (g - nu) / (2 * Real(q))) / std::sqrt(2 * pi * q);
  };
  const Real sd = std::sqrt(Real(q));
  const Real lower = std::max(Real(incumbent), nu - 14 * sd);
  return static_cast<double>(test::integrate(integrand, lower, lower + 28 * sd, 100));
}

TEST(Improvement, AgreesWithQuadrature) {
  for (const double nu : {-8.0, -2.0, 0.0, 0.7, 5.0})
    for (const double q : {0.05, 1.0, 9.0}) {
      const double ei = upwards(nu, q, 0.5, 1);
      EXPECT_NEAR(expected_improvement(Vector{{nu}}, Vector{{q}}, 0.5)[0], ei, test::kConditioned * ei);
      const double pi = upwards(nu, q, 0.5, 0);
      EXPECT_NEAR(probability_of_improvement(Vector{{nu}}, Vector{{q}}, 0.5)[0], pi, test::kConditioned * pi);
    }
}

TEST(Improvement, IsComparedInLogsWhereItUnderflows) {
  const Outlook outlook{Vector{{-60.0, -50.0}}, Vector{{1.0, 1.0}}, Vector::Zero(2)};
  EXPECT_EQ(expected_improvement(outlook.nu, outlook.q, 0).sum(), 0);
  for (const bool ei : {true, false}) {
    const Vector score =
        ei ? ExpectedImprovement(0).score(outlook, Matrix()) : ProbabilityOfImprovement(0).score(outlook, Matrix());
    EXPECT_TRUE(score.allFinite());
    EXPECT_GT(score[1], score[0]);
  }
}

TEST(Improvement, HasLimitsWhereNothingIsUncertain) {
  const Outlook outlook{Vector{{2.0, 0.0}}, Vector::Zero(2), Vector::Ones(2)};
  OutlookGradient gradient;
  const Vector ei = ExpectedImprovement(0.5).score(outlook, Matrix(), &gradient);
  EXPECT_NEAR(ei[0], std::log(1.5), test::kRounding);
  EXPECT_EQ(ei[1], -kInfinity);
  EXPECT_TRUE(gradient.nu.allFinite() && gradient.q.allFinite());
  EXPECT_EQ(ProbabilityOfImprovement(0.5).score(outlook, Matrix()), (Vector{{0, -kInfinity}}));
  EXPECT_EQ(Ucb().score(outlook, Matrix(), &gradient), outlook.nu);
  EXPECT_TRUE(gradient.q.allFinite());
  EXPECT_EQ(MaxVariance().score(outlook, Matrix(), &gradient)[0], -kInfinity);
  EXPECT_TRUE(gradient.q.allFinite());
}

TEST(Ucb, IsTwoDeviationsUpByDefault) {
  EXPECT_EQ(ucb(Vector{{1.0}}, Vector{{4.0}})[0], 5);
  EXPECT_EQ(ucb(Vector{{1.0}}, Vector{{4.0}}, 0.5)[0], 2);
}

TEST(Improvement, GradientsAreDifferences) {
  Rng rng(4);
  Outlook outlook{3 * rng.normals(12), Vector(12), Vector::Ones(12)};
  for (double& q : outlook.q) q = test::log_uniform(rng, 0.1, 10);
  const Matrix none(0, 12);
  test::expect_gradient(ExpectedImprovement(0.3), outlook, none);
  test::expect_gradient(ProbabilityOfImprovement(0.3), outlook, none);
  test::expect_gradient(Ucb(1.7), outlook, none);
  test::expect_gradient(MaxVariance(), outlook, none);
}

}  // namespace
}  // namespace iqbo
