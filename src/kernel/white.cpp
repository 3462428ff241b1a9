#include "iqbo/kernel/white.hpp"

#include <cmath>

namespace iqbo {

White::White(double variance, Index dimension) : variance_(variance), dimension_(dimension) {
  require_positive(variance_, "variance");
  if (dimension_ < 1) refuse("dimension", "is " + std::to_string(dimension_), "at least 1");
}

std::shared_ptr<const Kernel> White::clone() const { return std::make_shared<White>(*this); }

std::string White::description() const {
  return "White(variance=" + readable(variance_) + ", dimension=" + std::to_string(dimension_) + ")";
}

Vector White::log_parameters() const { return Vector::Constant(1, std::log(variance_)); }

std::shared_ptr<const Kernel> White::with_log_parameters(const Vector& theta) const {
  return std::make_shared<White>(positive_parameters(theta)[0], dimension_);
}

Matrix White::evaluate(const Rows& x, const Rows& y) const {
  const Matrix xs = x;  // one contiguous column per coordinate
  Matrix out(x.rows(), y.rows());
  for (Index j = 0; j < y.rows(); ++j) {
    out.col(j).setConstant(variance_);
    for (Index c = 0; c < dimension_; ++c) out.col(j) = (xs.col(c).array() == y(j, c)).select(out.col(j), 0.0);
  }
  return out;
}

Vector White::evaluate_diagonal(const Rows& x) const { return Vector::Constant(x.rows(), variance_); }

Vector White::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  return Vector::Constant(1, (weight.array() * evaluate(x, y).array()).sum());
}

Rows White::input_gradient(const Rows& x, const Rows&, const Matrix&) const { return Rows::Zero(x.rows(), dimension_); }

}  // namespace iqbo
