#include "normal.hpp"

#include <cmath>
#include <numbers>

namespace iqbo::internal {
namespace {

constexpr double kHalfLogTwoPi = 0.91893853320467274178;
constexpr double kRootTwo = std::numbers::sqrt2;
constexpr double kInvRootTwoPi = std::numbers::inv_sqrtpi / kRootTwo;

// Below -kTail, the relative error of erfc, about t^2 roundings, would be magnified by another t^2 in gap = lam + t.
constexpr double kTail = 5.0;

// Above kFlat, Phi is 1 to all digits.
constexpr double kFlat = 9.0;

// For t^2 above this, phi is below the smallest double.
constexpr double kVanished2 = 1500.0;

// exp(-t^2/2) / sqrt(2 pi), corrected for the rounding error of t^2, which would otherwise cost t^2/2 roundings.
double density(double t) {
  const double square = t * t;
  if (square > kVanished2) return 0;
  return kInvRootTwoPi * std::exp(-0.5 * square) * (1 - 0.5 * std::fma(t, t, -square));
}

// Laplace's continued fraction, lam(-x) = x + 1/(x + 2/(x + 3/(x + ...))); gap = 1/(x + 2/(x + ...)) is a part of it,
// so nothing is subtracted. Forward recurrence in 1/x neither divides nor overflows; the number of terms was
// found by comparison with 60 digits and gives 1e-14 for x >= kTail.
struct Tail {
  double gap;
  double gap2;
};

Tail far_below(double x) {
  const double y = 1 / x;
  const double y2 = y * y;
  const int terms = 5 + static_cast<int>(100 * y);
  double p = 0;
  double q = 1;
  double p_before = 1;
  double q_before = 0;
  double step = y2;
  for (int k = 0; k < terms; ++k) {
    step += y2;
    const double p_next = p + step * p_before;
    const double q_next = q + step * q_before;
    p_before = p;
    q_before = q;
    p = p_next;
    q = q_next;
  }
  const double scale = 1 / (p + q);
  return {y * q * scale, p * scale};
}

// t < 0, given lam, gap and gap2: everything is expressed through log lam.
CutNormal below(double t, double lam, double gap, double gap2) {
  const double log_lam = std::log(lam);
  const double h = 0.5 * t * gap + kHalfLogTwoPi + log_lam;
  return {lam, log_lam, log_normal_density(t) - log_lam, gap, gap2, h / lam};
}

CutNormal above(double t) {
  const double phi = density(t);
  const double upper = 0.5 * std::erfc(t / kRootTwo);
  const double lam = phi / (1 - upper);
  const double log_cdf = std::log1p(-upper);
  const double gap = lam + t;
  const double rest = t < kFlat ? -log_cdf / lam : 1 / (t + far_below(t).gap);  // upper / phi once Phi = 1
  return {lam, log_normal_density(t) - log_cdf, log_cdf, gap, 1 + t * gap, 0.5 * t + rest};
}

}  // namespace

CutNormal cut_normal(double t) {
  if (t >= 0) return above(t);
  if (t < -kTail) {
    const Tail tail = far_below(-t);
    return below(t, tail.gap - t, tail.gap, tail.gap2);
  }
  const double lam = density(t) / (0.5 * std::erfc(-t / kRootTwo));
  const double gap = lam + t;
  return below(t, lam, gap, 1 + t * gap);
}

double log_normal_density(double t) { return -0.5 * t * t - kHalfLogTwoPi; }

double log_normal_cdf(double t) {
  return t >= 0 ? std::log1p(-0.5 * std::erfc(t / kRootTwo)) : log_normal_density(t) - std::log(mills(t));
}

double mills(double t) { return t < -kTail ? far_below(-t).gap - t : density(t) / (0.5 * std::erfc(-t / kRootTwo)); }

double entropy_drop(double t) {
  const CutNormal cut = cut_normal(t);
  return cut.lam * cut.kappa;
}

double entropy_drop_slope(double t) {
  const CutNormal cut = cut_normal(t);
  return -0.5 * cut.lam * cut.gap2;
}

double log_entropy_drop(double t) {
  const CutNormal cut = cut_normal(t);
  return cut.log_lam + std::log(cut.kappa);
}

double log_entropy_drop_slope(double t) {
  const CutNormal cut = cut_normal(t);
  return -0.5 * cut.gap2 / cut.kappa;
}

double log_improvement(double t) {
  const CutNormal cut = cut_normal(t);
  return cut.log_cdf + std::log(cut.gap);
}

double log_improvement_slope(double t) { return 1 / cut_normal(t).gap; }

}  // namespace iqbo::internal
