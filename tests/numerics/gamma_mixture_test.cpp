// No oracle here knows of mixtures: each is the Matern kernel in closed form, or adaptive quadrature of it.
#include "numerics/gamma_mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "numerics/box_rbf.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kTolerance = 1e-11;  // what the header promises, absolute, for a kernel of variance one
constexpr double kSmoothness[] = {0.5, 1.5, 2.5};

double matern(double nu, double r) {
  const double s = std::sqrt(2 * nu) * r;
  if (nu == 0.5) return std::exp(-s);
  if (nu == 1.5) return (1 + s) * std::exp(-s);
  return (1 + s + s * s / 3) * std::exp(-s);
}

double at(const ScaleMixture& mixture, const Eigen::ArrayXd& weight, double r) {
  return (weight * (-0.5 * (r / mixture.scale.array()).square()).exp()).sum();
}
double mixture(double nu, double r) { return at(matern_mixture(nu), matern_mixture(nu).weight, r); }

// 20,000 places, far finer than the nodes are spaced, so the error's own ripples are seen. Since a window average is an
// average of this error, the largest value found here bounds the error of every window in every dimension.
TEST(MaternMixture, IsTheKernelAtEveryDistance) {
  for (const double nu : kSmoothness) {
    double worst = 0;
    for (double log10_r = -16; log10_r <= 3; log10_r += 1e-3) {
      const double r = std::pow(10, log10_r);
      worst = std::max(worst, std::abs(mixture(nu, r) - matern(nu, r)));
    }
    EXPECT_LT(worst, kTolerance / 2) << "nu " << nu;
    EXPECT_NEAR(mixture(nu, 0), 1, 1e-15) << "nu " << nu;
  }
}

// Average of M(|offset + s Z|), Z ~ N(0, 1), by quadrature on either side of the kernel's kink and the window's core.
double gaussian_window(double nu, double offset, double s) {
  using Kronrod = boost::math::quadrature::gauss_kronrod<double, 61>;
  const auto integrand = [&](double z) {
    return matern(nu, std::abs(offset + s * z)) * std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
  };
  const double kink = -offset / s;
  std::vector<double> cut = {-12, 12};
  // The kernel may be far narrower than the window, so the grid refines about the kink.
  for (const double reach : {0.0, 0.1, 1.0, 5.0, 40.0})
    for (const double z : {kink - reach / s, kink + reach / s})
      if (std::abs(z) < 12) cut.push_back(z);
  for (const double z : {-4.0, 0.0, 4.0}) cut.push_back(z);
  std::sort(cut.begin(), cut.end());
  double sum = 0;
  for (std::size_t i = 1; i < cut.size(); ++i)
    if (cut[i] > cut[i - 1]) sum += Kronrod::integrate(integrand, cut[i - 1], cut[i], 8, 1e-14);
  return sum;
}

TEST(MaternMixture, AveragesOverAGaussianWindow) {
  for (const double nu : kSmoothness)
    for (const double s : {1e-8, 1e-5, 1e-2, 0.3, 1.0, 4.0, 50.0, 1e3})
      for (const double offset : {0.0, 1e-7, 1e-2, 0.4, 1.5, 6.0, 25.0}) {
        const auto& [scale, weight, weight_slope, scale_slope] = matern_mixture(nu);
        const auto var = scale.array().square() + s * s;
        const double got = (weight.array() * scale.array() / var.sqrt() * (-0.5 * offset * offset / var).exp()).sum();
        EXPECT_NEAR(got, gaussian_window(nu, offset, s), kTolerance)
            << "nu " << nu << ", sd " << s << ", at " << offset;
      }
}

// Two dimensions, sd s1 and s2: quadrature in polar coordinates about the kernel's centre, as it is smooth in r.
double gaussian_window(double nu, double x, double y, double s1, double s2) {
  using Kronrod = boost::math::quadrature::gauss_kronrod<double, 61>;
  const double pi = std::acos(-1.0);
  const auto around = [&](double r) {
    const auto density = [&](double angle) {
      const double a = (x + r * std::cos(angle)) / s1;
      const double b = (y + r * std::sin(angle)) / s2;
      return std::exp(-0.5 * (a * a + b * b)) / (2 * pi * s1 * s2);
    };
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += Kronrod::integrate(density, i * pi / 4, (i + 1) * pi / 4, 4, 1e-13);
    return sum * r * matern(nu, r);
  };
  const double end = std::hypot(x, y) + 10 * std::max(s1, s2);
  double sum = 0;
  for (int i = 0; i < 8; ++i) sum += Kronrod::integrate(around, i * end / 8, (i + 1) * end / 8, 4, 1e-13);
  return sum;
}

TEST(MaternMixture, AveragesOverAGaussianWindowInThePlane) {
  struct Case {
    double x, y, s1, s2;
  };
  for (const double nu : kSmoothness)
    for (const auto& [x, y, s1, s2] : {Case{0, 0, 0.2, 0.5}, Case{0.3, -0.8, 0.4, 0.3}, Case{2, 1, 1.5, 0.7}}) {
      const auto& [scale, weight, weight_slope, scale_slope] = matern_mixture(nu);
      const Vector var1 = scale.array().square() + s1 * s1;
      const Vector var2 = scale.array().square() + s2 * s2;
      const double got = (weight.array() * scale.array().square() / (var1.array() * var2.array()).sqrt() *
                          (-0.5 * (x * x / var1.array() + y * y / var2.array())).exp())
                             .sum();
      EXPECT_NEAR(got, gaussian_window(nu, x, y, s1, s2), kTolerance) << "nu " << nu << ", at " << x << ", " << y;
    }
}

// A point against a box on the line, through box_rbf.
TEST(MaternMixture, AveragesOverBoxes) {
  boost::math::quadrature::tanh_sinh<double> over(10);
  for (const double nu : kSmoothness)
    for (const double w : {1e-6, 0.05, 0.8, 20.0})
      for (const double offset : {0.0, 0.02, 0.8, 3.0}) {
        double got = 0;
        const auto& [scale, weight, weight_slope, scale_slope] = matern_mixture(nu);
        for (Index i = 0; i < scale.size(); ++i) got += weight[i] * box_rbf(offset / scale[i], w / scale[i], 0);
        const auto kernel = [&](double z) { return matern(nu, std::abs(offset + w * z)); };
        const double kink = std::max(-1.0, -offset / w);
        double want = over.integrate(kernel, kink, 1.0, 1e-14);
        if (kink > -1) want += over.integrate(kernel, -1.0, kink, 1e-14);
        EXPECT_NEAR(got, want / 2, kTolerance) << "nu " << nu << ", box " << w << ", at " << offset;
      }
}

// Six dimensions at the centre: E[M(s |Z|)] is a one-dimensional integral over the chi distribution.
TEST(MaternMixture, AveragesInSixDimensions) {
  using Kronrod = boost::math::quadrature::gauss_kronrod<double, 61>;
  for (const double nu : kSmoothness)
    for (const double s : {1e-8, 1e-3, 0.2, 2.0}) {
      const auto& [scale, weight, weight_slope, scale_slope] = matern_mixture(nu);
      const double got =
          (weight.array() * (1 + (s / scale.array()).square()).pow(-3)).sum();  // (l^2 / (l^2 + s^2))^(6/2)
      const auto chi = [&](double r) { return std::pow(r, 5) * std::exp(-r * r / 2) / 8 * matern(nu, s * r); };
      const double want = Kronrod::integrate(chi, 0.0, 4.0, 8, 1e-14) + Kronrod::integrate(chi, 4.0, 14.0, 8, 1e-14);
      EXPECT_NEAR(got, want, kTolerance) << "nu " << nu << ", sd " << s;
    }
}

TEST(MaternMixture, IsAProbabilityOverAscendingScales) {
  for (const double nu : kSmoothness) {
    const auto& [scale, weight, weight_slope, scale_slope] = matern_mixture(nu);
    ASSERT_EQ(scale.size(), weight.size());
    EXPECT_TRUE((weight.array() > 0).all()) << nu;
    EXPECT_NEAR(weight.sum(), 1, 1e-15) << nu;
    for (Index i = 1; i < scale.size(); ++i) EXPECT_LT(scale[i - 1], scale[i]) << nu;
    EXPECT_EQ(&matern_mixture(nu), &matern_mixture(nu));
  }
}

// Every extra node is an extra RBF evaluation in the callers' innermost loop.
TEST(MaternMixture, CostsAsManyNodesAsTheHeaderSays) {
  EXPECT_EQ(matern_mixture(0.5).scale.size(), 87);
  EXPECT_EQ(matern_mixture(1.5).scale.size(), 37);
  EXPECT_EQ(matern_mixture(2.5).scale.size(), 27);
}

TEST(MaternMixture, RefusesOtherSmoothness) {
  for (const double nu : {0.0, 1.0, -0.5, 3.5, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(matern_mixture(nu), std::invalid_argument) << nu;
  try {
    matern_mixture(2);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "nu: is 2, expected 0.5, 1.5 or 2.5");
  }
}

constexpr double kAlphas[] = {0.02, 0.1, 0.5, 1.0, 1.9999, 2.0001, 3.7, 12.0, 150.0, 1e6};

// (1 + r^2 / (2 alpha))^-alpha, in long double.
double rational_quadratic(long double alpha, long double r) {
  return static_cast<double>(std::exp(-alpha * std::log1p(r * r / (2 * alpha))));
}

// Its tail falls as a power of r, and is kept however far it is.
TEST(RationalQuadraticMixture, IsTheKernelAtEveryDistance) {
  for (const double alpha : kAlphas) {
    const ScaleMixture mixture = rational_quadratic_mixture(alpha);
    double worst = 0;
    for (double log10_r = -8; log10_r <= 9; log10_r += 0.01) {
      const double r = std::pow(10, log10_r);
      worst = std::max(worst, std::abs(at(mixture, mixture.weight, r) - rational_quadratic(alpha, r)));
    }
    EXPECT_LT(worst, kTolerance / 2) << "alpha " << alpha;
    EXPECT_NEAR(mixture.weight.sum(), 1.0, 1e-14);
    EXPECT_TRUE((mixture.weight.array() > 0.0).all());
    EXPECT_TRUE(std::is_sorted(mixture.scale.begin(), mixture.scale.end()));
  }
}

TEST(RationalQuadraticMixture, SlopesAreThoseOfTheKernel) {
  for (const double alpha : kAlphas) {
    const ScaleMixture mixture = rational_quadratic_mixture(alpha);
    ASSERT_EQ(mixture.weight_slope.cols(), 1);
    for (const double r : {0.0, 0.01, 0.5, 2.0, 30.0}) {
      const long double step = 1e-4L;
      const double want =
          (rational_quadratic(alpha * std::exp(step), r) - rational_quadratic(alpha * std::exp(-step), r)) /
          static_cast<double>(2 * step);
      EXPECT_NEAR(at(mixture, mixture.weight_slope.col(0), r), want, 1e-8) << "alpha " << alpha << " r " << r;
    }
  }
}

TEST(RationalQuadraticMixture, RefusesWhatIsNotPositive) {
  EXPECT_THROW(rational_quadratic_mixture(0.0), std::invalid_argument);
  EXPECT_THROW(rational_quadratic_mixture(std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace iqbo
