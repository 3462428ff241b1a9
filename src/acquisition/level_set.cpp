#include "iqbo/acquisition/level_set.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "batch.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo {
namespace {

constexpr double kFarthest = 8.0;  // |h| beyond which P is below 1e-15

double upper_tail(double h) { return 0.5 * std::erfc(h / std::numbers::sqrt2); }

// Owen's T for 0 <= a <= 1 and h a <= kFarthest: the integrand is smooth on [0, a].
double owens_t(double h, double a) {
  constexpr int kNodes = 24;
  static const Rule& rule = gauss_legendre(kNodes);
  double sum = 0.0;
  for (Index k = 0; k < kNodes; ++k) {
    const double x = 0.5 * a * (1.0 + rule.node[k]);
    const double r = 1.0 + x * x;
    sum += rule.weight[k] * std::exp(-0.5 * h * h * r) / r;
  }
  return a * sum / (2.0 * std::numbers::pi);
}

}  // namespace

double misclassification_drop(double h, double rho) {
  if (rho <= 0.0 || h > kFarthest) return 0.0;
  if (rho >= 1.0) return upper_tail(h);
  const double a = std::sqrt((1.0 - rho) * (1.0 + rho)) / rho;
  if (a <= 1.0) return std::max(upper_tail(h) - 2.0 * owens_t(h, a), 0.0);
  // T(h, a) = (P + R) / 2 - P R - T(a h, 1 / a), R = Phi(-a h): no digits are lost while a is large.
  const double rest = upper_tail(a * h);
  return std::max(2.0 * owens_t(a * h, 1.0 / a) - rest * (1.0 - 2.0 * upper_tail(h)), 0.0);
}

LevelSet::LevelSet(Inputs references, Vector mean, Vector var, double threshold) : references_(std::move(references)) {
  require_not_empty(references_.size(), "references");
  require_rows(mean.size(), references_.size(), "mean");
  require_rows(var.size(), references_.size(), "var");
  require_finite(mean, "mean");
  require_non_negative(var, "var");
  if (!std::isfinite(threshold)) refuse("threshold", readable(threshold), "a finite number");
  sd_ = var.cwiseSqrt();
  distance_ = Vector::Constant(mean.size(), 2.0 * kFarthest);  // where f is known
  for (Index i = 0; i < mean.size(); ++i)
    if (sd_[i] > 0.0) distance_[i] = std::abs(mean[i] - threshold) / sd_[i];
}

Vector LevelSet::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c, OutlookGradient* gradient) const {
  require_batch(outlook);
  require_cross(c, references_.size(), outlook.size());
  clear(gradient, references_.size(), outlook.size());
  constexpr double kMostRho = 1.0 - 1e-12;  // a correlation of 1 has no slope
  Vector value = Vector::Constant(outlook.size(), kWorthless);
  for (Index j = 0; j < outlook.size(); ++j) {
    const double var = outlook.q[j] + outlook.noise_var[j];
    if (var == 0.0) continue;
    const double sd = std::sqrt(var);
    double worth = 0.0, d_q = 0.0;
    for (Index i = 0; i < sd_.size(); ++i) {
      const double h = distance_[i];
      if (h > kFarthest || c(i, j) == 0.0) continue;
      const double rho = std::min(std::abs(c(i, j)) / (sd_[i] * sd), kMostRho);
      worth += misclassification_drop(h, rho);
      if (gradient == nullptr) continue;
      const double slope =
          std::exp(-0.5 * h * h / (rho * rho)) / (std::numbers::pi * std::sqrt((1.0 - rho) * (1.0 + rho)));
      gradient->c(i, j) = std::copysign(slope / (sd_[i] * sd), c(i, j));
      d_q -= 0.5 * slope * rho / var;
    }
    if (!(worth > 0.0)) {
      if (gradient != nullptr) gradient->c.col(j).setZero();
      continue;
    }
    value[j] = std::log(worth);
    if (gradient == nullptr) continue;
    gradient->c.col(j) /= worth;
    gradient->q[j] = d_q / worth;
  }
  return value;
}

}  // namespace iqbo
