// Text quoted for a shell.
#pragma once

#include <string>

namespace iqbo::cli {

std::string shell_quoted(const std::string& text);
std::string shell_word(const std::string& text);  // in quotes only if it contains blanks, a dollar sign, ...

}  // namespace iqbo::cli
