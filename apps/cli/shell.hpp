// Text as a shell must be given it.
#pragma once

#include <string>

namespace iqbo::cli {

std::string shell_quoted(const std::string& text);
std::string shell_word(const std::string& text);  // in quotes only where it has blanks, a dollar sign, ...

}  // namespace iqbo::cli
