// The n-point Gauss rule of any measure on the line that is given by a fine discrete one:
//
//   sum_i w_i p(t_i) = sum_j W_j p(T_j)    for every polynomial p of degree up to 2n - 1
//
// by Lanczos' tridiagonalisation with full reorthogonalisation [Gautschi04, section 2.2]. The total weight is kept.
// A measure with fewer than n distinct nodes keeps them.
#pragma once

#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo::internal {

// Weights non-negative with a positive sum; n >= 1.
Rule measure_rule(const Rule& fine, int n);

}  // namespace iqbo::internal
