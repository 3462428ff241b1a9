// Gauss quadrature as an expectation: E[p(Z)] = sum_i weight_i p(node_i), exact for polynomials p of degree <= 2n - 1.
//
//   gauss_legendre(n)   Z ~ U(-1, 1)
//   gauss_hermite(n)    Z ~ N(0, 1), the "probabilists'" rule
//
// Nodes ascend and are exactly antisymmetric; weights are positive, exactly symmetric and sum to one. Each is accurate
// to 1e-15 relative, including the tail weights of Gauss-Hermite. n is 1 to 128, otherwise std::invalid_argument.
// A rule is computed once and cached; the functions are thread-safe.
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct Rule {
  Vector node;
  Vector weight;
};

const Rule& gauss_legendre(int n);
const Rule& gauss_hermite(int n);

}  // namespace iqbo
