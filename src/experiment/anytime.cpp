#include "iqbo/experiment/anytime.hpp"

#include <cmath>
#include <limits>

#include "iqbo/core/check.hpp"

namespace iqbo {

Interval anytime_interval(const Vector& values, Index among) {
  constexpr double kAlpha = 0.05, kPriorPrecision = 10.0;  // c
  require_positive(static_cast<double>(among), "among");
  require_not_empty(values.size(), "values");
  require_finite(values, "values");
  const auto n = static_cast<double>(values.size());
  const double mean = values.mean();
  const double infinite = std::numeric_limits<double>::infinity();
  const double r = kPriorPrecision / (n + kPriorPrecision);
  const double log_k = -(2.0 * std::log(kAlpha / static_cast<double>(among)) + std::log(r)) / n;
  const double k = std::exp(log_k);
  if (values.size() < 2 || r * k >= 1.0) return {mean, -infinite, infinite, values.size()};
  const double var = (values.array() - mean).square().sum() / (n - 1.0);
  const double half = std::sqrt((n - 1.0) * (k - 1.0) / (1.0 - r * k) * var / n);
  return {mean, mean - half, mean + half, values.size()};
}

}  // namespace iqbo
