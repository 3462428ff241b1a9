#include "noisy_cut.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "normal.hpp"

namespace iqbo::internal {
namespace {

// Under a normal weight the trapezoidal rule errs by exp(-2 pi d / step) = 1e-14, where d = 2.8 / rho, in units of e,
// is the distance to the nearest zero of Phi in the complex plane. The weight beyond 8 is 1e-15.
constexpr int kHalf = 16;
constexpr double kStep = 0.5;

const std::array<double, kHalf + 1>& weights() {
  static const auto table = [] {
    std::array<double, kHalf + 1> weight{};
    for (int i = 0; i <= kHalf; ++i) {
      const double e = kStep * i;
      weight[static_cast<std::size_t>(i)] =
          kStep * std::exp(-0.5 * e * e) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    }
    return weight;
  }();
  return table;
}

struct Averages {
  double kappa = 0;
  double kappa_slope = 0;
  double gap = 0;
};

Averages averages(double centre, double rho) {
  Averages sum;
  for (int i = -kHalf; i <= kHalf; ++i) {
    const CutNormal cut = cut_normal(centre + rho * kStep * i);
    const double weight = weights()[static_cast<std::size_t>(std::abs(i))];
    sum.kappa += weight * cut.kappa;
    sum.kappa_slope += weight * (cut.gap * cut.kappa - 0.5 * cut.gap2);
    sum.gap += weight * cut.gap;
  }
  return sum;
}

// Below kFaint the difference of the two terms loses more digits than treating w given N <= t as normal, which costs
// rho^6 skewness^2 / 12: then var(w) falls from 1 to 1 - x, x = rho^2 lam gap, and the drop is -log(1 - x) / 2.
constexpr double kFaint = 0.01;

NoisyDrop faint(double t, const CutNormal& cut, double rho, double s) {
  const double reduction = cut.lam * cut.gap;
  const double remainder = t > 0 ? 1 - reduction : cut.gap2 - cut.gap * cut.gap;  // var(N | N <= t)
  const double x = rho * rho * reduction;
  const double series = 1 + x * (1.0 / 2 + x * (1.0 / 3 + x / 4));  // -log(1 - x) / x
  const double x_slope = 1 / ((1 - x) * series);                    // d log drop / d log x
  return {2 * std::log(rho) - std::numbers::ln2 + cut.log_lam + std::log(cut.gap * series),
          x_slope * (remainder / cut.gap - cut.gap), -2 * s / (rho * rho) * x_slope};
}

}  // namespace

NoisyDrop noisy_drop(double t, double rho, double s) {
  if (rho == 0) return {-std::numeric_limits<double>::infinity(), 0, 0};
  const CutNormal cut = cut_normal(t);
  if (rho < kFaint) return faint(t, cut, rho, s);
  const Averages mean = averages(s * t, rho);
  const double rest = cut.kappa - s * mean.kappa;  // drop / lam
  const double kappa_slope = cut.gap * cut.kappa - 0.5 * cut.gap2;
  return {cut.log_lam + std::log(rest), (kappa_slope - s * s * mean.kappa_slope) / rest - cut.gap, -mean.gap / rest};
}

}  // namespace iqbo::internal
