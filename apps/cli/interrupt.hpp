// Ctrl-C. Long work asks interrupted() between its steps, or calls stop_if_interrupted().
#pragma once

#include <exception>

namespace iqbo::cli {

struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// From now on the first SIGINT or SIGTERM sets the flag; a second one ends the program at once. One that whoever started us wants
// ignored, as shells do for what runs in the background, is.
void watch_for_interrupts();

bool interrupted();
void stop_if_interrupted();  // throws Interrupted

}  // namespace iqbo::cli
