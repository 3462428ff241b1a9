// How a recommendation is shown: "Recommendation(x=[0.5], f 0.98 in [0.21, 1.7], probability 16 %)". The fields have all digits.
#pragma once

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "core/chance.hpp"

namespace iqbo::python {

inline std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// `where`: "[0.5]", "'p107'".
template <class Best>
std::string best_repr(const char* title, const std::string& where, const Best& best) {
  const std::optional<double> error = best.probability_error;
  std::string out = std::string(title) + "(x=" + where + ", f " + four_digits(best.mean) + " in [" +
                    four_digits(best.low) + ", " + four_digits(best.high) + "]";
  if (!std::isnan(best.probability))
    out += ", " + (best.tolerance > 0.0 ? "within " + four_digits(best.tolerance) + " of the best: " : "the best: ") +
           internal::chance_text(best.probability, error.value_or(0.0));
  const auto notes = best.notes.size();
  if (notes > 0) out += ", " + std::to_string(notes) + (notes == 1 ? " note" : " notes");
  return out + ")";
}

}  // namespace iqbo::python
