// The commands of iqbo. Each adds itself to the application; its callback does the work and may throw:
//
//   std::invalid_argument, StorageError   a mistake of the user's: the message, exit code 2
//   Interrupted                           Ctrl-C: what was finished is kept, exit code 130
//   anything else                         a defect: the message and where to report it, exit code 1
#pragma once

#include <CLI/CLI.hpp>

namespace iqbo::cli {

constexpr int kDone = 0;
constexpr int kDefect = 1;
constexpr int kUserError = 2;
constexpr int kInterrupted = 130;

}  // namespace iqbo::cli
