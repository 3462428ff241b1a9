// Arrays in and out.
//
// In: whatever NumPy can convert to an array of real numbers: lists, float32, strided and read-only arrays, DataFrames,
// trials. Another shape is refused with the argument's name, the shape found and the shape expected. Points are copied,
// so that objects outlive the arrays they came from; a large matrix of doubles in Fortran order is used in place.
//
// Out: matrices are handed over, not copied.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <string_view>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo::python {

namespace py = pybind11;
using namespace py::literals;  // NOLINT(google-build-using-namespace): "a"_a

// Any object, converted where its name is known. Signatures call it numpy.typing.ArrayLike.
class ArrayLike : public py::object {
 public:
  using py::object::object;
  ArrayLike(const py::object& other) : py::object(other) {}  // NOLINT(google-explicit-constructor)
  template <class Policy>
  ArrayLike(const py::detail::accessor<Policy>& item) : py::object(item) {}  // NOLINT(google-explicit-constructor)
  static bool check_(py::handle h) { return h.ptr() != nullptr; }
};
using OptionalArray = std::optional<ArrayLike>;

constexpr Index kAny = -1;  // any number

// (n, columns). One column: also (n,) or a number. Several: also (columns,), a single point. kAny: (n,) is one column.
Rows rows(const ArrayLike& values, std::string_view name, Index columns = kAny);
Vector vector(const ArrayLike& values, std::string_view name, Index size = kAny);     // (n,)
Vector vector_or_number(const ArrayLike& values, std::string_view name, Index size);  // or one for all

inline Inputs inputs(const ArrayLike& x, std::string_view name = "x", Index dimension = kAny) {
  return Inputs(rows(x, name, dimension), name);
}
inline Queries queries(const ArrayLike& a, std::string_view name = "a", Index dimension = kAny) {
  return Queries(rows(a, name, dimension), name);
}

// Views of numbers that somebody else owns, which are kept alive: (n,), and a matrix.
class VectorView {
 public:
  VectorView(const ArrayLike& values, std::string_view name, Index size = kAny);
  Eigen::Map<const Vector> operator*() const { return {array_.data(), array_.size()}; }
  Index size() const { return array_.size(); }

 private:
  py::array_t<double, py::array::c_style | py::array::forcecast> array_;
};

class MatrixView {
 public:
  MatrixView(const ArrayLike& values, std::string_view name, Index rows, Index columns);
  Eigen::Map<const Matrix> operator*() const { return {array_.data(), array_.shape(0), array_.shape(1)}; }

 private:
  py::array_t<double, py::array::f_style | py::array::forcecast> array_;
};

template <class Space>
py::object to_array(const Points<Space>& points) {
  return py::cast(points.coordinates());
}
template <class Space>
py::object to_array(Points<Space>&& points) {
  return py::cast(Rows(points.coordinates()));
}
py::object to_array(const std::vector<double>& values);
py::object to_array(const std::vector<std::vector<double>>& values);

// A read-only view of points that live as long as `owner`.
template <class Space>
py::object view_of(const Points<Space>& points, py::handle owner) {
  return py::cast(points.coordinates(), py::return_value_policy::reference_internal, owner);
}

std::string shape_of(const py::array& array);  // "(3, 2)"

}  // namespace iqbo::python

template <>
struct pybind11::detail::handle_type_name<iqbo::python::ArrayLike> {
  static constexpr auto name = const_name("numpy.typing.ArrayLike");
};
