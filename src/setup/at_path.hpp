// Prefixes what a constructor refuses with the JSON path of its arguments; "kernel." if the arguments are keys.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace iqbo::internal {

template <class Make>
auto at_path(const char* path, const Make& make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    if (text.rfind(path, 0) == 0) throw;
    throw std::invalid_argument(std::string(path) + (std::string_view(path).ends_with('.') ? "" : ": ") + text);
  }
}

}  // namespace iqbo::internal
