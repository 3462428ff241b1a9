// The targets: inputs among which the maximiser is sought, a list or a box.
#pragma once

#include <variant>

#include "iqbo/space/box.hpp"
#include "iqbo/space/finite_set.hpp"

namespace iqbo {

using TargetSpace = std::variant<InputSet, InputBox>;

Index dimension(const TargetSpace& x);

// The smallest box that holds them. A coordinate that never varies has lower = upper.
struct Bounds {
  Vector lower;
  Vector upper;

  Vector width() const { return upper - lower; }
};
Bounds bounds(const TargetSpace& x);

}  // namespace iqbo
