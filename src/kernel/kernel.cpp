#include "iqbo/kernel/kernel.hpp"

#include <cmath>

namespace iqbo {

Vector Kernel::positive_parameters(const Vector& theta) const {
  require_rows(theta.size(), log_parameters().size(), "theta");
  require_finite(theta, "theta");
  Vector values = theta.unaryExpr([](double t) { return std::exp(t); });  // Eigen's own never reaches 0
  require_positive(values, "exp(theta)");
  return values;
}

// A kernel is symmetric: both of its arguments contribute the same.
Rows Kernel::diagonal_gradient(const Rows& x, const Vector& weight) const {
  Rows out(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    const Rows here = x.row(i);
    out.row(i) = input_gradient(here, here, Matrix::Constant(1, 1, 2.0 * weight[i]));
  }
  return out;
}

void Kernel::require_pull_back(const Rows& x, const Rows& y, const Matrix& weight) const {
  require_columns(x.cols(), dimension(), "x");
  require_columns(y.cols(), dimension(), "y");
  require_rows(weight.rows(), x.rows(), "weight");
  require_columns(weight.cols(), y.rows(), "weight");
}

}  // namespace iqbo
