// A clock that all processes of this machine share, and that nobody can set: the kernel's, which counts from the start of
// the machine. Leases in a file are measured by it, so that two processes agree on them whatever their wall clocks say.
#pragma once

#include <string>

namespace iqbo {

class SteadyClock {
 public:
  SteadyClock();

  const std::string& boot() const { return boot_; }  // identifies this start of the machine; "": unknown
  static double now();                               // seconds

 private:
  std::string boot_;
};

}  // namespace iqbo
