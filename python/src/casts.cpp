#include "casts.hpp"

namespace iqbo::python {

using namespace internal;

std::string brief(py::handle value) {
  constexpr std::size_t kShown = 6;
  constexpr std::size_t kLetters = 60;
  if (py::isinstance<py::array>(value)) {
    const auto array = py::reinterpret_borrow<py::array>(value);
    if (array.size() > static_cast<py::ssize_t>(kShown)) return "<array " + shape_of(array) + ">";
    return brief(array.attr("tolist")());
  }
  if (py::isinstance<py::float_>(value)) return readable(value.cast<double>());
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    const auto list = py::reinterpret_borrow<py::sequence>(value);
    if (list.size() > kShown) return "<" + std::to_string(list.size()) + " items>";
    std::string out;
    for (const auto& item : list) out += (out.empty() ? "" : ", ") + brief(item);
    return "[" + out + "]";
  }
  if (py::isinstance<py::str>(value)) return in_quotes(value.cast<std::string>());
  const std::string text = py::repr(value);
  return text.size() <= kLetters ? text : text.substr(0, kLetters) + "...";
}

py::function function_from(const py::object& value, std::string_view name) {
  if (PyCallable_Check(value.ptr()) == 0) refuse(name, brief(value), "a function");
  return py::reinterpret_borrow<py::function>(value);
}

}  // namespace iqbo::python
