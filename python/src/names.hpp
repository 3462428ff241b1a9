// Values of an enumeration, which Python sees by name. An unknown name is refused with the nearest.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::python {

template <class Enum, std::size_t N>
using Names = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
Enum value_of(const Names<Enum, N>& names, std::string_view text, std::string_view argument) {
  std::vector<std::string> known;
  for (const auto& [value, name] : names) {
    if (name == text) return value;
    known.emplace_back(name);
  }
  refuse(argument, internal::in_quotes(text), internal::expected_names(text, known));
}

template <class Enum, std::size_t N>
std::string name_of(const Names<Enum, N>& names, Enum wanted) {
  for (const auto& [value, name] : names)
    if (value == wanted) return std::string(name);
  return "?";
}

}  // namespace iqbo::python
