// Matern kernels averaged under windows, against quadrature that knows the kernel only by its Bessel form.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "iqbo/average/expectation.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/oracle.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using Kronrod = boost::math::quadrature::gauss_kronrod<double, 31>;

struct Case {
  std::string_view family;
  double nu;
};
constexpr Case kCases[] = {{"matern12", 0.5}, {"matern32", 1.5}, {"matern52", 2.5}};

double matern(double nu, double r) {
  if (r < 1e-12) return 1.0;
  const double s = std::sqrt(2.0 * nu) * r;
  if (s > 600.0) return 0.0;
  return std::pow(2.0, 1.0 - nu) / boost::math::tgamma(nu) * std::pow(s, nu) * boost::math::cyl_bessel_k(nu, s);
}

double normal_density(double t, double sd) { return std::exp(-0.5 * t * t / (sd * sd)) / (sd * std::sqrt(2.0 * M_PI)); }

// The integral of f, which is analytic on both sides of 0 and varies there on the scale `near`, over `centre` +- 10
// widths.
double integrate_line(const std::function<double(double)>& f, double centre, double width, double near) {
  std::vector<double> cuts;
  for (int i = -5; i <= 5; ++i) cuts.push_back(centre + 2 * i * width);
  for (const double t : {-30.0, -8.0, -2.0, 0.0, 2.0, 8.0, 30.0})
    if (std::abs(near * t - centre) < 10 * width) cuts.push_back(near * t);
  std::sort(cuts.begin(), cuts.end());
  test::Real sum = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    sum +=
        test::integrate([&](test::Real t) { return test::Real(f(static_cast<double>(t))); }, cuts[i], cuts[i + 1], 1);
  return static_cast<double>(sum);
}

SpreadLaws window(const Rows& centre, double sd, double half_width) {
  return {centre, Rows::Constant(centre.rows(), centre.cols(), sd),
          Rows::Constant(centre.rows(), centre.cols(), half_width)};
}

TEST(SpreadMatern, GaussianWindowsInOneDimension) {
  for (const auto& [family, nu] : kCases)
    for (const double sd : {1e-8, 1e-4, 0.05, 0.5, 3.0, 200.0})
      for (const double delta : {0.0, 1e-5, 0.2, 2.0, 15.0}) {
        const Stationary kernel(family, 2.0, Vector{{0.5}});
        const double got = expect(kernel, window(Rows{{delta}}, sd, 0.0), Inputs({{0.0}}))(0, 0);
        const double want =
            2.0 * integrate_line(
                      [&, nu = nu](double t) { return matern(nu, std::abs(t) / 0.5) * normal_density(t - delta, sd); },
                      delta, sd, 0.5);
        EXPECT_NEAR(got, want, 2.0 * test::kMaternAverage) << "nu " << nu << " sd " << sd << " delta " << delta;
      }
}

TEST(SpreadMatern, BoxesInOneDimension) {
  for (const auto& [family, nu] : kCases)
    for (const double w : {1e-8, 0.1, 2.0})
      for (const double delta : {0.0, 0.15, 3.0}) {
        const Stationary kernel(family, 1.0, Vector{{0.5}});
        const double got = expect(kernel, window(Rows{{delta}}, 0.0, w), Inputs({{0.0}}))(0, 0);
        const auto k = [&, nu = nu](double t) { return std::abs(t) < w ? matern(nu, std::abs(delta + t) / 0.5) : 0.0; };
        std::vector<double> cuts{-w, w};
        if (delta < w) cuts.push_back(-delta);  // the kink
        std::sort(cuts.begin(), cuts.end());
        test::Real sum = 0;
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
          sum += test::integrate([&](test::Real t) { return test::Real(k(static_cast<double>(t))); }, cuts[i],
                                 cuts[i + 1], 4);
        const double want = static_cast<double>(sum) / (2.0 * w);
        EXPECT_NEAR(got, want, test::kMaternAverage) << "nu " << nu << " w " << w << " delta " << delta;
      }
}

// Isotropic and centred in d dimensions: |D|^2 / var is chi-square with d degrees of freedom.
TEST(SpreadMatern, AnyDimensionByTheChiSquareDensity) {
  for (const auto& [family, nu] : kCases)
    for (const int d : {2, 3, 4, 6})
      for (const double sd : {1e-6, 0.3, 2.0}) {
        const Stationary kernel(family, 1.0, Vector::Constant(d, 0.7));
        const SpreadLaws laws = window(Rows::Zero(1, d), sd, 0.0);
        const boost::math::chi_squared chi(d);
        const double spread = std::sqrt(2.0) * sd;
        const auto integrand = [&, nu = nu](double r) {
          return matern(nu, r * spread / 0.7) * boost::math::pdf(chi, r * r) * 2.0 * r;
        };
        const double want =
            Kronrod::integrate(integrand, 0.0, 3.0, 5, 1e-12) + Kronrod::integrate(integrand, 3.0, 14.0, 5, 1e-12);
        EXPECT_NEAR(expect(kernel, laws, laws)(0, 0), want, test::kMaternAverage) << "nu " << nu << " d " << d;
        EXPECT_NEAR(expect_diagonal(kernel, laws)[0], want, test::kMaternAverage) << "nu " << nu << " d " << d;
      }
}

TEST(SpreadMatern, OffCentreInTwoDimensions) {
  for (const auto& [family, nu] : kCases) {
    const Stationary kernel(family, 1.0, Vector{{0.4, 0.9}});
    const SpreadLaws x{Rows{{0.3, -0.2}}, Rows{{0.3, 0.15}}, Rows::Zero(1, 2)};
    const auto inner = [&, nu = nu](double u) {
      return integrate_line(
                 [&](double v) { return matern(nu, std::hypot(u / 0.4, v / 0.9)) * normal_density(v + 0.2, 0.15); },
                 -0.2, 0.15, 0.9 * std::abs(u)) *
             normal_density(u - 0.3, 0.3);
    };
    // The kink at 0 is only a point in the plane; 1e-8 is what the nested rule resolves of it.
    EXPECT_NEAR(expect(kernel, x, Inputs({{0.0, 0.0}}))(0, 0), integrate_line(inner, 0.3, 0.3, 0.1), 1e-8) << nu;
  }
}

TEST(SpreadMatern, WithoutWidthItIsTheKernelItself) {
  for (const auto& [family, nu] : kCases) {
    const Stationary kernel(family, 1.3, Vector{{0.4, 0.9}});
    const Inputs x({{0.1, 0.2}, {0.1, 0.2}, {0.9, 0.3}});
    const Matrix got = expect(kernel, window(x.coordinates(), 0.0, 0.0), window(x.coordinates(), 0.0, 0.0));
    EXPECT_LT((got - kernel.gram(x)).cwiseAbs().maxCoeff(), test::kRounding);
  }
}

TEST(SpreadMatern, ProductOverColumnGroupsFactorises) {
  const Product kernel({{Matern32(2.0, Vector{{0.4}}), {1}}, {Rbf(1.5, Vector{{0.8}}), {0}}});
  const SpreadLaws x{Rows{{0.1, 0.5}}, Rows{{0.2, 0.1}}, Rows{{0.0, 0.3}}};
  const SpreadLaws y{Rows{{0.4, 0.2}}, Rows{{0.1, 0.0}}, Rows{{0.1, 0.0}}};
  const auto column = [](const SpreadLaws& laws, Index c) {
    return SpreadLaws{laws.centre.col(c), laws.sd.col(c), laws.half_width.col(c)};
  };
  const double want = 3.0 * expect(Matern32(1.0, Vector{{0.4}}), column(x, 1), column(y, 1))(0, 0) *
                      expect(Rbf(1.0, Vector{{0.8}}), column(x, 0), column(y, 0))(0, 0);
  EXPECT_NEAR(expect(kernel, x, y)(0, 0), want, test::kRounding);
}

}  // namespace
}  // namespace iqbo
