#include "dense_gram.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "discrete_expectation.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kDenseBlock = 125;   // points whose kernel values are held at once: 125 kB
constexpr double kWorthwhile = 0.7;  // of the number of laws: a higher rank saves less than U costs

// Calls body(i, m, j, n) for points i to i + m and j to j + n, for all pairs of blocks with i <= j.
template <class Body>
void for_pairs_of_blocks(Index points, Body body) {
  for (Index i = 0; i < points; i += kDenseBlock) {
    stop_point();
    for (Index j = i; j < points; j += kDenseBlock)
      body(i, std::min(kDenseBlock, points - i), j, std::min(kDenseBlock, points - j));
  }
}

}  // namespace

DenseGram::DenseGram(const DiscreteLaws& laws) {
  Compact used = compact(laws);
  point_ = std::move(used.point);
  const Matrix weight = Matrix(used.weight).transpose();  // s x t
  const Eigen::ColPivHouseholderQR<Matrix> qr(weight);
  const Index most = std::min(weight.rows(), weight.cols());
  const Matrix triangle = qr.matrixR().topRows(most).triangularView<Eigen::Upper>();
  // What is left of each law after r columns; |.|_1 <= sqrt(s) |.|_2.
  const double enough = kError / std::sqrt(static_cast<double>(weight.rows()));
  Vector left = Vector::Zero(weight.cols());  // squared
  Index rank = most;
  while (rank > 0) {
    left += triangle.row(rank - 1).cwiseAbs2().transpose();
    if (left.maxCoeff() > enough * enough) break;
    --rank;
  }
  size_ = weight.cols();
  if (static_cast<double>(rank) > kWorthwhile * static_cast<double>(size_)) {
    right_ = weight;
    return;
  }
  right_ = qr.householderQ() * Matrix::Identity(weight.rows(), rank);
  left_ = qr.colsPermutation() * Matrix(triangle.topRows(rank).transpose());
}

// Off-diagonal blocks count twice, so diagonal ones are halved and the sum is made symmetric.
Matrix DenseGram::covariance(const Kernel& kernel) const {
  Matrix inner = Matrix::Zero(rank(), rank());
  Matrix values;
  Matrix row;
  for_pairs_of_blocks(point_.rows(), [&](Index i, Index m, Index j, Index n) {
    values = kernel.evaluate(point_.middleRows(i, m), point_.middleRows(j, n));
    if (i == j)
      row.noalias() = 0.5 * values * right_.middleRows(j, n);
    else
      row.noalias() += values * right_.middleRows(j, n);
    if (j + n == point_.rows()) inner.noalias() += right_.middleRows(i, m).transpose() * row;
  });
  const Matrix whole = inner + inner.transpose();
  if (left_.size() == 0) return whole;
  const Matrix half = left_ * whole;
  Matrix out = half * left_.transpose();
  return 0.5 * (out + out.transpose());
}

// d/dtheta sum T .* (U V' K V U') = d/dtheta sum (V (U' T U) V') .* K.
Vector DenseGram::pull_back(const Kernel& kernel, const Matrix& weight) const {
  require_rows(weight.rows(), size(), "weight");
  require_columns(weight.cols(), size(), "weight");
  const Matrix rows = right_ * (left_.size() == 0 ? weight : Matrix(left_.transpose() * Matrix(weight * left_)));
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  Matrix spread;
  for_pairs_of_blocks(point_.rows(), [&](Index i, Index m, Index j, Index n) {
    spread.noalias() = rows.middleRows(i, m) * right_.middleRows(j, n).transpose();
    const Vector part = kernel.parameter_gradient(point_.middleRows(i, m), point_.middleRows(j, n), spread);
    gradient += i == j ? part : 2.0 * part;
  });
  return gradient;
}

}  // namespace iqbo::internal
