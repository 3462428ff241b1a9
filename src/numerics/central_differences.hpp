// Gradients of a function of each point alone, by central differences.
//
//   out(i, c) = (phi_i(x_i + h_ic e_c) - phi_i(x_i - h_ic e_c)) / (2 h_ic)
//
// `phi` is batched: one number per point. A step of 0 marks a column that is not continuous and gives 0.
#pragma once

#include "iqbo/core/points.hpp"

namespace iqbo::internal {

constexpr double kDifferenceStep = 6e-6;  // the cube root of the rounding error of a double

template <class Space>
Rows default_steps(const Points<Space>& x) {
  return kDifferenceStep * x.coordinates().cwiseAbs().cwiseMax(1.0);
}

template <class Space, class Phi>
Rows central_differences(const Points<Space>& x, const Rows& step, Phi phi) {
  Rows out = Rows::Zero(x.size(), x.dimension());
  for (Index c = 0; c < x.dimension(); ++c) {
    if ((step.col(c).array() == 0.0).all()) continue;
    Rows ahead = x.coordinates();
    Rows behind = x.coordinates();
    ahead.col(c) += step.col(c);
    behind.col(c) -= step.col(c);
    const Eigen::ArrayXd moved = (ahead.col(c) - behind.col(c)).array();  // the step as rounded
    const Eigen::ArrayXd change = phi(Points<Space>(ahead)) - phi(Points<Space>(behind));
    out.col(c) = (moved > 0.0).select(change / moved, 0.0);
  }
  return out;
}

}  // namespace iqbo::internal
