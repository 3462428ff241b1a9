#include "steady_clock.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

namespace iqbo {

SteadyClock::SteadyClock() { std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, boot_); }

// Asks the kernel itself: programs that shift the time of a process do so by replacing the C library's clock_gettime().
// While the machine sleeps this clock stands still, as do the workers, whose leases therefore do not run out.
double SteadyClock::now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace iqbo
