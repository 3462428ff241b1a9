// A law along one axis as weights of equally spaced points, between which f is interpolated linearly.
//
//   w_k = E hat_k(X),   hat_k(x) = max(0, 1 - |x - p_k| / step)
//
// The weights have the law's mean. Their variance is larger by step^2 / 6 on average, which for a window four steps wide is
// as if it were 6 % wider.
#pragma once

#include <optional>

#include "iqbo/average/laws.hpp"

namespace iqbo {

// X = centre + sd N + half_width U; or nodes with probabilities.
struct AxisLaw {
  double centre = 0.0, sd = 0.0, half_width = 0.0;
  Vector node = {}, weight = {};  // where it is discrete

  // Law i of `laws` along coordinate c. Empty if the laws are no products over the axes.
  static std::optional<AxisLaw> of(const Laws& laws, Index i, Index c);

  bool is_discrete() const { return node.size() > 0; }
  double mean() const;
  double width() const;              // of the uniform law that has the same variance
  double low() const, high() const;  // nearly all of its mass is between
};

struct AxisLattice {
  double origin, step;
  Index size;
};

// Empty if less than half of the law's mass is between the ends; else what is beyond them is left out, and the rest sums to one.
std::optional<Vector> hat_weights(const AxisLaw& law, const AxisLattice& lattice);

}  // namespace iqbo
