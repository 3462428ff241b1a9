#include "broken_locks.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>

namespace {

std::atomic<bool> locks_are_broken = false;
constexpr int kSetLock = 6;  // F_SETLK on Linux; <fcntl.h> would declare what we define

int passed_on(const char* name, int file, int command, void* argument) {
  if (locks_are_broken && command == kSetLock) {
    errno = ENOLCK;
    return -1;
  }
  using Function = int (*)(int, int, ...);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  return next(file, command, argument);
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return passed_on("fcntl", file, command, argument);
}
__attribute__((visibility("default"))) int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return passed_on("fcntl64", file, command, argument);
}
}

namespace iqbo::test {

BrokenLocks::BrokenLocks() { locks_are_broken = true; }
BrokenLocks::~BrokenLocks() { locks_are_broken = false; }

}  // namespace iqbo::test
