// Averages under DiscreteLaws: see average/expectation.hpp.
//
// Only support points that carry weight are visited, in blocks, so that memory stays bounded however large the support
// is.
#pragma once

#include <functional>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

// Discrete laws reduced to the points that have weight in some law.
struct Compact {
  Rows point;         // u x d
  SparseRows weight;  // n x u
};
Compact compact(const DiscreteLaws& laws);

// columns(y) = covariances of n quantities with f at the points y (n x |y|). Returns their covariances with the
// averages of f (n x m).
Matrix average_columns(const DiscreteLaws& laws, Index n, const std::function<Matrix(const Rows&)>& columns);

// sum_i weight_ij E h_j(X_i), X_i of law i, is a sum over points: calls body(points, their weights) block by block.
void for_weighted_points(const DiscreteLaws& laws, const Matrix& weight,
                         const std::function<void(const Rows& points, const Matrix& point_weight)>& body);

Matrix discrete_expect(const Kernel& kernel, const Inputs& x, const DiscreteLaws& laws);
Matrix discrete_expect(const Kernel& kernel, const DiscreteLaws& left, const DiscreteLaws& right);
Vector discrete_expect_diagonal(const Kernel& kernel, const DiscreteLaws& laws);
Vector discrete_pull_back(const Kernel& kernel, const DiscreteLaws& left, const DiscreteLaws& right,
                          const Matrix& weight);

}  // namespace iqbo
