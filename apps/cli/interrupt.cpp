#include "interrupt.hpp"

#include <csignal>

namespace iqbo::cli {
namespace {

volatile std::sig_atomic_t signalled = 0;

extern "C" void on_signal(int signal) {
  signalled = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_for_interrupts() {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, SIG_IGN) != SIG_IGN) std::signal(signal, on_signal);
}

bool interrupted() { return signalled != 0; }

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace iqbo::cli
