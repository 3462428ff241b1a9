// The n-point Gauss rule of a Beta(alpha, beta) law, from the recurrence of Jacobi polynomials [Golub69].
#pragma once

#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo {

struct BetaLaw {
  double alpha, beta;
};

// Exact for polynomials of degree up to 2n - 1; weights sum to one.
Rule beta_rule(const BetaLaw& law, int n);

}  // namespace iqbo
