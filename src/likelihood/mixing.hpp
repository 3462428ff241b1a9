// A fixed point x = F(x), reached faster by mixing the last few images: Anderson acceleration [Anderson65].
#pragma once

#include <deque>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

class Mixing {
 public:
  // The residual F(x) - x is judged by its first `leading` entries; the others follow (weights of a linear map of the first).
  explicit Mixing(Index leading) : leading_(leading) {}

  // The next x: the combination of the last images whose residuals, combined alike, are smallest. F(x) itself at first.
  Vector next(const Vector& x, const Vector& image);
  void forget() { past_.clear(); }

 private:
  struct Step {
    Vector residual, image;
  };
  Index leading_;
  std::deque<Step> past_;
};

}  // namespace iqbo::internal
