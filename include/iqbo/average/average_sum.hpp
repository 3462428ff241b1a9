// A weighted sum of averages, one for each law of a batch, and its gradient in the law.
//
//   phi_j = mean_j E m(X_j) + var_j E k(X_j, X_j') + sum_i cross_ij E k(Y_i, X_j)
//
// X_j has law j, X_j' is an independent copy of it, and Y_i has law i of `left`. To first order, everything that a
// Gaussian posterior says at a query is such a sum with constant weights (docs/theory/averages.md), so gradients in a
// are built from this: a conditional turns d phi / d law into d phi / d a (Conditional::pull_back).
//
// Gradients in spread laws have closed forms. Kernels contribute 0 where they have no derivative: White everywhere,
// Matern 1/2 between coinciding points, any kernel in widths that are zero. A mean that is not affine is differentiated
// by central differences (internal::kDifferenceStep).
#pragma once

#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"

namespace iqbo {

// d phi_j in the parameters of law j, one row per law.
struct SpreadGradient {
  Rows centre, sd, half_width;

  explicit SpreadGradient(const SpreadLaws& laws)  // zero
      : centre(Rows::Zero(laws.centre.rows(), laws.centre.cols())), sd(centre), half_width(centre) {}
  SpreadGradient& operator+=(const SpreadGradient& other);
  SpreadGradient& operator*=(double factor);
};

struct AverageSum {
  struct Cross {
    Laws left;
    Matrix weight;  // |left| x n
  };

  const Kernel& k;  // k and m must outlive the sum
  const Mean& m;
  Vector mean = {};  // n; empty for none
  Vector var = {};   // likewise
  std::vector<Cross> cross = {};

  Vector at(const Laws& laws) const;

  Rows gradient(const Inputs& x) const;

  // The gradient in half_width costs more than all the rest; in_half_width = false leaves it out.
  SpreadGradient gradient(const SpreadLaws& laws, bool in_half_width = true) const;
};

}  // namespace iqbo
