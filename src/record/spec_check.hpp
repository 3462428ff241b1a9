// What the keys of a spec, and what its files hold, must satisfy together.
#pragma once

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo {

void check_spec(const Spec& spec, const std::vector<std::string>& policies);

// A slip of units in conditional.mu would go unnoticed until the campaign is over. Along each coordinate of x, mu(a) -+
// reach for all a together must meet the range of X; reach is the half-width, or eight sds. Ranges over A are those of its
// bounding box, so that what is refused is surely outside.
void require_windows_reach(const SpecData& data);

}  // namespace iqbo
