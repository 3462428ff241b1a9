// Checks that only guard against slips: made for new specs, not for stored ones, which were accepted once.
#pragma once

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo {

void check_new(const Spec& spec);             // names of coordinates that tables use for something else
void check_new_names(const SpecData& data);   // control characters in names of points and categories
void check_new_places(const SpecData& data);  // windows and bags that lie outside X

}  // namespace iqbo
