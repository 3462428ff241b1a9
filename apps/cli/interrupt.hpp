// Ctrl-C. Long work asks interrupted() between its steps, or calls stop_if_interrupted().
#pragma once

#include <exception>

namespace iqbo::cli {

struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// From now on the first SIGINT or SIGTERM sets the flag; a second one ends the program at once.
void watch_for_interrupts();

bool interrupted();
void stop_if_interrupted();  // throws Interrupted

}  // namespace iqbo::cli
