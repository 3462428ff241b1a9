#include "iqbo/experiment/compare.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "iqbo/core/check.hpp"

namespace iqbo {

Interval mean_interval(const Vector& values, Index among) {
  require_positive(static_cast<double>(among), "among");
  require_not_empty(values.size(), "values");
  require_finite(values, "values");
  const Index n = values.size();
  const double mean = values.mean();
  if (n == 1) return {mean, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), n};
  const auto df = static_cast<double>(n - 1);
  const double se = std::sqrt((values.array() - mean).square().sum() / df / static_cast<double>(n));
  const double tail = 0.025 / static_cast<double>(among);
  const double half = boost::math::quantile(boost::math::complement(boost::math::students_t(df), tail)) * se;
  return {mean, mean - half, mean + half, n};
}

Interval paired_difference(const Vector& one, const Vector& other, Index among) {
  require_rows(other.size(), one.size(), "other");
  return mean_interval(one - other, among);
}

std::string to_string(Verdict verdict) {
  if (verdict == Verdict::kEqual) return "equal";
  if (verdict == Verdict::kHolds) return "holds";
  return verdict == Verdict::kDoesNotHold ? "does not hold" : "undecided";
}

Verdict is_smaller(const Interval& difference, double equal) {
  if (equal > 0.0 && difference.low >= -equal && difference.high <= equal) return Verdict::kEqual;
  if (difference.high < 0.0) return Verdict::kHolds;
  return difference.low >= 0.0 ? Verdict::kDoesNotHold : Verdict::kUndecided;
}

Verdict all_of(const std::vector<Verdict>& verdicts) {
  const auto any = [&](Verdict verdict) {
    return std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end();
  };
  if (any(Verdict::kDoesNotHold)) return Verdict::kDoesNotHold;
  if (any(Verdict::kUndecided)) return Verdict::kUndecided;
  return any(Verdict::kEqual) ? Verdict::kEqual : Verdict::kHolds;
}

}  // namespace iqbo
