#include "answer_scale.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

constexpr double kLargeLevel = 1e6;     // beside the differences: then a square loses 12 of 16 digits
constexpr double kLeastScale = 1e-130;  // its square, times the least variances that fits try, is still above 1e-300

struct Range {
  double low = 0;
  double high = 0;
  double width() const { return high - low; }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }
};

Range range_of(const std::vector<LoggedObservation>& answers) {
  const auto value = [](const LoggedObservation& each) { return each.observation.answer.value; };
  Range out{value(answers.front()), value(answers.front())};
  for (const LoggedObservation& each : answers) {
    out.low = std::min(out.low, value(each));
    out.high = std::max(out.high, value(each));
  }
  return out;
}

}  // namespace

double answer_level(const std::vector<LoggedObservation>& answers) {
  if (answers.empty()) return 0;
  const double width = range_of(answers).width();
  const double first = answers.front().observation.answer.value;
  return width > 0 && std::abs(first) > kLargeLevel * width ? first : 0;
}

std::string unworkable_scale(const std::vector<LoggedObservation>& answers) {
  if (answers.empty()) return {};
  const double largest = range_of(answers).largest();
  if (largest == 0 || largest >= kLeastScale) return {};
  return "all answers are smaller than " + readable(kLeastScale) + ": the largest is " + readable(largest) +
         ", expected a unit in which they are not so small, because fits square them";
}

std::string unworkable_value(double value) {
  if (!std::isfinite(value) || value == 0 || std::abs(value) >= kLeastScale) return {};
  return "value is " + readable(value) + ", which is smaller than " + readable(kLeastScale) +
         ", expected 0 or a unit in which it is not so small, because fits square answers";
}

}  // namespace iqbo
