#include "iqbo/kernel/mean.hpp"

#include <utility>

namespace iqbo {

ConstantMean::ConstantMean(double value) : value_(value) { require_finite(value_, "mean"); }

std::shared_ptr<const Mean> ConstantMean::clone() const { return std::make_shared<ConstantMean>(*this); }

Vector ConstantMean::at(const Inputs& x) const { return Vector::Constant(x.size(), value_); }

std::shared_ptr<const Mean> ConstantMean::with_parameters(const Vector& values) const {
  require_rows(values.size(), 1, "mean parameters");
  return std::make_shared<ConstantMean>(values[0]);
}

Matrix ConstantMean::jacobian(const Inputs& x) const { return Matrix::Ones(x.size(), 1); }

LinearMean::LinearMean(double constant, Vector slope) : constant_(constant), slope_(std::move(slope)) {
  require_finite(constant_, "constant");
  require_not_empty(slope_.size(), "slope");
  require_finite(slope_, "slope");
}

std::shared_ptr<const Mean> LinearMean::clone() const { return std::make_shared<LinearMean>(*this); }

Vector LinearMean::at(const Inputs& x) const {
  require_columns(x.dimension(), slope_.size(), InputSpace::kName);
  return ((x.coordinates() * slope_).array() + constant_).matrix();
}

std::vector<std::string> LinearMean::parameter_names() const {
  std::vector<std::string> names{"mean"};
  for (Index c = 0; c < slope_.size(); ++c) names.push_back("slope[" + std::to_string(c) + "]");
  return names;
}

Vector LinearMean::parameters() const {
  Vector values(1 + slope_.size());
  values << constant_, slope_;
  return values;
}

std::shared_ptr<const Mean> LinearMean::with_parameters(const Vector& values) const {
  require_rows(values.size(), 1 + slope_.size(), "mean parameters");
  return std::make_shared<LinearMean>(values[0], values.tail(slope_.size()));
}

Matrix LinearMean::jacobian(const Inputs& x) const {
  require_columns(x.dimension(), slope_.size(), InputSpace::kName);
  Matrix out(x.size(), 1 + slope_.size());
  out << Vector::Ones(x.size()), x.coordinates();
  return out;
}

CallbackMean::CallbackMean(Function function) : function_(std::move(function)) {
  if (!function_) refuse("mean", "an empty function", "a function of Inputs");
}

std::shared_ptr<const Mean> CallbackMean::clone() const { return std::make_shared<CallbackMean>(*this); }

Vector CallbackMean::at(const Inputs& x) const {
  Vector values = function_(x);
  require_rows(values.size(), x.size(), "mean(x)");
  require_finite(values, "mean(x)");
  return values;
}

std::shared_ptr<const Mean> CallbackMean::with_parameters(const Vector& values) const {
  require_rows(values.size(), 0, "mean parameters");
  return clone();
}

}  // namespace iqbo
