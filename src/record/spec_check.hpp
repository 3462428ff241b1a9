// What the keys of a spec must satisfy together.
#pragma once

#include "iqbo/record/spec.hpp"

namespace iqbo {

void check_spec(const Spec& spec, const std::vector<std::string>& policies);

}  // namespace iqbo
