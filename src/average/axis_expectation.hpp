// Averages under AxisLaws: see average/expectation.hpp.
//
// Coordinates are independent, so an RBF average is a product of one-dimensional sums,
//
//   E exp(-|X - Y|^2 / 2) = prod_c sum_kl W_k W'_l exp(-(x_k - y_l)^2 / (2 l_c^2)),
//
// which takes d m^2 exponentials instead of the m^(2d) of the tensor grid; a Matern average is a mixture of such
// products (numerics/gamma_mixture.hpp). Inputs enter as laws of one node. Everything else is summed over the grid.
#pragma once

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

// Whether this kernel is made of parts that are averaged axis by axis, and has more than one axis (with one axis
// nothing is gained).
bool by_axes(const Kernel& kernel);

AxisLaws one_node(const Inputs& x);

// The grid itself, of at most kMostGridPoints points per law; beyond that std::invalid_argument.
inline constexpr double kMostGridPoints = 25000;
DiscreteLaws grid(const AxisLaws& laws);

// These need by_axes(kernel).
Matrix axis_expect(const Kernel& kernel, const AxisLaws& left, const AxisLaws& right);
Vector axis_expect_diagonal(const Kernel& kernel, const AxisLaws& laws);
Vector axis_pull_back(const Kernel& kernel, const AxisLaws& left, const AxisLaws& right, const Matrix& weight);

// E X, and E cos(w.X + b).
Rows axis_centres(const AxisLaws& laws);
Matrix axis_cosines(const AxisLaws& laws, const Rows& frequency, const Vector& phase);

}  // namespace iqbo
