// LD_PRELOAD: a process whose wall clock is off by JUMP seconds.
#include <dlfcn.h>

#include <cstdlib>
#include <ctime>

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Function = int (*)(clockid_t, timespec*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  static const char* const jump = std::getenv("JUMP");
  const int result = next(clock, time);
  if (clock == CLOCK_REALTIME && jump != nullptr) time->tv_sec += std::atol(jump);
  return result;
}
