#include "python_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "casts.hpp"

namespace iqbo::python {
namespace {

Matrix checked(const py::object& answer, const std::string& name, Index rows, Index columns) {
  const Matrix out = *MatrixView(value_from<ArrayLike>(answer, name), name, rows, columns);
  require_finite(Rows(out), name);
  return out;
}

}  // namespace

PythonKernel::PythonKernel(Index dimension, std::vector<std::string> names, Vector theta)
    : dimension_(dimension), names_(std::move(names)), theta_(std::move(theta)) {
  if (dimension_ < 1) refuse("dimension", "is " + std::to_string(dimension_), "at least 1");
  require_rows(theta_.size(), static_cast<Index>(names_.size()), "theta");
}

PythonKernel::PythonKernel(Index dimension, const py::dict& parameters) : PythonKernel(dimension, {}, Vector()) {
  theta_.resize(static_cast<Index>(parameters.size()));
  for (const auto& [key, value] : parameters) {
    const auto name = value_from<std::string>(key, "parameters");
    const auto number = value_from<double>(value, name);
    require_positive(number, name);
    theta_[static_cast<Index>(names_.size())] = std::log(number);
    names_.push_back(name);
  }
}

// The Python object whose C++ side this is.
py::object PythonKernel::self() const {
  return py::cast(static_cast<const Kernel*>(this), py::return_value_policy::reference);
}

py::dict PythonKernel::parameters() const {
  py::dict out;
  for (std::size_t p = 0; p < names_.size(); ++p) out[names_[p].c_str()] = std::exp(theta_[static_cast<Index>(p)]);
  return out;
}

std::shared_ptr<const Kernel> PythonKernel::clone() const {
  const py::gil_scoped_acquire lock;
  const auto forget = [held = new py::object(self())](const Kernel*) {
    const py::gil_scoped_acquire once_more;
    delete held;
  };
  return {this, forget};
}

std::string PythonKernel::description() const {
  const py::gil_scoped_acquire lock;
  std::ostringstream out;
  out.precision(12);
  out << py::type::of(self()).attr("__name__").cast<std::string>() << "(";
  for (std::size_t p = 0; p < names_.size(); ++p)
    out << names_[p] << "=" << std::exp(theta_[static_cast<Index>(p)]) << ", ";
  out << "evaluated in Python, slowly)";
  return out.str();
}

std::shared_ptr<const Kernel> PythonKernel::with_log_parameters(const Vector& theta) const {
  positive_parameters(theta);
  const py::gil_scoped_acquire lock;
  const py::object mine = self();  // made as pickle does it, because its __init__ has arguments of its own
  const py::object type = py::type::of(mine);
  const py::object other = type.attr("__new__")(type);
  other.attr("__setstate__")(py::make_tuple(dimension_, names_, theta, py::dict(mine.attr("__dict__"))));
  return other.cast<const Kernel&>().clone();
}

Matrix PythonKernel::evaluate(const Rows& x, const Rows& y) const {
  const py::gil_scoped_acquire lock;
  const py::function own = py::get_override(static_cast<const Kernel*>(this), "evaluate");
  if (!own)
    throw py::type_error("a kernel derived from iqbo.kernels.Kernel must define evaluate(self, x, y, parameters)");
  return checked(own(x, y, parameters()), "evaluate(x, y, parameters)", x.rows(), y.rows());
}

Vector PythonKernel::evaluate_diagonal(const Rows& x) const {
  {
    const py::gil_scoped_acquire lock;
    if (const py::function own = py::get_override(static_cast<const Kernel*>(this), "evaluate_diagonal"))
      return vector(own(x, parameters()), "evaluate_diagonal(x, parameters)", x.rows());
  }
  constexpr Index kBlock = 32;  // few calls, and few entries computed in vain
  Vector out(x.rows());
  for (Index begin = 0; begin < x.rows(); begin += kBlock) {
    const Rows some = x.middleRows(begin, std::min(kBlock, x.rows() - begin));
    out.segment(begin, some.rows()) = evaluate(some, some).diagonal();
  }
  return out;
}

Vector PythonKernel::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  {
    const py::gil_scoped_acquire lock;
    if (const py::function own = py::get_override(static_cast<const Kernel*>(this), "parameter_gradient"))
      return vector(own(x, y, weight, parameters()), "parameter_gradient(x, y, weight, parameters)", theta_.size());
  }
  return Kernel::parameter_gradient(x, y, weight);
}

Rows PythonKernel::input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  {
    const py::gil_scoped_acquire lock;
    if (const py::function own = py::get_override(static_cast<const Kernel*>(this), "input_gradient"))
      return checked(own(x, y, weight, parameters()), "input_gradient(x, y, weight, parameters)", x.rows(), x.cols());
  }
  return Kernel::input_gradient(x, y, weight);
}

}  // namespace iqbo::python
