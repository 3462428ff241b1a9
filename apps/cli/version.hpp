// What a document says about the program that made it.
#pragma once

#include <chrono>

#include "report/colophon.hpp"

namespace iqbo::cli {

constexpr const char* kProgram = "iqbo " IQBO_VERSION;

inline internal::Colophon colophon() {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return {kProgram, now.count()};
}

}  // namespace iqbo::cli
