#include "chance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace iqbo::internal {
namespace {

std::string percent(double value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return std::string(text) + " %";
}

// In percent, at least 1: what the probability is believed to stay below.
double bound(double probability, double error) {
  return std::clamp(std::ceil(100.0 * (probability + 2.0 * error) - 1e-9), 1.0, 99.0);
}

}  // namespace

std::string chance_text(double probability, double error) {
  if (std::isnan(probability)) return "unknown";
  const double known = std::isnan(error) ? 0.0 : error;
  if (known == 0.0 && (probability <= 0.0 || probability >= 1.0)) return percent(100.0 * probability, "%.0f");
  if (probability < 0.01) return "less than " + percent(bound(probability, known), "%.0f");
  if (probability > 0.99) return "more than " + percent(100.0 - bound(1.0 - probability, known), "%.0f");
  return percent(100.0 * probability, "%.0f");
}

std::string chance_with_error(double probability, double error) {
  const char* format = error < 0.095 ? "%.1g" : "%.0f";
  return chance_text(probability, error) + " (standard error " + percent(100.0 * error, format) + ")";
}

std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace iqbo::internal
