// The accuracy of learned averages g, by the delete-a-fold jackknife.
#pragma once

#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/sum.hpp"

namespace iqbo {

// For f drawn from each of kappa's RBFs, with g_k the averages of f that were learned without fold k of K and g. their mean,
//
//   var = (K - 1)/K sum_k mean_a (g_k(a) - g.(a))^2,     error^2 = mean over lengthscales of var / (variance of g. over a)
//
// laws[k] is what was learned without fold k, for the same queries. f is drawn by random cosines, the same ones every
// time. The jackknife measures how much the averages depend on which pairs were logged; it cannot detect a shape that
// the model cannot represent. The result is at most 1, which also stands for "g does not depend on a".
double jackknife_error(const std::vector<Laws>& laws, const Sum& kappa);

}  // namespace iqbo
