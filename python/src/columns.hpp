// DataFrames that are given to an object are read by the names of their columns: iqbo._columns says how.
#pragma once

#include "arrays.hpp"

namespace iqbo::python {

bool is_table(const py::object& given);  // that has columns

class Columns {
 public:
  Columns() = default;
  explicit Columns(py::object held) : held_(std::move(held)) {}

  bool any() const { return held_.ptr() != nullptr && !held_.is_none(); }
  py::object held() const { return any() ? held_ : py::none(); }  // an iqbo._columns.Columns, or None

  Columns under(const py::object& conditional) const {
    return any() ? Columns(held_.attr("under")(conditional)) : Columns();
  }

  // The points that a table holds, in the order of the coordinates of `space`, "x" or "a". Anything else unchanged.
  ArrayLike read(const py::object& conditional, const ArrayLike& given, const char* space, const char* name) const;
  // The same of a table that belongs to the object: `told` also knows its names.
  ArrayLike learn(const py::object& conditional, const ArrayLike& given, const char* space, const char* name,
                  Columns& told) const;

 private:
  mutable py::object held_;  // made when the first table is given
};

}  // namespace iqbo::python
