#include "columns.hpp"

namespace iqbo::python {

bool is_table(const py::object& given) { return !py::isinstance<py::array>(given) && py::hasattr(given, "columns"); }

ArrayLike Columns::read(const py::object& conditional, const ArrayLike& given, const char* space,
                        const char* name) const {
  if (!is_table(given)) return given;
  if (!any()) held_ = py::module_::import("iqbo._columns").attr("Columns")(conditional);
  return held_.attr("read")(given, space, name);
}

ArrayLike Columns::learn(const py::object& conditional, const ArrayLike& given, const char* space, const char* name,
                         Columns& told) const {
  if (!is_table(given)) return given;
  if (!any()) held_ = py::module_::import("iqbo._columns").attr("Columns")(conditional);
  const py::tuple out = held_.attr("learn")(given, space, name);
  told = Columns(out[0]);
  return py::object(out[1]);
}

}  // namespace iqbo::python
