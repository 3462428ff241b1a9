// Rational quadratic and periodic kernels averaged under windows of several coordinates, against quadrature that knows only
// their formulas. Along one coordinate the contract of kernels does the same.
#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/average/expectation.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::Real;

// E h(t) for t = centre + sd N + half_width U, one of the two widths being 0.
Real average(const std::function<Real(const Real&)>& h, Real centre, Real sd, Real half_width) {
  if (sd == 0) return test::integrate(h, centre - half_width, centre + half_width, 6) / (2 * half_width);
  const auto weighted = [&](const Real& t) -> Real {
    const Real u = (t - centre) / sd;
    return h(t) * std::exp(-u * u / 2) / (sd * std::sqrt(2 * M_PIl));
  };
  return test::integrate(weighted, centre - 9 * sd, centre + 9 * sd, 8);
}

// Of k(x, 0) over a window of two coordinates.
double in_plane(const std::function<Real(Real, Real)>& k, const SpreadLaws& p) {
  return static_cast<double>(average(
      [&](const Real& u) {
        return average([&](const Real& v) { return k(u, v); }, p.centre(0, 1), p.sd(0, 1), p.half_width(0, 1));
      },
      p.centre(0, 0), p.sd(0, 0), p.half_width(0, 0)));
}

std::vector<SpreadLaws> windows() {
  return {{Rows{{0.3, -0.2}}, Rows{{0.3, 0.5}}, Rows{{0.0, 0.0}}},
          {Rows{{0.3, -0.2}}, Rows{{0.0, 0.0}}, Rows{{0.4, 0.9}}},
          {Rows{{-1.1, 0.6}}, Rows{{0.0, 0.2}}, Rows{{0.7, 0.0}}}};
}

TEST(SpreadFamilies, RationalQuadraticInThePlane) {
  for (const double alpha : {0.3, 1.0, 6.0})
    for (const SpreadLaws& p : windows()) {
      const RationalQuadratic kernel(1.4, Vector{{0.5, 0.8}}, alpha);
      const auto k = [&](Real u, Real v) -> Real {
        const Real r2 = u * u / (0.5L * 0.5L) + v * v / (0.8L * 0.8L);
        return 1.4L * std::pow(1 + r2 / (2 * static_cast<Real>(alpha)), -static_cast<Real>(alpha));
      };
      EXPECT_NEAR(expect(kernel, p, Inputs({{0.0, 0.0}}))(0, 0), in_plane(k, p), 1.4 * test::kMaternAverage) << alpha;
    }
}

TEST(SpreadFamilies, PeriodicInThePlane) {
  for (const SpreadLaws& p : windows()) {
    const Periodic kernel(1.4, Vector{{0.6, 1.3}}, Vector{{1.1, 0.7}});
    const auto phi = [](Real t, Real l, Real period) {
      const Real s = std::sin(M_PIl * t / period);
      return std::exp(-2 * s * s / (l * l));
    };
    const auto k = [&](Real u, Real v) -> Real { return 1.4L * phi(u, 0.6L, 1.1L) * phi(v, 1.3L, 0.7L); };
    EXPECT_NEAR(expect(kernel, p, Inputs({{0.0, 0.0}}))(0, 0), in_plane(k, p), 1.4 * test::kMaternAverage);
  }
}

// Wide windows see the mean of a periodic function: exp(-z) I_0(z) with z = 1 / l^2; at l = 1 that is 0.46575960759364.
TEST(SpreadFamilies, WideWindowsSeeTheMeanOfAPeriod) {
  const Periodic kernel(1.0, Vector{{1.0}}, Vector{{0.3}});
  const SpreadLaws wide{Rows{{0.1}}, Rows{{50.0}}, Rows{{0.0}}};
  EXPECT_NEAR(expect(kernel, wide, Inputs({{0.0}}))(0, 0), 0.46575960759364, 1e-13);
}

// A box of one period sees the same, wherever it lies; so does one that is clipped there.
TEST(SpreadFamilies, OnePeriodIsOnePeriod) {
  const Periodic kernel(1.0, Vector{{1.0}}, Vector{{0.3}});
  for (const double centre : {0.0, 0.07, 5.0}) {
    const SpreadLaws box{Rows{{centre}}, Rows{{0.0}}, Rows{{0.15}}};
    EXPECT_NEAR(expect(kernel, box, Inputs({{0.0}}))(0, 0), 0.46575960759364, 1e-13);
  }
}

// Seconds since 1970: only differences matter, also of long series.
TEST(SpreadFamilies, FarFromTheOriginNothingIsLost) {
  const Periodic kernel(1.0, Vector{{0.2}}, Vector{{0.3}});
  const SpreadLaws near{Rows{{0.125}}, Rows{{0.03}}, Rows{{0.0}}};
  const SpreadLaws far{Rows{{0x1p30 + 0.125}}, Rows{{0.03}}, Rows{{0.0}}};
  EXPECT_NEAR(expect(kernel, far, Inputs({{0x1p30}}))(0, 0), expect(kernel, near, Inputs({{0.0}}))(0, 0),
              test::kRounding);
}

TEST(SpreadFamilies, TooNarrowAPeriodicKernelIsRefusedUnderWindowsOnly) {
  const Periodic kernel(1.0, Vector{{1e-4}}, Vector{{1.0}});
  const SpreadLaws window{Rows{{0.1}}, Rows{{0.1}}, Rows{{0.0}}};
  EXPECT_EQ(kernel.gram(Inputs({{0.0}}))(0, 0), 1.0);
  test::expect_refusal([&] { expect(kernel, window, window); }, {"lengthscale", "row 0 is 1e-04", "at least 0.001"});
}

// Grids of windows, which are tabulated axis by axis, are the averages pair by pair.
TEST(SpreadFamilies, GridsOfWindowsAreTheirPairs) {
  SpreadLaws grid{Rows(36, 2), Rows::Constant(36, 2, 0.1), Rows::Constant(36, 2, 0.05)};
  for (Index i = 0; i < 36; ++i)
    grid.centre.row(i) << 0.2 * static_cast<double>(i % 6), 0.3 * static_cast<double>(i / 6);
  const Sum kernel(Periodic(1.0, Vector{{0.6, 1.3}}, Vector{{1.1, 0.7}}),
                   RationalQuadratic(0.5, Vector{{0.4, 0.3}}, 0.8));
  const Matrix all = expect(kernel, grid, grid);
  for (const Index i : {0, 7, 35})
    for (const Index j : {0, 8, 21}) {
      const auto row = [&](Index r) { return SpreadLaws{grid.centre.row(r), grid.sd.row(r), grid.half_width.row(r)}; };
      EXPECT_NEAR(all(i, j), expect(kernel, row(i), row(j))(0, 0), 1e-12);
    }
}

// A window cut off by a box, against the integral over what is left of it.
TEST(SpreadFamilies, TruncatedWindows) {
  const InputBox box(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}});
  const TruncatedConditional cut(GaussianConditional(QueryMap::identity(2), 0.3), box, Truncation::kRenormalise);
  const Queries a({{0.1, 0.8}});
  const auto density = [](Real t, Real centre) { return std::exp(-(t - centre) * (t - centre) / (2 * 0.09L)); };
  const auto over_box = [&](const std::function<Real(Real, Real)>& h) {
    return test::integrate(
        [&](const Real& u) {
          return test::integrate([&](const Real& v) { return h(u, v) * density(u, 0.1L) * density(v, 0.8L); }, 0, 1, 4);
        },
        0, 1, 4);
  };
  const Real mass = over_box([](Real, Real) -> Real { return 1; });
  const Periodic periodic(1.0, Vector{{1.4, 2.0}}, Vector{{2.2, 1.7}});
  const RationalQuadratic quadratic(1.0, Vector{{1.0, 1.2}}, 1.5);
  for (const Kernel* kernel : {static_cast<const Kernel*>(&periodic), static_cast<const Kernel*>(&quadratic)}) {
    const auto k = [&](Real u, Real v) -> Real {
      return kernel->gram(Inputs({{static_cast<double>(u), static_cast<double>(v)}}), Inputs({{0.4, 0.3}}))(0, 0);
    };
    EXPECT_NEAR(cut.c(*kernel, Inputs({{0.4, 0.3}}), a)(0, 0), static_cast<double>(over_box(k) / mass), 1e-7);
  }
}

}  // namespace
}  // namespace iqbo
