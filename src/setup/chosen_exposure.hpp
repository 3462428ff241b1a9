// Queries whose exposure may be chosen: each is listed once with every exposure, at its own cost, and the exposure is the last
// coordinate. p(x given a) does not depend on it; how much an answer tells does.
#pragma once

#include <memory>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/domain/query_domain.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

QueryDomainPtr listed_with_exposures(const SpecData& data);

// The same p(x given a), whatever the last coordinate of a is.
std::shared_ptr<const Conditional> whatever_exposure(const Conditional& conditional);

}  // namespace iqbo::internal
