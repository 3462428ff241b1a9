// Gaussian and uniform windows under an RBF kernel, against quadrature in long double, far into the tails.
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>

#include "iqbo/average/expectation.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::Real;

// One coordinate of a window: normal with this sd, or uniform with this half-width, or a point.
struct Window {
  double centre = 0.0;
  double sd = 0.0;
  double half_width = 0.0;
};

Real rbf(const Real& t) { return std::exp(-t * t / 2); }

// E rbf(delta + T), T of the given window about 0, by integrating over T where the product is not negligible.
Real averaged(const std::function<Real(const Real&)>& f, const Window& window, double shift) {
  if (window.sd > 0) {
    const Real s = window.sd;
    // rbf(t + shift) times the normal density is largest at t0, with the combined width w0.
    const Real w0 = std::sqrt(1 / (1 + 1 / (s * s)));
    const Real t0 = -Real(shift) * s * s / (1 + s * s);
    const auto integrand = [&](const Real& t) { return Real(f(t + shift) * rbf(t / s)); };
    const Real root_two_pi = std::sqrt(8 * std::atan(Real(1)));
    return test::integrate(integrand, t0 - 16 * w0, t0 + 16 * w0, 24) / (s * root_two_pi);
  }
  if (window.half_width > 0) {
    // Only the 45 lengthscales next to the kernel's centre matter.
    const Real h = window.half_width;
    const Real nearest = std::clamp<Real>(-Real(shift), -h, h);
    const Real lower = std::max<Real>(-h, nearest - 45);
    const Real upper = std::min<Real>(h, nearest + 45);
    const int panels = 1 + static_cast<int>(2 * (upper - lower));
    return test::integrate([&](const Real& t) { return f(t + shift); }, lower, upper, panels) / (2 * h);
  }
  return f(shift);
}

// E k(X, Y) in 1-D, lengthscale 1, one integral inside another. Only one of the windows may be normal.
Real oracle(const Window& x, const Window& y) {
  const Window& outer = x.sd > 0 ? y : x;
  const Window& inner = x.sd > 0 ? x : y;
  return averaged([&](const Real& t) { return averaged(rbf, inner, static_cast<double>(t)); }, outer,
                  outer.centre - inner.centre);
}

// Two normal windows: their difference is one.
Real normal_oracle(const Window& x, const Window& y) {
  const Window difference{0.0, std::hypot(x.sd, y.sd), 0.0};
  return averaged(rbf, difference, x.centre - y.centre);
}

SpreadLaws laws(const std::vector<Window>& windows, double lengthscale) {
  const auto n = static_cast<Index>(windows.size());
  SpreadLaws out{Rows(n, 1), Rows(n, 1), Rows(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const auto& window = windows[static_cast<std::size_t>(i)];
    out.centre(i, 0) = lengthscale * window.centre;
    out.sd(i, 0) = lengthscale * window.sd;
    out.half_width(i, 0) = lengthscale * window.half_width;
  }
  return out;
}

void expect_covariance(const Window& x, const Window& y, const Real& want) {
  constexpr double kLengthscale = 0.25;  // a power of two: scaling is then exact
  const double got = expect(Rbf(1.0, Vector{{kLengthscale}}), laws({x}, kLengthscale), laws({y}, kLengthscale))(0, 0);
  const auto expected = static_cast<double>(want);
  if (expected < 1e-300)
    EXPECT_LT(got, 1e-299);
  else
    EXPECT_NEAR(got / expected, 1.0, test::kClosedForm)
        << "centres " << x.centre << ' ' << y.centre << ", sd " << x.sd << ' ' << y.sd << ", half-widths "
        << x.half_width << ' ' << y.half_width;
}

constexpr double kWidths[] = {0.0, 1e-8, 1e-3, 0.4, 1.0, 7.0, 1e3};
constexpr double kGaps[] = {0.0, 1e-6, 0.3, 2.0, 11.0, 36.0, 40.0};

TEST(SpreadExact, GaussianWindowsAtAnyWidthAndDistance) {
  for (const double s : kWidths)
    for (const double r : kWidths)
      for (const double gap : kGaps) {
        const Window x{gap, s, 0.0};
        const Window y{0.0, r, 0.0};
        expect_covariance(x, y, normal_oracle(x, y));
      }
}

TEST(SpreadExact, UniformBoxesAtAnyWidthAndDistance) {
  for (const double w : {0.0, 1e-8, 0.4, 3.0})
    for (const double v : {0.0, 1e-8, 1e-3, 1.0})
      for (const double gap : kGaps) {
        // Boxes overlapping by half of the narrower, and `gap` apart from edge to edge.
        for (const double distance : {0.5 * std::min(w, v) + gap, w + v + gap}) {
          const Window x{distance, 0.0, w};
          const Window y{0.0, 0.0, v};
          expect_covariance(x, y, oracle(x, y));
        }
      }
}

TEST(SpreadExact, BoxOfAThousandLengthscales) {
  for (const double v : {0.0, 1e-8, 0.4})
    for (const double gap : {-1000.0, -3.0, 0.0, 5.0, 30.0}) {
      const Window x{1000.0 + v + gap, 0.0, 1000.0};
      const Window y{0.0, 0.0, v};
      expect_covariance(x, y, oracle(x, y));
    }
}

TEST(SpreadExact, GaussianWindowAgainstBox) {
  for (const double s : {1e-8, 0.3, 2.0})
    for (const double w : {1e-8, 0.3, 2.0})
      for (const double gap : {0.0, 1.0, 9.0}) {
        const Window x{gap, s, 0.0};
        const Window y{0.0, 0.0, w};
        expect_covariance(x, y, oracle(x, y));
        expect_covariance(y, x, oracle(x, y));
      }
}

// Independent coordinates and a kernel that is a product over them: a theorem that the code relies on, checked by a
// Gauss rule over all four coordinates of (X, Y) at once.
TEST(SpreadExact, TwoDimensionsAgainstAFourDimensionalRule) {
  const Rbf kernel(1.7, Vector{{0.6, 1.1}});
  const SpreadLaws x{Rows{{0.2, -0.1}}, Rows{{0.0, 0.0}}, Rows{{0.5, 0.7}}};
  const SpreadLaws y{Rows{{-0.3, 0.9}}, Rows{{0.0, 0.0}}, Rows{{0.4, 0.2}}};
  const auto& node = boost::math::quadrature::gauss<double, 20>::abscissa();
  const auto& weight = boost::math::quadrature::gauss<double, 20>::weights();
  std::vector<double> t, w;
  for (std::size_t i = 0; i < node.size(); ++i)
    for (const double sign : {-1.0, 1.0}) {
      t.push_back(sign * node[i]);
      w.push_back(0.5 * weight[i]);
    }
  double want = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i)
    for (std::size_t j = 0; j < t.size(); ++j)
      for (std::size_t p = 0; p < t.size(); ++p)
        for (std::size_t q = 0; q < t.size(); ++q) {
          const double u =
              (x.centre(0, 0) + x.half_width(0, 0) * t[i] - y.centre(0, 0) - y.half_width(0, 0) * t[p]) / 0.6;
          const double v =
              (x.centre(0, 1) + x.half_width(0, 1) * t[j] - y.centre(0, 1) - y.half_width(0, 1) * t[q]) / 1.1;
          want += w[i] * w[j] * w[p] * w[q] * 1.7 * std::exp(-0.5 * (u * u + v * v));
        }
  EXPECT_NEAR(expect(kernel, x, y)(0, 0), want, 1e-12);
}

// In d dimensions, with everything isotropic and centred, D = X - Y is normal, |D|^2 / var is chi-square, and
// E exp(-|D|^2 / 2) is its moment generating function: (1 + var)^(-d/2), a fact about chi-squares.
TEST(SpreadExact, SixDimensionsByTheChiSquareTransform) {
  for (const double sd : {0.0, 0.1, 1.0, 30.0}) {
    const SpreadLaws x{Rows::Zero(1, 6), Rows::Constant(1, 6, sd), Rows::Zero(1, 6)};
    const double got = expect(Rbf(1.0, Vector::Ones(6)), x, x)(0, 0);
    EXPECT_NEAR(got * std::pow(1.0 + 2.0 * sd * sd, 3.0), 1.0, test::kClosedForm);
  }
}

}  // namespace
}  // namespace iqbo
