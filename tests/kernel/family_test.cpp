#include "iqbo/kernel/family.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/bessel.hpp>
#include <cmath>

#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

double on_line(const Kernel& kernel, double t) { return kernel.gram(Inputs({{0.0}}), Inputs({{t}}))(0, 0); }

// Oracle: the mean of exp(-u r^2 / (2 alpha)) over u ~ Gamma(alpha, 1), by quadrature over log u.
double mean_over_gamma(double alpha, double r) {
  const auto integrand = [&](const Real& v) -> Real {
    return std::exp(alpha * v - std::exp(v) * (1 + r * r / (2 * static_cast<Real>(alpha))));
  };
  return static_cast<double>(integrate(integrand, -80 / static_cast<Real>(alpha), 6, 400) /
                             std::tgamma(static_cast<Real>(alpha)));
}

TEST(RationalQuadratic, IsAMeanOfRbfs) {
  for (const double alpha : {0.5, 1.0, 3.2})
    for (const double r : {0.0, 0.1, 1.0, 4.0, 50.0})
      EXPECT_NEAR(on_line(RationalQuadratic(1.0, Vector{{2.0}}, alpha), 2.0 * r), mean_over_gamma(alpha, r), 1e-11)
          << alpha << " at " << r;
}

TEST(RationalQuadratic, TendsToAnRbf) {
  const RationalQuadratic kernel(1.3, Vector{{0.7}}, 1e9);
  for (const double t : {0.0, 0.3, 1.0, 2.0})
    EXPECT_NEAR(on_line(kernel, t), on_line(Rbf(1.3, Vector{{0.7}}), t), 1e-8);
}

TEST(RationalQuadratic, FarTailsKeepTheirDigits) {
  // (r^2 / (2 alpha))^-alpha with alpha = 1/2 is 1 / r.
  for (const double r : {1e6, 1e20, 1e60})
    EXPECT_NEAR(on_line(RationalQuadratic(1.0, Vector{{1.0}}, 0.5), r) * r, 1.0, 1e-11);
}

// Oracle: the Fourier series, with Bessel functions of boost.
double by_series(double lengthscale, double period, double t) {
  const long double z = 1.0L / (static_cast<long double>(lengthscale) * lengthscale);
  long double sum = boost::math::cyl_bessel_i(0, z);
  for (int k = 1; k < 60; ++k) sum += 2 * boost::math::cyl_bessel_i(k, z) * std::cos(2 * M_PIl * k * t / period);
  return static_cast<double>(std::exp(-z) * sum);
}

TEST(Periodic, IsItsFourierSeries) {
  for (const double lengthscale : {0.4, 1.0, 3.0})
    for (const double t : {0.0, 0.1, 0.6, 1.3, 7.7})
      EXPECT_NEAR(on_line(Periodic(1.0, Vector{{lengthscale}}, Vector{{1.7}}), t), by_series(lengthscale, 1.7, t),
                  kRounding)
          << lengthscale << " at " << t;
}

TEST(Periodic, RepeatsItself) {
  const Periodic kernel(2.0, Vector{{0.8, 1.2}}, Vector{{3.0, 0.25}});
  const Inputs x({{0.4, 0.1}});
  EXPECT_NEAR(kernel.gram(x, Inputs({{3.4, -0.4}}))(0, 0), 2.0, 2.0 * kRounding);
  EXPECT_NEAR(kernel.gram(x, Inputs({{1.9, 0.1}}))(0, 0), 2.0 * std::exp(-2.0 / 0.64), kRounding);
}

TEST(Families, KernelsSayWhatTheyAre) {
  EXPECT_EQ(RationalQuadratic(1.0, Vector{{0.5, 2.0}}, 3.0).description(),
            "RationalQuadratic(variance=1, lengthscale=[0.5, 2], alpha=3)");
  EXPECT_EQ(Periodic(2.0, Vector{{0.5}}, Vector{{12.0}}).description(),
            "Periodic(variance=2, lengthscale=0.5, period=12)");
  EXPECT_EQ(RationalQuadratic(1.0, Vector{{0.5, 2.0}}, 3.0).parameter_names(),
            (std::vector<std::string>{"variance", "lengthscale[0]", "lengthscale[1]", "alpha"}));
  const Product product(
      {{Periodic(2.0, Vector{{0.5}}, Vector{{12.0}}), {2}}, {RationalQuadratic(1.0, Vector{{0.5, 2.0}}, 3.0), {1, 0}}});
  EXPECT_EQ(product.parameter_names(), (std::vector<std::string>{"variance", "lengthscale[2]", "period[2]",
                                                                 "lengthscale[1]", "lengthscale[0]", "alpha[1]"}));
}

TEST(Families, RefuseWhatDoesNotFit) {
  expect_refusal([] { Stationary("rfb", 1.0, Vector{{1.0}}); }, {"family: is \"rfb\"", "\"rbf\" (one of"});
  expect_refusal([] { Stationary("periodic", 1.0, Vector{{1.0}}); }, {"shape of Periodic: 0 rows, expected 1"});
  expect_refusal([] { Stationary("rbf", 1.0, Vector{{1.0}}, Vector{{1.0}}); }, {"shape of Rbf: 1 rows, expected 0"});
  expect_refusal([] { Periodic(1.0, Vector{{1.0, 1.0}}, Vector{{1.0, -2.0}}); }, {"period[1]: is -2"});
  expect_refusal([] { RationalQuadratic(1.0, Vector{{1.0}}, 0.001); }, {"alpha: is 0.001", "at least 0.01"});
  expect_refusal([] { Stationary(1.0, nullptr); }, {"part: is a null pointer"});
}

// exp(-r^4), which is no covariance function, but a family all the same; without a mixture.
class QuarticPart final : public RadialPart {
 public:
  using RadialPart::RadialPart;

 private:
  void correlate(Batch r2) const override { r2 = (-r2.square()).exp(); }
  void steepness(Batch r2) const override { r2 = 4.0 * r2 * (-r2.square()).exp(); }
};

TEST(Families, AreRegisteredOnce) {
  register_family({.name = "quartic", .class_name = "Quartic", .words = "quartic", .make = make_part<QuarticPart>});
  EXPECT_EQ(family_names().back(), "quartic");
  EXPECT_NEAR(on_line(Stationary("quartic", 2.0, Vector{{0.5}}), 0.5), 2.0 * std::exp(-1.0), kRounding);
  expect_refusal(
      [] { register_family({.name = "quartic", .class_name = "", .words = "", .make = make_part<QuarticPart>}); },
      {"family: is \"quartic\"", "not taken"});
  expect_refusal([] { register_family({.name = "", .class_name = "", .words = "", .make = make_part<QuarticPart>}); },
                 {"a name that is not taken"});
  expect_refusal([] { register_family({.name = "none", .class_name = "", .words = "", .make = nullptr}); },
                 {"\"none\" has no make"});
}

}  // namespace
}  // namespace iqbo::test
