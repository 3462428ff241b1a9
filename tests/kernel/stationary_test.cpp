#include "iqbo/kernel/stationary.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
const std::vector<std::string_view> kFamilies{"rbf", "matern12", "matern32", "matern52"};

// The correlation at distance r, from a kernel of one coordinate.
double correlation(std::string_view family, double r) {
  const Stationary kernel(family, 1.0, Vector{{1.0}});
  return kernel.gram(Inputs({{0.0}}), Inputs({{r}}))(0, 0);
}

double distance(const Inputs& x, Index i, const Inputs& y, Index j, const Vector& lengthscale) {
  long double r = 0;
  for (Index c = 0; c < x.dimension(); ++c)
    r = std::hypot(r, (static_cast<long double>(x.row(i)[c]) - y.row(j)[c]) / lengthscale[c]);
  return static_cast<double>(r);
}

// Oracle: the Matern correlation of any smoothness in its Bessel form.
double matern_by_bessel(double nu, double r) {
  const long double s = std::sqrt(2.0L * nu) * r;
  if (s == 0) return 1.0;
  return static_cast<double>(std::pow(2.0L, 1 - nu) / boost::math::tgamma(static_cast<long double>(nu)) *
                             std::pow(s, static_cast<long double>(nu)) *
                             boost::math::cyl_bessel_k(static_cast<long double>(nu), s));
}

// Oracle: the characteristic function of the normal law, E cos(r Z), by the trapezoid rule (which converges faster than
// any power of its step here).
double rbf_by_quadrature(double r) {
  long double sum = 0;
  for (int i = -640; i <= 640; ++i) {
    const long double z = i / 50.0L;
    sum += std::exp(-z * z / 2) * std::cos(r * z) / 50.0L;
  }
  return static_cast<double>(sum / std::sqrt(2 * 3.14159265358979323846264338327950288L));
}

double oracle(std::string_view family, double r) {
  if (family == "rbf") return rbf_by_quadrature(r);
  return matern_by_bessel(family == "matern12" ? 0.5 : family == "matern32" ? 1.5 : 2.5, r);
}

// Constants to 20 digits, by bc.
TEST(Stationary, CorrelationsAreTheTabulatedOnes) {
  const std::vector<double> r{0.0, 0.3, 1.0, 2.5};
  const std::vector<std::vector<double>> want{
      {1.0, 0.95599748183309990701, 0.60653065971263342360, 0.043936933623407417327},
      {1.0, 0.74081822068171786607, 0.36787944117144232160, 0.082084998623898795170},
      {1.0, 0.90379015989903857331, 0.48335772459650765060, 0.070175786430933425874},
      {1.0, 0.93096534277500500717, 0.52399410883182031059, 0.063510214548943746370}};
  for (std::size_t f = 0; f < kFamilies.size(); ++f)
    for (std::size_t i = 0; i < r.size(); ++i)
      EXPECT_NEAR(correlation(kFamilies[f], r[i]), want[f][i], kRounding * want[f][i]) << f << " at " << r[i];
}

TEST(Stationary, CorrelationsAreThoseOfTheOracles) {
  for (const std::string_view family : kFamilies)
    for (double r = 1e-3; r < 5; r *= 1.3)
      EXPECT_NEAR(correlation(family, r), oracle(family, r), kRounding) << "at " << r;
}

TEST(Stationary, FarMaternTailsKeepTheirDigits) {
  for (const std::string_view family : {"matern12", "matern32", "matern52"})
    for (const double r : {10.0, 50.0, 200.0}) {
      const double want = oracle(family, r);
      EXPECT_NEAR(correlation(family, r), want, want * kRounding * r) << "at " << r;
    }
}

TEST(Stationary, EveryCoordinateHasItsLengthscale) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const Index d = 1 + rng.below(5);
    const double variance = std::exp(rng.normal());
    const Vector lengthscale = rng.normals(d).array().exp();
    const Inputs x(rng.uniforms(4, d));
    const Inputs y(rng.uniforms(3, d));
    for (const std::string_view family : kFamilies) {
      const Matrix k = Stationary(family, variance, lengthscale).gram(x, y);
      for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 3; ++j)
          EXPECT_NEAR(k(i, j), variance * oracle(family, distance(x, i, y, j, lengthscale)), kRounding * variance)
              << "seed " << seed;
    }
  }
}

TEST(Stationary, NearPointsKeepTheirDigits) {
  const double h = 0x1p-30;  // 9e-10; 1 + h is exact
  const Inputs x({{1.0}});
  const Inputs y({{1.0 + h}});
  const Matrix one = Matrix::Ones(1, 1);
  // 1 - rho = h for Matern 1/2, with the absolute rounding of a number near 1.
  EXPECT_NEAR(1 - Matern12(1, Vector{{1}}).gram(x, y)(0, 0), h, 2 * std::numeric_limits<double>::epsilon());
  // First terms of the derivatives in y: -h, -3 h, -5 h / 3, with relative precision. The remainder is of order h.
  const double second = 10 * h;
  for (const double l : {1.0, 0.3, 7.0}) {
    const double s = h / (l * l);
    EXPECT_NEAR(Rbf(1, Vector{{l}}).input_pull_back(y, x, one)(0, 0) / s, -1, second) << l;
    EXPECT_NEAR(Matern32(1, Vector{{l}}).input_pull_back(y, x, one)(0, 0) / s, -3, second / l) << l;
    EXPECT_NEAR(Matern52(1, Vector{{l}}).input_pull_back(y, x, one)(0, 0) / s, -5.0 / 3, second / l) << l;
    EXPECT_NEAR(Matern12(1, Vector{{l}}).input_pull_back(y, x, one)(0, 0) * l, -1, second / l) << l;
  }
}

// Seconds since 1970 differ exactly; dividing by the lengthscale first would cost six digits.
TEST(Stationary, OnlyDifferencesMatter) {
  Rng rng(3);
  const Rows near = (rng.uniforms(8, 2).array() * 4096).round() / 1024;
  const Rows far = near.array() + 0x1p30;
  for (const std::string_view family : kFamilies) {
    const Stationary kernel(family, 1.0, Vector{{0.7, 1.3}});
    EXPECT_LE(largest(kernel.gram(Inputs(far)) - kernel.gram(Inputs(near))), kRounding);
    const Matrix weight = random_weight(rng, 8, 8);
    EXPECT_LE(largest(kernel.pull_back(Inputs(far), Inputs(far), weight) -
                      kernel.pull_back(Inputs(near), Inputs(near), weight)),
              kRounding * 64);
    EXPECT_LE(largest(kernel.input_pull_back(Inputs(far), Inputs(far), weight) -
                      kernel.input_pull_back(Inputs(near), Inputs(near), weight)),
              kRounding * 64);
  }
}

TEST(Stationary, FarPointsAreUncorrelatedHoweverFar) {
  for (const std::string_view family : kFamilies) {
    const Stationary kernel(family, 1.0, Vector{{1.0}});
    for (const double r : {1e3, 1e9, 1e100, 1e152, 1e200, 1e308}) {
      // Twice eight points, so that the processor's vector instructions are met too.
      const Inputs x = Inputs::line(Vector::LinSpaced(8, 0, 1));
      const Inputs y = Inputs::line(Vector::Constant(8, r));
      const Matrix ones = Matrix::Ones(8, 8);
      EXPECT_LE(largest(kernel.gram(x, y)), kVanished) << r;
      EXPECT_LE(largest(kernel.pull_back(x, y, ones)), kVanished) << r;
      EXPECT_LE(largest(kernel.input_pull_back(x, y, ones)), kVanished) << r;
    }
  }
}

TEST(Stationary, RefusesLengthscalesWhoseSquareIsNoDouble) {
  expect_refusal([] { Rbf(1.0, Vector{{1.0, 1e-101}}); }, {"lengthscale", "row 1", "1e-101", "1e-100"});
  expect_refusal([] { Rbf(1.0, Vector{{1e101}}); }, {"lengthscale", "row 0", "1e+101", "1e100"});
}

TEST(Stationary, TheSmallestLengthscaleStillCorrelatesEqualPoints) {
  const Inputs x({{0.5}, {0.5}, {0.25}});
  for (const std::string_view family : kFamilies) {
    const Matrix k = Stationary(family, 1.0, Vector{{1e-100}}).gram(x);
    EXPECT_LE(largest(k - Matrix{{1, 1, 0}, {1, 1, 0}, {0, 0, 1}}), kVanished);
  }
}

TEST(Stationary, GradientsAtCoincidentPointsAreZero) {
  const Inputs x({{0.3, -0.2}, {0.3, -0.2}});
  const Matrix weight{{1.0, 2.0}, {3.0, 4.0}};
  for (const std::string_view family : kFamilies) {
    const Stationary kernel(family, 2.0, Vector{{0.7, 1.3}});
    EXPECT_TRUE(kernel.input_pull_back(x, x, weight).isZero(0.0));
    const Vector gradient = kernel.pull_back(x, x, weight);
    EXPECT_NEAR(gradient[0], 2.0 * weight.sum(), kRounding);
    EXPECT_TRUE(gradient.tail(2).isZero(0.0));
  }
}

TEST(Stationary, KeepsWhatItWasMadeOf) {
  const Matern32 kernel(2.0, Vector{{0.5, 4.0}});
  EXPECT_EQ(kernel.family().name, "matern32");
  EXPECT_EQ(kernel.variance(), 2.0);
  EXPECT_EQ(kernel.lengthscale(), (Vector{{0.5, 4.0}}));
  EXPECT_EQ(kernel.dimension(), 2);
  EXPECT_EQ(kernel.parameter_names(), (std::vector<std::string>{"variance", "lengthscale[0]", "lengthscale[1]"}));
  const double log2 = 0.69314718055994530942;
  EXPECT_TRUE(kernel.log_parameters().isApprox(Vector{{log2, -log2, 2 * log2}}, kRounding));
  EXPECT_EQ(Rbf(1, Vector{{1}}).family().name, "rbf");
  EXPECT_EQ(Matern12(1, Vector{{1}}).family().name, "matern12");
  EXPECT_EQ(Matern52(1, Vector{{1}}).family().name, "matern52");
}

TEST(Stationary, ParametersEndUpWhereTheirNamesSay) {
  const Rbf kernel(1, Vector{{1, 1}});
  const auto moved = std::dynamic_pointer_cast<const Stationary>(kernel.with_log_parameters(Vector{{0, 1, 2}}));
  ASSERT_NE(moved, nullptr);
  EXPECT_EQ(moved->family().name, "rbf");
  EXPECT_NEAR(moved->variance(), 1.0, kRounding);
  EXPECT_NEAR(moved->lengthscale()[0], 2.7182818284590452354, kRounding * 3);
  EXPECT_NEAR(moved->lengthscale()[1], 7.3890560989306502272, kRounding * 8);
}

TEST(Stationary, RefusesWhatIsNotPositive) {
  expect_refusal([] { Rbf(0, Vector{{1}}); }, {"variance: is 0, expected a finite number > 0"});
  expect_refusal([] { Matern12(-1, Vector{{1}}); }, {"variance: is -1, expected a finite number > 0"});
  expect_refusal([] { Matern32(kNan, Vector{{1}}); }, {"variance: is nan, expected a finite number > 0"});
  expect_refusal([] { Matern52(kInf, Vector{{1}}); }, {"variance: is inf, expected a finite number > 0"});
  expect_refusal([] { Rbf(1, Vector{{1, 0}}); }, {"lengthscale: row 1 is 0, expected a finite number > 0"});
  expect_refusal([] { Matern12(1, Vector{{-2, 0}}); }, {"lengthscale: row 0 is -2, expected a finite number > 0"});
  expect_refusal([] { Matern32(1, Vector{{1, 1, kNan}}); }, {"lengthscale: row 2 is nan, expected a finite"});
  expect_refusal([] { Matern52(1, Vector{{kInf}}); }, {"lengthscale: row 0 is inf, expected a finite"});
  expect_refusal([] { Rbf(1, Vector()); }, {"lengthscale: is empty, expected at least one"});
}

}  // namespace
}  // namespace iqbo::test
