// The few Eigen names every room uses.
#pragma once

#include <Eigen/Core>

namespace iqbo {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column major, as covariances and factors are

// One point a row, as NumPy and CSV files hold them.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The rows of `top`, then those of `bottom`; where either has none, the other.
inline Rows stacked(const Rows& top, const Rows& bottom) {
  if (top.rows() == 0) return bottom;
  if (bottom.rows() == 0) return top;
  Rows out(top.rows() + bottom.rows(), top.cols());
  out << top, bottom;
  return out;
}

}  // namespace iqbo
