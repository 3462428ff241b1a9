#include "iqbo/kernel/product.hpp"

#include <cmath>
#include <utility>

namespace iqbo {
namespace {

Rows columns_of(const Rows& x, const Product::Factor& factor) { return x(Eigen::all, factor.columns); }

}  // namespace

Product::Product(std::vector<Factor> factors) : factors_(std::move(factors)) {
  require_not_empty(static_cast<Index>(factors_.size()), "factors");
  for (std::size_t g = 0; g < factors_.size(); ++g) {
    auto& factor = factors_[g];
    if (static_cast<Index>(factor.columns.size()) != factor.kernel.dimension())
      refuse("factors", "row " + std::to_string(g) + " has " + std::to_string(factor.columns.size()) + " columns",
             std::to_string(factor.kernel.dimension()));
    variance_ *= factor.kernel.variance();
    factor.kernel = Stationary(factor.kernel.family(), 1.0, factor.kernel.lengthscale());
    dimension_ += factor.kernel.dimension();
  }
  require_positive(variance_, "product of the factors' variances");
  std::vector<bool> used(static_cast<std::size_t>(dimension_), false);
  for (std::size_t g = 0; g < factors_.size(); ++g)
    for (const Index column : factors_[g].columns) {
      if (column < 0 || column >= dimension_ || used[static_cast<std::size_t>(column)])
        refuse("factors", "row " + std::to_string(g) + " uses column " + std::to_string(column),
               "each of the columns 0 to " + std::to_string(dimension_ - 1) + " exactly once");
      used[static_cast<std::size_t>(column)] = true;
    }
}

std::shared_ptr<const Kernel> Product::clone() const { return std::make_shared<Product>(*this); }

std::vector<std::string> Product::parameter_names() const {
  std::vector<std::string> names{"variance"};
  for (const auto& factor : factors_)
    for (const Index column : factor.columns) names.push_back("lengthscale[" + std::to_string(column) + "]");
  return names;
}

Vector Product::log_parameters() const {
  Vector theta(1 + dimension_);
  theta[0] = std::log(variance_);
  Index at = 1;
  for (const auto& [kernel, columns] : factors_) {
    theta.segment(at, kernel.dimension()) = kernel.lengthscale().array().log();
    at += kernel.dimension();
  }
  return theta;
}

std::shared_ptr<const Kernel> Product::with_log_parameters(const Vector& theta) const {
  const Vector values = positive_parameters(theta);
  auto out = std::make_shared<Product>(*this);
  out->variance_ = values[0];
  Index at = 1;
  for (auto& [kernel, columns] : out->factors_) {
    kernel = Stationary(kernel.family(), 1.0, values.segment(at, kernel.dimension()));
    at += kernel.dimension();
  }
  return out;
}

Matrix Product::evaluate(const Rows& x, const Rows& y) const {
  Matrix out = Matrix::Constant(x.rows(), y.rows(), variance_);
  for (const auto& factor : factors_)
    out.array() *= factor.kernel.evaluate(columns_of(x, factor), columns_of(y, factor)).array();
  return out;
}

Vector Product::evaluate_diagonal(const Rows& x) const { return Vector::Constant(x.rows(), variance_); }

Matrix Product::others(const Rows& x, const Rows& y, const Matrix& weight, std::size_t left_out) const {
  Matrix out = variance_ * weight;
  for (std::size_t g = 0; g < factors_.size(); ++g)
    if (g != left_out)
      out.array() *= factors_[g].kernel.evaluate(columns_of(x, factors_[g]), columns_of(y, factors_[g])).array();
  return out;
}

Vector Product::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  Vector gradient(1 + dimension_);
  Index at = 1;
  for (std::size_t g = 0; g < factors_.size(); ++g) {
    const auto& factor = factors_[g];
    const Vector own =
        factor.kernel.parameter_gradient(columns_of(x, factor), columns_of(y, factor), others(x, y, weight, g));
    gradient[0] = own[0];  // the same for every factor: d k / d log variance = k
    gradient.segment(at, factor.kernel.dimension()) = own.tail(factor.kernel.dimension());
    at += factor.kernel.dimension();
  }
  return gradient;
}

Rows Product::input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  Rows gradient(x.rows(), dimension_);
  for (std::size_t g = 0; g < factors_.size(); ++g) {
    const auto& factor = factors_[g];
    gradient(Eigen::all, factor.columns) =
        factor.kernel.input_gradient(columns_of(x, factor), columns_of(y, factor), others(x, y, weight, g));
  }
  return gradient;
}

}  // namespace iqbo
