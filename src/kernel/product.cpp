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
    factor.kernel = Stationary(1.0, factor.kernel.part());
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

std::string Product::description() const {
  std::string out;
  for (const auto& [kernel, columns] : factors_) {
    out += (out.empty() ? "(" : ", (") + kernel.description() + ", [";
    for (std::size_t c = 0; c < columns.size(); ++c) out += (c == 0 ? "" : ", ") + std::to_string(columns[c]);
    out += "])";
  }
  return "Product([" + out + "], variance " + readable(variance_) + ")";
}

// A factor's own names count its own columns; here they are replaced by the columns of the product. A parameter shared
// by all columns of a factor takes the number of the first of them.
std::vector<std::string> Product::parameter_names() const {
  std::vector<std::string> names{"variance"};
  for (const auto& [kernel, columns] : factors_)
    for (const std::string& name : kernel.family().parameter_names(kernel.dimension())) {
      const auto bracket = name.find('[');
      const std::size_t own = bracket == std::string::npos ? 0 : std::stoul(name.substr(bracket + 1));
      names.push_back(name.substr(0, bracket) + "[" + std::to_string(columns[own]) + "]");
    }
  return names;
}

Vector Product::log_parameters() const {
  std::vector<double> theta{std::log(variance_)};
  for (const auto& [kernel, columns] : factors_) {
    const Vector own = kernel.log_parameters();
    theta.insert(theta.end(), own.begin() + 1, own.end());
  }
  return Eigen::Map<const Vector>(theta.data(), static_cast<Index>(theta.size()));
}

std::shared_ptr<const Kernel> Product::with_log_parameters(const Vector& theta) const {
  const Vector values = positive_parameters(theta);
  auto out = std::make_shared<Product>(*this);
  out->variance_ = values[0];
  Index at = 1;
  for (auto& [kernel, columns] : out->factors_) {
    const Index count = kernel.part()->parameters().size();
    kernel = Stationary(1.0, kernel.part()->with_parameters(values.segment(at, count)));
    at += count;
  }
  return out;
}

std::vector<KernelTerm> Product::stationary_terms() const {
  KernelTerm out{KernelTerm::Kind::kProduct, variance_, {}};
  for (const auto& [kernel, columns] : factors_) out.factors.push_back({kernel.part(), columns});
  return {out};
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
  std::vector<double> gradient{0.0};
  for (std::size_t g = 0; g < factors_.size(); ++g) {
    const auto& factor = factors_[g];
    const Vector own =
        factor.kernel.parameter_gradient(columns_of(x, factor), columns_of(y, factor), others(x, y, weight, g));
    gradient[0] = own[0];  // the same for every factor: d k / d log variance = k
    gradient.insert(gradient.end(), own.begin() + 1, own.end());
  }
  return Eigen::Map<const Vector>(gradient.data(), static_cast<Index>(gradient.size()));
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
