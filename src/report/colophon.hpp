// Who made a document, and when.
#pragma once

#include <string>

namespace iqbo::internal {

struct Colophon {
  std::string program;  // "iqbo 0.1.0"
  double made = 0;      // seconds since 1970
};

}  // namespace iqbo::internal
