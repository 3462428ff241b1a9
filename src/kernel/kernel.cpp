#include "iqbo/kernel/kernel.hpp"

#include <algorithm>
#include <cmath>

namespace iqbo {

std::string Kernel::description() const {
  const auto names = parameter_names();
  const Vector values = log_parameters().array().exp();
  std::string out = "Kernel(" + std::to_string(dimension()) + " coordinates";
  for (std::size_t p = 0; p < names.size(); ++p) out += ", " + names[p] + "=" + readable(values[static_cast<Index>(p)]);
  return out + ")";
}

Vector Kernel::positive_parameters(const Vector& theta) const {
  require_rows(theta.size(), log_parameters().size(), "theta");
  require_finite(theta, "theta");
  Vector values = theta.unaryExpr([](double t) { return std::exp(t); });  // Eigen's own exp never reaches 0
  require_positive(values, "exp(theta)");
  return values;
}

Vector Kernel::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  constexpr double kStep = 1e-5;
  const Vector theta = log_parameters();
  const auto at = [&](Index p, double step) {
    return with_log_parameters(theta + step * Vector::Unit(theta.size(), p))->evaluate(x, y);
  };
  Vector gradient(theta.size());
  for (Index p = 0; p < theta.size(); ++p)
    gradient[p] = weight.cwiseProduct(at(p, kStep) - at(p, -kStep)).sum() / (2.0 * kStep);
  return gradient;
}

Rows Kernel::input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  constexpr double kStep = 1e-5;
  Rows gradient(x.rows(), x.cols());
  for (Index c = 0; c < x.cols(); ++c) {
    Rows ahead = x, behind = x;
    ahead.col(c).array() += kStep * x.col(c).array().abs().max(1.0);
    behind.col(c).array() -= kStep * x.col(c).array().abs().max(1.0);
    const Vector rise = weight.cwiseProduct(evaluate(ahead, y) - evaluate(behind, y)).rowwise().sum();
    gradient.col(c) = rise.cwiseQuotient(ahead.col(c) - behind.col(c));
  }
  return gradient;
}

bool is_stationary(const Kernel& kernel) {
  const auto terms = kernel.stationary_terms();
  return std::none_of(terms.begin(), terms.end(),
                      [](const KernelTerm& term) { return term.kind == KernelTerm::Kind::kOpaque; });
}

// A kernel is symmetric: both of its arguments contribute equally.
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
