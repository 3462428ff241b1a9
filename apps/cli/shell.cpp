#include "shell.hpp"

#include <string_view>

namespace iqbo::cli {

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  return text.empty() || text.find_first_not_of(kPlain) != std::string::npos ? shell_quoted(text) : text;
}

}  // namespace iqbo::cli
