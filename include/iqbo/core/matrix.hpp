// The few Eigen names every room uses.
#pragma once

#include <Eigen/Core>

namespace iqbo {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column major, as covariances and factors are

// One point a row, as NumPy and CSV files hold them.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace iqbo
