// The scale of answers, where a model is fitted to them.
//
// Fits square the answers. Of 1e12 + 1 and 1e12 - 1 the squares are the same number, so answers whose level is large
// beside their differences are shifted by a constant before the policy sees them; the mean is fitted, so this changes
// nothing else. Answers that are all as small as 1e-150 have squares that are 0, and are refused.
#pragma once

#include <string>
#include <vector>

#include "iqbo/record/trial.hpp"

namespace iqbo {

// The first answer, if it is a million times larger than any difference between answers; otherwise 0.
double answer_level(const std::vector<LoggedObservation>& answers);

// What is wrong with the scale of the answers, and what to do; "" if nothing is.
std::string unworkable_scale(const std::vector<LoggedObservation>& answers);

// The same of one answer that is told: "" unless it is smaller than any scale that can be worked with, and not 0. Were all others 0,
// it would be the scale; so it is refused before it is stored, without reading the others.
std::string unworkable_value(double value);

}  // namespace iqbo
