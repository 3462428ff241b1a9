// Answers as people write and read them: "4.2", "12/2000"; "4.2 mm (sd 0.3)", "12 of 2,000 (6 cases per 1,000)".
#pragma once

#include <string>

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::cli {

// A number; or a count, with its exposure after a slash. Where answers are counts, a number alone is a count whose exposure the
// spec gives. Throws std::invalid_argument that begins with `what`.
Answer parse_answer(const std::string& text, const Spec& spec, const std::string& what);

std::int64_t parse_count(const std::string& text, const std::string& what);  // whole, 0 or more
double parse_exposure(const std::string& text, const std::string& what);     // > 0

std::string answer_text(const Answer& told, const Spec& spec);
std::string with_thousands(double value);  // 12,000; four digits if it is not whole

}  // namespace iqbo::cli
