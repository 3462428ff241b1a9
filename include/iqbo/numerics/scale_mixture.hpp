// A correlation function as a mixture of RBFs: rho(r) = sum_i weight_i exp(-r^2 / (2 scale_i^2)).
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct ScaleMixture {
  Vector scale;   // ascending, in lengthscales
  Vector weight;  // positive, sum to one
  // If the mixture depends on parameters beyond the lengthscales, one column per parameter: d weight / dlog parameter
  // and dlog scale / dlog parameter. Empty means 0.
  Matrix weight_slope = {}, scale_slope = {};
};

}  // namespace iqbo
