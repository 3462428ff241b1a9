#include "numerics/box_rbf.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kTolerance = 1e-11;        // what the header promises, relative
constexpr double kMomentTolerance = 1e-11;  // likewise, relative to E[|D|^k exp(-D^2/2)]
constexpr double kSlopeTolerance = 1e-11;   // likewise, relative to E[(1 + D^2) exp(-D^2/2)] min(v, 1/v)
constexpr double kSmallest = 1e-300;        // below, only "quietly close to zero" is promised

const std::vector<double> kWidths = {0, 1e-8, 1e-4, 0.01, 0.3, 1, 3, 30, 1e3};

// Oracle. If F'' = f then E[f(delta + w U + v V)] = (F(++) - F(+-) - F(-+) + F(--)) / (4 w v), F at delta +- w +- v.
// In double this loses everything; in 100 digits what it loses (16 from widths of 1e-8, 4 from places near 1e3, none
// from the distance, since F is chosen to die out to the right) leaves 80.
using Big = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

class Oracle {
 public:
  Oracle(double delta, const Big& w, const Big& v) {
    const Big centre = std::abs(delta);
    const Big wide = std::max(w, v);
    const Big narrow = std::min(w, v);
    if (wide == 0) {
      add(centre, 0, 1);
      return;
    }
    const Big scale = narrow == 0 ? 1 / (2 * wide) : 1 / (4 * wide * narrow);
    const int order = narrow == 0 ? 1 : 2;
    add(centre - wide - narrow, order, order == 1 ? -scale : scale);
    add(centre + wide + narrow, order, scale);
    if (order == 1) return;
    add(centre - wide + narrow, order, -scale);
    add(centre + wide - narrow, order, -scale);
  }

  Big zeroth = 0, first = 0, second = 0;
  Big first_abs = 0;  // E[|D| exp(-D^2/2)]

 private:
  // `order`-fold integrals of t^k exp(-t^2/2) and of |t| exp(-t^2/2), at t. Those of the even functions vanish at +inf.
  void add(const Big& t, int order, const Big& scale) {
    static const Big half = sqrt(boost::math::constants::pi<Big>() / 2);
    static const Big root = sqrt(Big(2));
    const Big u = abs(t);
    const Big e = exp(-u * u / 2);
    if (order == 0) {
      zeroth += e;
      first += t * e;
      second += t * t * e;
      first_abs += u * e;
      return;
    }
    const Big q = half * boost::math::erfc(u / root);
    const Big upper = t < 0 ? 2 * half - q : q;
    if (order == 1) {
      zeroth -= scale * upper;
      first -= scale * e;
      second -= scale * (t * e + upper);
      first_abs -= scale * (t < 0 ? 2 - e : e);
      return;
    }
    const Big second_integral = e - t * upper;
    zeroth += scale * second_integral;
    first += scale * upper;
    second += scale * (e + second_integral);
    first_abs += scale * (t < 0 ? q + 2 * u : q);
  }
};

std::string place(double delta, double w, double v) {
  return "delta " + readable(delta) + ", w " + readable(w) + ", v " + readable(v);
}

double error(double got, const Big& want, const Big& unit) { return static_cast<double>(abs((got - want) / unit)); }

void expect_right(double delta, double w, double v) {
  const Oracle want(delta, w, v);
  const BoxRbfMoments got = box_rbf_moments(delta, w, v);
  EXPECT_NEAR(box_rbf(delta, w, v), got.zeroth, 3e-13 * got.zeroth) << place(delta, w, v);
  if (want.zeroth < kSmallest) {
    EXPECT_GE(got.zeroth, 0) << place(delta, w, v);
    EXPECT_LE(got.zeroth, 2 * kSmallest) << place(delta, w, v);
    return;
  }
  EXPECT_LT(error(got.zeroth, want.zeroth, want.zeroth), kTolerance) << place(delta, w, v);
  if (want.first_abs == 0) return;
  const Big first = delta < 0 ? -want.first : want.first;
  EXPECT_LT(error(got.first, first, want.first_abs), kMomentTolerance) << place(delta, w, v);
  EXPECT_LT(error(got.second, want.second, want.second), kMomentTolerance) << place(delta, w, v);
}

// d/dv of the oracle, by its central difference in 100 digits: a step of 1e-20 v errs by 1e-40.
void expect_slope(double delta, double w, double v) {
  const double got = box_rbf_slope(delta, w, v);
  if (v == 0) {
    EXPECT_EQ(got, 0) << place(delta, w, v);
    return;
  }
  const Oracle here(delta, w, v);
  const Big step = v * Big("1e-20");
  const Big want = (Oracle(delta, w, v + step).zeroth - Oracle(delta, w, v - step).zeroth) / (2 * step);
  if (here.zeroth < kSmallest) {
    EXPECT_LE(std::abs(got), 1e3 * kSmallest) << place(delta, w, v);
    return;
  }
  EXPECT_LT(error(got, want, (here.zeroth + here.second) * std::min(v, 1 / v)), kSlopeTolerance) << place(delta, w, v);
}

// Same centre, nested with touching edges, half overlapping, touching outside, and apart by up to 40.
std::vector<double> separations(double w, double v) {
  const double inner = std::abs(w - v);
  std::vector<double> all = {0, inner / 2, inner, std::max(w, v), w + v};
  for (const double gap : {1e-8, 1e-3, 0.7, 5.0, 9.0, 11.0, 24.0, 36.0, 40.0}) all.push_back(w + v + gap);
  return all;
}

TEST(BoxRbf, AgreesWithAHundredDigitsOnAGrid) {
  for (std::size_t i = 0; i < kWidths.size(); ++i)
    for (std::size_t j = i; j < kWidths.size(); ++j)
      for (const double delta : separations(kWidths[i], kWidths[j])) expect_right(delta, kWidths[j], kWidths[i]);
}

TEST(BoxRbf, SlopeAgreesWithAHundredDigitsOnAGrid) {
  for (const double w : {0.0, 1e-8, 0.3, 1e3})
    for (const double v : {0.0, 1e-8, 1.0, 30.0})
      for (const double delta : separations(w, v)) expect_slope(delta, w, v);
}

// Widths and gaps drawn about the places where the source changes from one rule to the next.
TEST(BoxRbf, AgreesWithAHundredDigitsBetweenItsRegimes) {
  std::mt19937_64 engine(20240607);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 600; ++i) {
    const double w = std::pow(10, -2 + 3 * uniform(engine));
    const double v = std::pow(10, -2 + 3 * uniform(engine));
    const double delta = i % 2 == 0 ? (w + v) * uniform(engine) : w + v + 37 * std::pow(uniform(engine), 2);
    expect_right(i % 3 == 0 ? -delta : delta, w, v);
    if (i < 60) expect_slope(i % 3 == 0 ? -delta : delta, w, v);
  }
}

// The scale 1e-4 steps shrink towards the plainest failing case.
TEST(BoxRbf, AgreesWithAHundredDigitsAnywhere) {
  EXPECT_TRUE(rc::check("log-uniform widths, edges up to 40 apart", [] {
    const auto log_uniform = [] { return std::pow(10, 1e-4 * *rc::gen::inRange(-80000, 30000)); };
    const double w = log_uniform();
    const double v = log_uniform();
    const double place_in_reach = 1e-4 * *rc::gen::inRange(-10000, 10000);
    const double gap = *rc::gen::element(0.0, 1e-3 * *rc::gen::inRange(0, 40000));
    const double delta = std::copysign(std::abs(place_in_reach) * (w + v) + gap, place_in_reach);
    const Oracle want(delta, w, v);
    RC_PRE(want.zeroth > kSmallest);
    RC_ASSERT(error(box_rbf(delta, w, v), want.zeroth, want.zeroth) < kTolerance);
  }));
}

// A second oracle: nested adaptive quadrature of the definition, which knows neither of trapezoids nor of tails.
TEST(BoxRbf, AgreesWithQuadratureOfTheDefinition) {
  using Kronrod = boost::math::quadrature::gauss_kronrod<double, 31>;
  for (const double w : {1e-3, 0.4, 2.5})
    for (const double v : {0.07, 1.3, 6.0})
      for (const double delta : {0.0, 0.9, -2.2, 8.0}) {
        const auto mean = [&](int k) {
          return Kronrod::integrate(
                     [&](double x) {
                       const auto f = [&](double y) {
                         const double d = delta + w * x + v * y;
                         return std::pow(d, k) * std::exp(-d * d / 2);
                       };
                       return Kronrod::integrate(f, -1.0, 1.0, 5, 1e-13);
                     },
                     -1.0, 1.0, 5, 1e-13) /
                 4;
        };
        const auto [zeroth, first, second] = box_rbf_moments(delta, w, v);
        EXPECT_NEAR(zeroth, mean(0), 1e-13) << place(delta, w, v);
        EXPECT_NEAR(first, mean(1), 1e-12) << place(delta, w, v);
        EXPECT_NEAR(second, mean(2), 1e-12) << place(delta, w, v);
      }
}

// Swapping the boxes or mirroring the axis changes nothing, to the last bit.
TEST(BoxRbf, IsSymmetric) {
  for (const double w : kWidths)
    for (const double v : kWidths)
      for (const double delta : {0.0, 0.3, 1.7, 33.0, 1010.0}) {
        const BoxRbfMoments one = box_rbf_moments(delta, w, v);
        for (const auto& other : {box_rbf_moments(-delta, w, v), box_rbf_moments(-delta, v, w)}) {
          EXPECT_EQ(one.zeroth, other.zeroth) << place(delta, w, v);
          EXPECT_EQ(one.first, -other.first) << place(delta, w, v);
          EXPECT_EQ(one.second, other.second) << place(delta, w, v);
        }
      }
}

// A width that no longer matters is as good as none, and two such leave the kernel itself. 1e-170 squared is not even a
// double.
TEST(BoxRbf, NarrowBoxesTendToPoints) {
  for (const double tiny : {1e-10, 1e-170, std::numeric_limits<double>::denorm_min()})
    for (const double delta : {0.0, 0.5, -3.0, 30.0}) {
      EXPECT_NEAR(box_rbf(delta, tiny, tiny) / std::exp(-delta * delta / 2), 1, 1e-13) << delta;
      for (const double w : {0.02, 0.9, 4.0, 500.0})
        EXPECT_NEAR(box_rbf(delta, w, tiny) / box_rbf(delta, w, 0), 1, 1e-13) << place(delta, w, tiny);
    }
}

// d/d delta E[exp(-D^2/2)] = -E[D exp(-D^2/2)], and once more.
TEST(BoxRbf, MomentsAreDerivatives) {
  const double step = 1e-4;
  for (const double w : {1e-3, 0.5, 2.0, 8.0})
    for (const double v : {0.0, 0.2, 3.0})
      for (const double delta : {0.1, 1.1, 4.0, 9.5}) {
        const BoxRbfMoments here = box_rbf_moments(delta, w, v);
        const double up = box_rbf(delta + step, w, v);
        const double down = box_rbf(delta - step, w, v);
        EXPECT_NEAR((down - up) / (2 * step), here.first, 1e-8) << place(delta, w, v);
        const double bend = (up - 2 * here.zeroth + down) / (step * step);
        EXPECT_NEAR(bend, here.second - here.zeroth, 1e-7) << place(delta, w, v);
      }
}

// A box much wider than the kernel sees all of it: sqrt(2 pi) / (2 w), whatever the other does inside.
TEST(BoxRbf, WideBoxesDilute) {
  for (const double v : {0.0, 1e-8, 1.0, 50.0})
    EXPECT_NEAR(box_rbf(3, 1e3, v) * 2e3 / std::sqrt(2 * std::acos(-1.0)), 1, 1e-14) << v;
}

TEST(BoxRbf, FlushesToZeroWithoutATrap) {
  std::feclearexcept(FE_ALL_EXCEPT);
  for (const double w : kWidths)
    for (const double v : kWidths)
      for (const double gap : {37.0, 37.4, 37.6, 38.5, 45.0, 100.0, 1e4, 1e200}) {
        const BoxRbfMoments far = box_rbf_moments(w + v + gap, w, v);
        for (const double value : {far.zeroth, far.first, far.second}) {
          EXPECT_GE(value, 0);
          EXPECT_LT(value, 1e-290);
        }
      }
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
}

}  // namespace
}  // namespace iqbo
