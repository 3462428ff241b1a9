// Lets one part of a program stop long-running work in another.
//
//   const StopScope scope([&] { return flag.load(); });
//   policy.suggest();                                       // throws Stopped soon after the flag is raised
//
// One step of a policy may take seconds: a fit, or learning p(x|a) from thousands of pairs. Slow code calls
// stop_point(), which asks the scopes of its own thread, the innermost first; without a scope it does nothing. Stopped
// propagates like any exception: nothing has changed, and the same call may be made again.
#pragma once

#include <exception>
#include <functional>

namespace iqbo {

class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped, as it was asked to"; }
};

// While a scope lives, work of this thread stops once `stop` returns true. `stop` is called often and must be quick.
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

// While a shield lives, this thread ignores its scopes and keeps working: for changes that must not be left half done.
class StopShield {
 public:
  StopShield();
  ~StopShield();
  StopShield(const StopShield&) = delete;
  StopShield& operator=(const StopShield&) = delete;
};

}  // namespace iqbo
