#include "json_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace iqbo::internal {
namespace {

// Rounds by way of text, so that JSON prints the rounded decimal and no further digits.
double printed(const char* format, int digits, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, digits, value);
  return std::strtod(text, nullptr) + 0.0;
}

Json significant(double value, int digits) {
  return std::isfinite(value) ? Json(printed("%.*g", digits, value)) : Json();
}

}  // namespace

Json exact(double value) { return std::isfinite(value) ? Json(value) : Json(); }
Json exact(const std::optional<double>& value) { return value ? exact(*value) : Json(); }
Json seen(double value) { return significant(value, 6); }

Json seen(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(seen(value));
  return out;
}

Json seen(const std::vector<double>& values, double step) {
  constexpr double kMostDecimals = 15.0;
  const double decimals = step > 0.0 ? std::ceil(-std::log10(step)) : kMostDecimals + 1.0;
  if (decimals > kMostDecimals || decimals < 0.0) return seen(values);
  Json out = Json::array();
  for (const double value : values)
    out.push_back(std::isfinite(value) ? Json(printed("%.*f", static_cast<int>(decimals), value)) : Json());
  return out;
}

Json seen(const std::vector<std::vector<double>>& points) {
  Json out = Json::array();
  for (const auto& point : points) {
    Json row = Json::array();
    for (const double value : point) row.push_back(significant(value, 10));
    out.push_back(std::move(row));
  }
  return out;
}

double range_of(const std::vector<double>& values) {
  double low = 0.0, high = 0.0;
  bool any = false;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
  return high - low;
}

std::string written(const Json& document) { return document.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace iqbo::internal
