// What the keys of a spec, and what its files hold, must satisfy together.
#pragma once

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo {

void check_spec(const Spec& spec, const std::vector<std::string>& policies);

}  // namespace iqbo
