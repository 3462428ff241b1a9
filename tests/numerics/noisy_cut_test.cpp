#include "numerics/noisy_cut.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "numerics/normal.hpp"
#include "support/finite_difference.hpp"
#include "support/oracle.hpp"
#include "support/tolerance.hpp"

namespace iqbo {

using namespace internal;

namespace {

using test::Real;

constexpr double kPromised = 1e-8;       // absolute, for t in [-30, 30]
constexpr double kFound = 1e-11;         // what is reached, the oracle's share included
constexpr double kFoundRelative = 1e-8;  // where the drop is above kFound

double complement(double rho) { return std::sqrt((1 - rho) * (1 + rho)); }
double drop(double t, double rho) { return std::exp(noisy_drop(t, rho, complement(rho)).log_drop); }

// Oracle: H[w] - H[w | N <= t] with the second entropy integrated as -p log p in long double,
// p(w) = phi(w) P(N <= t | w) / P(N <= t). Near rho t the edge, of width s, has panels of its own.
double by_quadrature(double t, double rho) {
  const Real pi = boost::math::constants::pi<Real>();
  const Real s = std::sqrt((1 - Real(rho)) * (1 + Real(rho)));
  const auto cdf = [](Real u) { return boost::math::erfc(-u / std::sqrt(Real(2))) / 2; };
  const Real all = cdf(t);
  const auto integrand = [&](const Real& w) -> Real {
    const Real p = std::exp(-w * w / 2) / std::sqrt(2 * pi) * cdf((t - rho * w) / s) / all;
    return p > 0 ? -p * std::log(p) : 0;
  };
  const Real least = t > -4 ? Real(-13) : t + 45 / Real(t);  // of N, but for 1e-19 of the probability
  const Real most = std::min(t, 13.0);
  const Real lower = rho * least - 13 * s;
  const Real edge = std::max(lower, rho * most - 13 * s);
  const Real entropy =
      test::integrate(integrand, lower, edge, 40) + test::integrate(integrand, edge, rho * most + 13 * s, 40);
  return static_cast<double>((1 + std::log(2 * pi)) / 2 - entropy);
}

TEST(NoisyCut, IsTheDropOfEntropy) {
  for (const double rho : {0.003, 0.0099, 0.0101, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.99999})
    for (const double t : {-30.0, -12.0, -5.0, -2.0, -0.7, 0.0, 0.6, 1.9, 3.0, 5.0, 9.0, 30.0})
      EXPECT_NEAR(drop(t, rho), by_quadrature(t, rho), kFound) << "t " << t << ", rho " << rho;
}

TEST(NoisyCut, IsTheDropOfEntropyAnywhere) {
  EXPECT_TRUE(rc::check("t in [-30, 30], rho in [0.001, 0.99999]", [] {
    const double t = 1e-3 * *rc::gen::inRange(-30000, 30000);
    const double rho = 1e-5 * *rc::gen::inRange(100, 99999);
    RC_ASSERT(std::abs(drop(t, rho) - by_quadrature(t, rho)) < kPromised);
  }));
}

// A second oracle: the derivative in rho^2, lam(t) E[gap] / (2 s), has no cancellation; integrated from 0 it gives the drop
// with all its digits, however small; gap has a test of its own. With rho = sin(angle), d rho^2 / s = 2 sin(angle) d angle.
double by_integrated_slope(double t, double rho) {
  const auto gap = [](const Real& u) { return cut_normal(static_cast<double>(u)).gap; };
  const auto averaged = [&](const Real& angle) {
    const Real r = std::sin(angle);
    const Real centre = t * std::cos(angle);
    const auto under_normal = [&](const Real& e) { return std::exp(-e * e / 2) * gap(centre + r * e); };
    return r * test::integrate(under_normal, -9, 9, 6) / std::sqrt(2 * boost::math::constants::pi<Real>());
  };
  return mills(t) * static_cast<double>(test::integrate(averaged, 0, std::asin(Real(rho)), 3));
}

TEST(NoisyCut, KeepsItsDigitsWhereItIsSmall) {
  for (const double rho : {1e-6, 1e-3, 0.0099, 0.0101, 0.1, 0.6, 0.95})
    for (const double t : {-4.0, -1.0, 0.5, 3.0, 10.0, 30.0}) {
      const double want = by_integrated_slope(t, rho);
      EXPECT_NEAR(drop(t, rho), want, kFoundRelative * want) << "t " << t << ", rho " << rho;
    }
}

TEST(NoisyCut, EndsAtNothingAndAtTheNoiselessDrop) {
  for (const double t : {-1e8, -300.0, -30.0, -3.0, 0.0, 3.0, 30.0, 1e4}) {
    EXPECT_EQ(drop(t, 0), 0) << t;
    EXPECT_NEAR(noisy_drop(t, 1, 0).log_drop, log_entropy_drop(t), test::kRounding * std::max(1.0, t * t)) << t;
    EXPECT_LT(drop(t, 1e-4), 1e-8) << t;
  }
}

// More noise tells less; a cut further away tells less.
TEST(NoisyCut, IsMonotone) {
  EXPECT_TRUE(rc::check("pairs", [] {
    const double t = 1e-2 * *rc::gen::inRange(-3000, 800);
    const double rho = 1e-4 * *rc::gen::inRange(1, 9900);
    RC_ASSERT(drop(t, rho + 0.01) > drop(t, rho));
    RC_ASSERT(drop(t + 0.1, rho) < drop(t, rho) * (1 + 1e-9));
  }));
}

TEST(NoisyCut, SlopesAreDifferences) {
  for (const double rho : {0.005, 0.1, 0.5, 0.9, 0.99})
    for (const double t : {-20.0, -4.0, -1.0, 0.3, 2.0, 6.0}) {
      const NoisyDrop got = noisy_drop(t, rho, complement(rho));
      const auto at = [&](const Vector& x) { return noisy_drop(x[0], rho, complement(rho)).log_drop; };
      EXPECT_NEAR(got.t_slope, test::finite_difference(at, Vector{{t}})[0], 1e-8 * std::max(1.0, std::abs(t)))
          << "t " << t << ", rho " << rho;
      const auto in_rho = [&](const Vector& x) { return noisy_drop(t, x[0], complement(x[0])).log_drop; };
      const double step = 0.05 * std::min(rho, 1 - rho);
      const double want = test::finite_difference(in_rho, Vector{{rho}}, step)[0];
      EXPECT_NEAR(-got.s_slope * rho / complement(rho), want, 1e-6 * std::abs(want)) << "t " << t << ", rho " << rho;
    }
}

}  // namespace
}  // namespace iqbo
