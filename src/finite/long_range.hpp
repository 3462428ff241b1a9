// The part of a covariance on a lattice that reaches across all of it.
//
// On a torus of twice the extent a covariance that has not died away by then is not positive, and a torus ten times as wide is
// too large. But most families are mixtures of RBFs over scales: those scales that are long compared with X along every axis
// are smooth functions there, which polynomials of a few dozen Chebyshev nodes along each axis represent to 1e-9 of the
// variance (average/smooth_features.hpp). Draws of them take a small factor; the rest is short and fits a torus.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "numerics/lattice.hpp"

namespace iqbo {

class LongRange {
 public:
  // Empty in three or more dimensions, or if no scale is long.
  static std::optional<LongRange> of(const Kernel& kernel, const internal::Lattice& lattice);

  // Covariances at steps[0] x steps[1] (on a line x 1), in units of X.
  Matrix covariance(const std::vector<Vector>& steps) const;

  // A draw on all cells of the lattice: along the first axis down the rows.
  Matrix draw(Rng& rng) const;

 private:
  struct Bump {
    double variance;
    Vector lengthscale;
  };
  Matrix of_nodes(const std::vector<Vector>& node) const;

  std::vector<Bump> bumps_;
  std::vector<Matrix> basis_;  // of each axis: cells x nodes
  Matrix root_;                // of the covariance of the nodes: those of the last axis side by side
};

}  // namespace iqbo
