#include "iqbo/kernel/stationary.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace iqbo {
namespace {

std::string listed(const Eigen::Ref<const Vector>& values) {
  if (values.size() == 1) return readable(values[0]);
  std::string out;
  for (const double value : values) out += (out.empty() ? "[" : ", ") + readable(value);
  return out + "]";
}

}  // namespace

Stationary::Stationary(std::string_view family, double variance, Vector lengthscale, Vector shape)
    : variance_(variance) {
  require_positive(variance_, "variance");
  const StationaryFamily& known = family_of(family);
  part_ = known.make(known, std::move(lengthscale), std::move(shape));
}

Stationary::Stationary(double variance, std::shared_ptr<const StationaryPart> part)
    : variance_(variance), part_(std::move(part)) {
  require_positive(variance_, "variance");
  if (!part_) refuse("part", "is a null pointer", "a stationary part");
}

std::shared_ptr<const Kernel> Stationary::clone() const { return std::make_shared<Stationary>(*this); }

std::string Stationary::description() const {
  std::string out = family().class_name + "(variance=" + readable(variance_) + ", lengthscale=" + listed(lengthscale());
  Index at = 0;
  for (const ShapeParameter& each : family().shape) {
    const Index size = each.per_column ? dimension() : 1;
    out += ", " + each.name + "=" + listed(shape().segment(at, size));
    at += size;
  }
  return out + ")";
}

std::vector<std::string> Stationary::parameter_names() const {
  std::vector<std::string> names = family().parameter_names(dimension());
  names.insert(names.begin(), "variance");
  return names;
}

Vector Stationary::log_parameters() const {
  const Vector own = part_->parameters();
  Vector theta(1 + own.size());
  theta << std::log(variance_), own.array().log().matrix();
  return theta;
}

std::shared_ptr<const Kernel> Stationary::with_log_parameters(const Vector& theta) const {
  const Vector values = positive_parameters(theta);
  return std::make_shared<Stationary>(values[0], part_->with_parameters(values.tail(values.size() - 1)));
}

std::vector<KernelTerm> Stationary::stationary_terms() const {
  std::vector<Index> columns(static_cast<std::size_t>(dimension()));
  std::iota(columns.begin(), columns.end(), Index{0});
  return {{KernelTerm::Kind::kProduct, variance_, {{part_, std::move(columns)}}}};
}

Matrix Stationary::evaluate(const Rows& x, const Rows& y) const { return part_->evaluate(x, y, variance_); }

Vector Stationary::evaluate_diagonal(const Rows& x) const { return Vector::Constant(x.rows(), variance_); }

Vector Stationary::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  return variance_ * part_->parameter_gradient(x, y, weight);
}

Rows Stationary::input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  return part_->input_gradient(x, y, weight, variance_);
}

}  // namespace iqbo
