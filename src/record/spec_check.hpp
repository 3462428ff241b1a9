// Conditions that the keys of a spec, and the contents of its files, must satisfy together.
#pragma once

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo {

// What answers are, and what goes with counts: src/record/answer_check.cpp.
void check_answers(const Spec& spec);

void check_spec(const Spec& spec, const std::vector<std::string>& policies);

}  // namespace iqbo
