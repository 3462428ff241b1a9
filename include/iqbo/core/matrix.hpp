// The few Eigen names every room uses.
#pragma once

#include <Eigen/Core>

namespace iqbo {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column major, as covariances and factors are

// One point per row, as in NumPy arrays and CSV files.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The rows of `top`, then those of `bottom`; if one of them has no rows, the other.
inline Rows stacked(const Rows& top, const Rows& bottom) {
  if (top.rows() == 0) return bottom;
  if (bottom.rows() == 0) return top;
  Rows out(top.rows() + bottom.rows(), top.cols());
  out << top, bottom;
  return out;
}

}  // namespace iqbo
