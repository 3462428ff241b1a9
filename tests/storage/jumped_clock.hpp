// A wall clock that is off by so many seconds, in this process, while an object of this type lives: as if somebody had set it.
// Works because a program's own clock_gettime comes before the C library's.
#pragma once

namespace iqbo::test {

class JumpedClock {
 public:
  explicit JumpedClock(double seconds);
  ~JumpedClock();
  JumpedClock(const JumpedClock&) = delete;
  JumpedClock& operator=(const JumpedClock&) = delete;
};

}  // namespace iqbo::test
