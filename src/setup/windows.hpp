// mu and width of a spec as maps of the policy's queries.
#pragma once

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

// For queries with so many coordinates, the first or the last of which is the resolution.
std::shared_ptr<const Conditional> window_conditional(const SpecData& data, Index query_dimension,
                                                      bool resolution_first);

}  // namespace iqbo::internal
