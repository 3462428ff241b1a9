// Work on all cores.
#pragma once

#include <functional>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

// The number of threads to use: IQBO_THREADS if the environment sets it, otherwise the number of cores.
unsigned threads();

// Calls body(0) to body(count - 1), several at a time. The caller's thread takes part, and what stops it (StopScope)
// stops the others. If calls throw, the exception of the least number is thrown again once all have ended; calls that
// had not begun are then left out. Inside of a body nothing else runs in parallel.
void in_parallel(Index count, const std::function<void(Index)>& body);

// While it lives, in_parallel() of this thread works alone: for threads that are themselves among several.
class Alone {
 public:
  Alone();
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  bool before_;
};

}  // namespace iqbo::internal
