// log h of many numbers, h the entropy drop of numerics/normal.hpp, in a fraction of the time.
//
// A CMES score evaluates h at every query and sample, tens of thousands of times for one suggestion. Between -8 and 40,
// where nearly all arguments lie, log h is a polynomial of degree 9 on each piece of length 1/4, found once from
// log_entropy_drop; elsewhere that function itself is called. The two agree to 1e-13 max(1, |log h|).
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

// t[i] <- log h(t[i]); any finite numbers.
void log_entropy_drops_in_place(Eigen::Ref<Vector> t);

}  // namespace iqbo::internal
