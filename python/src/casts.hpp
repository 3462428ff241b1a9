// Converts Python's objects to C++. An object of another type is refused by name, with what was found and what was
// expected; pybind11 alone would say "Unable to cast Python instance to C++ type".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "arrays.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::python {

std::string brief(py::handle value);  // for a repr: a short array in full, a long one by its shape

py::function function_from(const py::object& value, std::string_view name);

// An object of one of the library's own classes. The reference lives as long as `value`.
template <class T>
const T& object_from(py::handle value, std::string_view name, std::string_view expected) {
  if (!py::isinstance<T>(value)) refuse(name, brief(value), expected);
  return value.cast<const T&>();
}

// An element of a list: "terms[1]: 3, expected a Kernel".
template <class T>
const T& item_from(const py::list& list, std::size_t i, std::string_view name, std::string_view expected) {
  return object_from<T>(list[i], std::string(name) + "[" + std::to_string(i) + "]", expected);
}

template <class T>
struct InWords {
  static std::string text() {
    if constexpr (std::is_same_v<T, bool>) return "True or False";
    if constexpr (std::is_integral_v<T>) return std::is_unsigned_v<T> ? "a whole number from 0" : "a whole number";
    if constexpr (std::is_floating_point_v<T>) return "a number";
    if constexpr (std::is_same_v<T, std::string>) return "a text";
    return "a value of another type";
  }
};
template <class T>
struct InWords<std::optional<T>> {
  static std::string text() { return InWords<T>::text() + " or None"; }
};
template <class T>
struct InWords<std::vector<T>> {
  static std::string text() { return "a list, each " + InWords<T>::text(); }
};

// A plain value.
template <class T>
T value_from(py::handle value, std::string_view name) {
  try {
    return value.cast<T>();
  } catch (const py::cast_error&) {
    refuse(name, brief(value), InWords<T>::text());
  }
}

}  // namespace iqbo::python
