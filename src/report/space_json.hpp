// X and A as the page draws them: axes with names, units and ranges; and p(x given a) in words.
#pragma once

#include "iqbo/record/spec_bundle.hpp"
#include "json_numbers.hpp"

namespace iqbo::internal {

Json target_space_json(const SpecData& data);
Json query_space_json(const SpecData& data);
Json conditional_json(const SpecData& data);

}  // namespace iqbo::internal
