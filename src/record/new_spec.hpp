// What only guards against slips: asked of new specs, not of stored ones, which were accepted once.
#pragma once

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo {

void check_new(const Spec& spec);             // names that tables have for other things
void check_new_names(const SpecData& data);   // control characters in names of points and categories
void check_new_places(const SpecData& data);  // windows and bags that are not where X is

}  // namespace iqbo
