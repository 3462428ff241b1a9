// Numbers in sentences. Probabilities as people read them: whole percent, and never "0 %" or "100 %" of what is not certain.
//   0.1635 -> "16 %",  0.004 -> "less than 1 %",  0.996 -> "more than 99 %"
// A probability that was estimated by draws has a standard error. If none of 96 draws said yes, "less than 1 %" would say more
// than they do; the bound is then two standard errors away: 0 +- 0.0105 -> "less than 3 %".
#pragma once

#include <string>

namespace iqbo::internal {

// `error`: the standard error; 0 if it is known, and then 0 and 1 are certain. nan counts as 0.
std::string chance_text(double probability, double error = 0.0);

// "16 % (standard error 2 %)".
std::string chance_with_error(double probability, double error);

std::string two_digits(double value);  // "0.037", "1.2e+05"

}  // namespace iqbo::internal
