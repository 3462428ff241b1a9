#include "query_kernel.hpp"

#include <cmath>
#include <utility>

#include "pairs.hpp"

namespace iqbo {

using namespace internal;

QueryKernel::QueryKernel(std::shared_ptr<const QueryEncoding> encoding, double variance, double lengthscale)
    : encoding_(std::move(encoding)), variance_(variance), lengthscale_(lengthscale) {
  require_positive(variance_, "tau2");
}

Vector QueryKernel::log_parameters() const { return Vector::Constant(1, std::log(variance_)); }

std::shared_ptr<const Kernel> QueryKernel::with_log_parameters(const Vector& theta) const {
  return std::make_shared<QueryKernel>(encoding_, positive_parameters(theta)[0], lengthscale_);
}

Matrix QueryKernel::encoded(const Rows& a) const {
  return encoding_->encoded(Queries(a), Vector::Constant(encoding_->groups(), lengthscale_));
}

Matrix QueryKernel::evaluate(const Rows& x, const Rows& y) const {
  return variance_ * similarity(encoded(x), encoded(y));
}

Vector QueryKernel::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  return Vector::Constant(1, weight.cwiseProduct(evaluate(x, y)).sum());
}

// Numeric columns enter as (a - mean) / (sd l): the encoding is affine in them, and constant in category columns.
Rows QueryKernel::input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  const Matrix weighted = weight.cwiseProduct(evaluate(x, y));
  const Vector slope = encoding_->slopes();  // d encoded / d a at scale 1; 0 for categories and constants
  Rows out(x.rows(), x.cols());
  for (Index c = 0; c < x.cols(); ++c) {
    const double rate = slope[c] / lengthscale_;
    out.col(c) = -rate * rate * (weighted.rowwise().sum().cwiseProduct(x.col(c)) - weighted * y.col(c));
  }
  return out;
}

}  // namespace iqbo
