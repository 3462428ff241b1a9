// Long work that can be called off from outside.
//
//   const StopScope scope([&] { return flag.load(); });
//   policy.suggest();                                       // throws Stopped soon after the flag was raised
//
// One step of a policy may take seconds: a fit, p(x|a) from thousands of pairs. What takes long inside calls stop_point(),
// which asks the scopes of its own thread, the innermost first; without one it does nothing. A Stopped passes like any
// exception: nothing has changed, and the same call may be made again.
#pragma once

#include <exception>
#include <functional>

namespace iqbo {

class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped, as it was asked to"; }
};

// While it lives, work of this thread ends when `stop` says yes; it is asked often, and must be quick.
class StopScope {
 public:
  explicit StopScope(std::function<bool()> stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  friend void stop_point();
  std::function<bool()> stop_;
  const StopScope* outer_;
};

void stop_point();

// While it lives, work of this thread goes on whatever scopes say: for changes that must not be left half done.
class StopShield {
 public:
  StopShield();
  ~StopShield();
  StopShield(const StopShield&) = delete;
  StopShield& operator=(const StopShield&) = delete;
};

}  // namespace iqbo
