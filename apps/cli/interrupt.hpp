// Ctrl-C. Long computations check interrupted() between their steps, or call stop_if_interrupted().
#pragma once

#include <exception>

namespace iqbo::cli {

struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// From now on the first SIGINT or SIGTERM sets the flag; a second one ends the program at once. A signal that our
// parent process has set to be ignored, as shells do for background jobs, stays ignored.
void watch_for_interrupts();

bool interrupted();
void stop_if_interrupted();  // throws Interrupted

}  // namespace iqbo::cli
