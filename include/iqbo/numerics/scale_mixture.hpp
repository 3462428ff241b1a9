// A correlation function as a mixture of RBFs: rho(r) = sum_i weight_i exp(-r^2 / (2 scale_i^2)).
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct ScaleMixture {
  Vector scale;   // ascending, in lengthscales
  Vector weight;  // positive, sum to one
  // Where it depends on parameters beyond the lengthscales, a column for each: d weight / dlog parameter and
  // dlog scale / dlog parameter. Empty: 0.
  Matrix weight_slope = {}, scale_slope = {};
};

}  // namespace iqbo
