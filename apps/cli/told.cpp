#include "told.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

// "2.000" is 2 here and two thousand in half of Europe; a whole number needs no point.
void require_no_thousands(const std::string& text, const std::string& name, const std::string& what) {
  static const std::regex kGroups(R"(([1-9]\d{0,2})((\.\d{3})*)\.000)");
  std::smatch parts;
  if (!std::regex_match(text, parts, kGroups)) return;
  std::string digits = text;
  std::erase(digits, '.');
  refuse(what,
         name + ' ' + in_quotes(text) +
             (parts[2].length() == 0 ? ", which may mean " + parts.str(1) + " or " + digits : ""),
         "digits alone: " + digits);
}

// As it was written, if that has few digits: who told 101324.7 looks for it.
std::string told_text(double value) {
  constexpr std::size_t kFew = 12;
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value + 0.0);
  return std::string_view(text).size() <= kFew ? text : short_number(value);
}

}  // namespace

std::int64_t parse_count(const std::string& text, const std::string& what) {
  constexpr double kMost = 9007199254740991.0;  // 2^53 - 1
  require_no_thousands(text, "count", what);
  double value = 0;
  if (!parse_number(text, value) || value < 0 || value != std::floor(value) || value > kMost)
    refuse(what, "count " + in_quotes(clean_text(text)), "a whole number, 0 or more, written without commas: 12/2000");
  return static_cast<std::int64_t>(value);
}

double parse_exposure(const std::string& text, const std::string& what) {
  require_no_thousands(text, "exposure", what);
  double value = 0;
  if (!parse_number(text, value) || value <= 0) refuse(what, "exposure " + in_quotes(clean_text(text)), "a number > 0");
  return value;
}

Answer parse_answer(const std::string& text, const Spec& spec, const std::string& what) {
  Answer out;
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    out.count = parse_count(text.substr(0, slash), what);
    out.exposure = parse_exposure(text.substr(slash + 1), what);
  } else if (is_count(spec.answers)) {
    out.count = parse_count(text, what);
  } else if (!parse_number(text, out.value)) {
    std::string point = text;  // as a keyboard in half of Europe has it
    if (std::count(text.begin(), text.end(), ',') == 1) point[point.find(',')] = '.';
    refuse(what, in_quotes(clean_text(text)),
           "a finite number" +
               (point != text && parse_number(point, out.value) ? ", written with a decimal point: " + point : ""));
  }
  return out;
}

std::string with_thousands(double value) {
  if (value != std::floor(value) || std::abs(value) >= 1e15) return short_number(value);
  std::string out = std::to_string(static_cast<std::int64_t>(value));
  const std::size_t sign = value < 0 ? 1 : 0;
  for (std::size_t at = out.size(); at > sign + 3;) out.insert(at -= 3, ",");
  return out;
}

std::string answer_text(const Answer& told, const Spec& spec) {
  if (!told.count || !told.exposure)
    return told_text(told.value) + (spec.value.unit.empty() ? "" : " " + spec.value.unit) + precision_text(told);
  return with_thousands(static_cast<double>(*told.count)) + " of " + with_thousands(*told.exposure) + " (" +
         with_unit(told.value, spec) + ")";
}

}  // namespace iqbo::cli
