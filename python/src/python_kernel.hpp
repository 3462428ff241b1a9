// A kernel written in Python: a class derived from iqbo.kernels.Kernel that defines evaluate(x, y, parameters).
//
// Every call takes the interpreter's lock, so that C++ may evaluate it from any thread; copies share the Python object.
#pragma once

#include "calls.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo::python {

class PythonKernel final : public Kernel {
 public:
  PythonKernel(Index dimension, std::vector<std::string> names, Vector theta);
  PythonKernel(Index dimension, const py::dict& parameters);  // positive numbers by name

  std::shared_ptr<const Kernel> clone() const override;
  std::string description() const override;
  Index dimension() const override { return dimension_; }
  std::vector<std::string> parameter_names() const override { return names_; }
  Vector log_parameters() const override { return theta_; }
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override;

  Matrix evaluate(const Rows& x, const Rows& y) const override;
  Vector evaluate_diagonal(const Rows& x) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;

 private:
  py::object self() const;
  py::dict parameters() const;

  Index dimension_;
  std::vector<std::string> names_;
  Vector theta_;
};

}  // namespace iqbo::python
