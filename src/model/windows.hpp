// mu and width of a spec as maps of the policy's queries.
#pragma once

#include "iqbo/conditional/query_map.hpp"
#include "iqbo/policy/setting.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

// `shift`: how many coordinates stand before the place (1 where the resolution does).
std::shared_ptr<const Conditional> window_conditional(const SpecData& data, const AskSpace& a, Index shift);

}  // namespace iqbo::internal
