// Prior means m(x) of f.
//
//   ConstantMean   m(x) = c
//   LinearMean     m(x) = c + slope . x
//   CallbackMean   m(x) = whatever the function returns for a batch of inputs
//
// c is the constant part: it passes unchanged through averages whose weights do not sum to one, such as learned ones
// (see average/expectation.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo {

class Mean {
 public:
  virtual ~Mean() = default;
  virtual std::shared_ptr<const Mean> clone() const = 0;

  virtual Index dimension() const = 0;  // of the inputs; 0 means any
  virtual Vector at(const Inputs& x) const = 0;

  // c, and its gradient in parameters().
  virtual double constant_part() const = 0;
  virtual Vector constant_gradient() const = 0;

  // m(E X) = E m(X) for every law of X: averages are then exact without quadrature.
  virtual bool is_affine() const = 0;

  // Parameters enter linearly: row i of jacobian(x) is d m(x_i) / d parameters. None for a callback.
  virtual std::vector<std::string> parameter_names() const = 0;
  virtual Vector parameters() const = 0;
  virtual std::shared_ptr<const Mean> with_parameters(const Vector& values) const = 0;
  virtual Matrix jacobian(const Inputs& x) const = 0;

 protected:
  Mean() = default;
  Mean(const Mean&) = default;
  Mean(Mean&&) = default;
  Mean& operator=(const Mean&) = default;
  Mean& operator=(Mean&&) = default;
};

class ConstantMean final : public Mean {
 public:
  explicit ConstantMean(double value = 0.0);

  std::shared_ptr<const Mean> clone() const override;
  Vector at(const Inputs& x) const override;
  Index dimension() const override { return 0; }
  double constant_part() const override { return value_; }
  Vector constant_gradient() const override { return Vector::Ones(1); }
  bool is_affine() const override { return true; }
  std::vector<std::string> parameter_names() const override { return {"mean"}; }
  Vector parameters() const override { return Vector::Constant(1, value_); }
  std::shared_ptr<const Mean> with_parameters(const Vector& values) const override;
  Matrix jacobian(const Inputs& x) const override;

 private:
  double value_;
};

class LinearMean final : public Mean {
 public:
  LinearMean(double constant, Vector slope);

  std::shared_ptr<const Mean> clone() const override;
  Vector at(const Inputs& x) const override;
  Index dimension() const override { return slope_.size(); }
  double constant_part() const override { return constant_; }
  Vector constant_gradient() const override { return Vector::Unit(1 + slope_.size(), 0); }
  bool is_affine() const override { return true; }
  std::vector<std::string> parameter_names() const override;  // mean, slope[0], ...
  Vector parameters() const override;
  std::shared_ptr<const Mean> with_parameters(const Vector& values) const override;
  Matrix jacobian(const Inputs& x) const override;

 private:
  double constant_;
  Vector slope_;
};

class CallbackMean final : public Mean {
 public:
  using Function = std::function<Vector(const Inputs&)>;

  // The function must return one finite number per input; exceptions that it throws propagate.
  explicit CallbackMean(Function function);

  std::shared_ptr<const Mean> clone() const override;
  Vector at(const Inputs& x) const override;
  Index dimension() const override { return 0; }
  double constant_part() const override { return 0.0; }
  Vector constant_gradient() const override { return {}; }
  bool is_affine() const override { return false; }
  std::vector<std::string> parameter_names() const override { return {}; }
  Vector parameters() const override { return {}; }
  std::shared_ptr<const Mean> with_parameters(const Vector& values) const override;
  Matrix jacobian(const Inputs& x) const override { return Matrix(x.size(), 0); }
  const Function& function() const { return function_; }

 private:
  Function function_;
};

}  // namespace iqbo
