#include "numerics/normal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "support/finite_difference.hpp"
#include "support/tolerance.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kPromised = 1e-13;  // of h and log h
constexpr double kParts = 1e-11;     // of what they are made of

// Oracle: the definitions, in 100 digits, of which cancellation leaves 85 at -100. Beyond +-100, where erfc and phi
// underflow even in a Big, Laplace's fraction, R = Phi(-x) / phi(x) = 1/(x + 1/(x + 2/(x + ...))), backwards.
using Big = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

Big mills_ratio(const Big& x) {
  Big tail = 0;
  for (int k = 40; k > 0; --k) tail = k / (x + tail);
  return 1 / (x + tail);
}

struct Oracle {
  Big lam, log_lam, log_cdf, gap, gap2, kappa, log_h, log_improvement;

  explicit Oracle(double at) {
    const Big t = at;
    const Big root = sqrt(Big(2));
    const Big log_phi = -t * t / 2 - log(2 * boost::math::constants::pi<Big>()) / 2;
    if (at < -100)
      log_cdf = log_phi + log(mills_ratio(-t));
    else if (at < 0)
      log_cdf = log(boost::math::erfc(-t / root) / 2);
    else
      log_cdf = boost::math::log1p(Big(at > 100 ? -exp(log_phi) / t : -boost::math::erfc(t / root) / 2));
    log_lam = log_phi - log_cdf;
    lam = exp(log_lam);
    gap = lam + t;
    gap2 = 1 + t * gap;
    kappa = t / 2 + (at > 100 ? mills_ratio(t) : Big(-log_cdf / lam));
    log_h = log_lam + log(kappa);
    log_improvement = log_cdf + log(gap);
  }
};

double error(double got, const Big& want, const Big& unit) { return static_cast<double>(abs((got - want) / unit)); }
double relative(double got, const Big& want) { return error(got, want, want); }
double mixed(double got, const Big& want) { return error(got, want, abs(want) > 1 ? Big(abs(want)) : Big(1)); }

// Dense where something changes, then by powers of ten.
std::vector<double> sweep() {
  std::vector<double> all;
  for (double t = -60; t <= 60; t += 0.125) all.push_back(t);
  for (double t = 100; t <= 1e8; t *= 1.7) all.insert(all.end(), {-t, t});
  all.insert(all.end(),
             {-1e8, 1e8, -5, std::nextafter(-5.0, -6.0), 9, std::nextafter(9.0, 8.0), 37.5, -1e-300, 1e-300});
  return all;
}

TEST(Normal, EntropyDropAgreesWithAHundredDigits) {
  for (const double t : sweep()) {
    const Oracle want(t);
    if (t <= 37.5) {
      EXPECT_LT(relative(entropy_drop(t), exp(want.log_h)), kPromised) << t;
    }
    EXPECT_LT(mixed(log_entropy_drop(t), want.log_h), kPromised) << t;
  }
}

TEST(Normal, EntropyDropAgreesWithAHundredDigitsAnywhere) {
  EXPECT_TRUE(rc::check("log-uniform in size, either sign", [] {
    const double size = std::pow(10, 1e-4 * *rc::gen::inRange(-80000, 80000));
    const double t = *rc::gen::element(-size, size);
    const Oracle want(t);
    RC_ASSERT(mixed(log_entropy_drop(t), want.log_h) < kPromised);
    RC_ASSERT(t > 37.5 || relative(entropy_drop(t), exp(want.log_h)) < kPromised);
  }));
}

TEST(Normal, PartsAgreeWithAHundredDigits) {
  for (const double t : sweep()) {
    const Oracle want(t);
    const CutNormal got = cut_normal(t);
    if (t <= 37.5) {
      EXPECT_LT(relative(got.lam, want.lam), kParts) << t;
      EXPECT_LT(relative(mills(t), want.lam), kParts) << t;
      EXPECT_LT(relative(got.log_cdf, want.log_cdf), kParts) << t;
      EXPECT_EQ(got.log_cdf, log_normal_cdf(t)) << t;
    }
    EXPECT_LT(mixed(got.log_lam, want.log_lam), kParts) << t;
    EXPECT_LT(relative(got.gap, want.gap), kParts) << t;
    EXPECT_LT(relative(got.gap2, want.gap2), kParts) << t;
    EXPECT_LT(relative(got.kappa, want.kappa), kParts) << t;
    EXPECT_LT(mixed(log_improvement(t), want.log_improvement), kParts) << t;
  }
}

TEST(Normal, SlopesAreDifferences) {
  const auto slope = [](double (*f)(double), double t) {
    return test::finite_difference([f](const Vector& x) { return f(x[0]); }, Vector{{t}}, 1e-2)[0];
  };
  for (const double t : {-40.0, -12.0, -5.5, -3.0, -0.5, 0.4, 3.0, 8.0, 12.0, 36.0, 200.0}) {
    const double unit = test::kFiniteDifference * std::max(1.0, std::abs(t));
    EXPECT_NEAR(entropy_drop_slope(t), slope(entropy_drop, t), unit) << t;
    EXPECT_NEAR(log_entropy_drop_slope(t), slope(log_entropy_drop, t), unit) << t;
    EXPECT_NEAR(log_improvement_slope(t), slope(log_improvement, t), unit) << t;
  }
}

TEST(Normal, NeverTurnsIntoNaN) {
  for (const double t : {-1e300, -1e160, 1e160, 1e300}) {
    EXPECT_FALSE(std::isnan(entropy_drop(t))) << t;
    EXPECT_FALSE(std::isnan(log_entropy_drop(t))) << t;
    EXPECT_FALSE(std::isnan(log_improvement(t))) << t;
  }
  EXPECT_TRUE(std::isnan(entropy_drop(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace iqbo
