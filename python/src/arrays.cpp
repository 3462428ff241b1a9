#include "arrays.hpp"

namespace iqbo::python {
namespace {

using Dense = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::string type_name(py::handle object) { return py::str(py::type::of(object).attr("__name__")); }

// Real numbers only: NumPy would read texts as numbers and drop imaginary parts.
void require_real(const py::array& array, py::handle given, std::string_view name) {
  const char kind = array.dtype().kind();
  if (std::string_view("biuf").find(kind) != std::string_view::npos) return;
  const std::string found = kind == 'O' ? type_name(given) : "array of dtype " + std::string(py::str(array.dtype()));
  refuse(name, found, "an array of real numbers");
}

// NumPy would hand over what is below the mask.
void require_unmasked(py::handle values, std::string_view name) {
  const auto* plain = reinterpret_cast<PyObject*>(py::detail::npy_api::get().PyArray_Type_);
  if (reinterpret_cast<PyObject*>(Py_TYPE(values.ptr())) == plain || !py::hasattr(values, "mask")) return;
  py::module_::import("iqbo._tables").attr("require_unmasked")(values, py::str(std::string(name)));
}

template <class Array>
Array real_array(const ArrayLike& values, std::string_view name) {
  require_unmasked(values, name);
  if (Array::check_(values)) return py::reinterpret_borrow<Array>(values);  // the usual case: nothing to convert
  const auto as_array = py::module_::import("numpy").attr("asarray");
  try {
    py::array array = as_array(values);
    if (array.dtype().kind() == 'O')
      array = as_array(array, "dtype"_a = "float64");  // such as lists of Decimals, but not lists of lists
    require_real(array, values, name);
    return Array::ensure(array);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    refuse(name, type_name(values) + " that is no array of numbers", "an array of real numbers, rows of one length");
  }
}

std::string expected_points(Index columns) {
  if (columns == kAny) return "shape (n, d)";
  if (columns == 1) return "shape (n, 1) or (n,)";
  return "shape (n, " + std::to_string(columns) + ")";
}

}  // namespace

std::string shape_of(const py::array& array) { return py::str(py::tuple(array.attr("shape"))); }

Rows rows(const ArrayLike& values, std::string_view name, Index columns) {
  const Dense array = real_array<Dense>(values, name);
  const auto wrong = [&] { refuse(name, "shape " + shape_of(array), expected_points(columns)); };
  if (array.ndim() > 2) wrong();
  const bool flat = array.ndim() < 2;
  const bool one = flat && columns > 1;  // one point, or points on a line
  const Index n = one ? 1 : array.ndim() == 0 ? 1 : array.shape(0);
  const Index d = one ? array.size() : flat ? 1 : array.shape(1);
  if (columns != kAny && d != columns && !(n == 0 && flat)) wrong();
  return Eigen::Map<const Rows>(array.data(), n, n == 0 && flat && columns > 0 ? columns : d);
}

VectorView::VectorView(const ArrayLike& values, std::string_view name, Index size)
    : array_(real_array<Dense>(values, name)) {
  const bool number = array_.ndim() == 0 && (size == kAny || size == 1);
  if (!number && (array_.ndim() != 1 || (size != kAny && array_.size() != size)))
    refuse(name, "shape " + shape_of(array_), size == kAny ? "shape (n,)" : "shape (" + std::to_string(size) + ",)");
}

Vector vector(const ArrayLike& values, std::string_view name, Index size) { return *VectorView(values, name, size); }

Vector vector_or_number(const ArrayLike& values, std::string_view name, Index size) {
  const Dense array = real_array<Dense>(values, name);
  if (array.ndim() == 0) return Vector::Constant(size, *array.data());
  if (array.ndim() != 1 || array.size() != size)
    refuse(name, "shape " + shape_of(array), "a number or shape (" + std::to_string(size) + ",)");
  return Eigen::Map<const Vector>(array.data(), array.size());
}

MatrixView::MatrixView(const ArrayLike& values, std::string_view name, Index rows, Index columns)
    : array_(real_array<decltype(array_)>(values, name)) {
  const auto of = [](Index size, const char* letter) { return size == kAny ? letter : std::to_string(size); };
  if (array_.ndim() != 2 || (rows != kAny && array_.shape(0) != rows) ||
      (columns != kAny && array_.shape(1) != columns))
    refuse(name, "shape " + shape_of(array_), "shape (" + of(rows, "n") + ", " + of(columns, "m") + ")");
}

py::object to_array(const std::vector<double>& values) {
  return py::cast(Vector(Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()))));
}

py::object to_array(const std::vector<std::vector<double>>& values) {
  Rows out(static_cast<Index>(values.size()), values.empty() ? 0 : static_cast<Index>(values[0].size()));
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = values[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return py::cast(std::move(out));
}

}  // namespace iqbo::python
