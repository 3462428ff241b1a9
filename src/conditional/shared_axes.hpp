// Averages of a radial kernel under laws that share their coordinates, as those of a grid or of a tree's cells do.
//
// Per scale of the kernel's mixture an average is a product over coordinates (spread_terms.hpp), and a factor depends only on
// what the two laws are along that axis. A grid of n laws in the plane has about sqrt(n) different ones along each axis:
// their factors are tabulated, and an average is a dot product over the scales instead of an exponential for each of them.
#pragma once

#include <optional>
#include <vector>

#include "spread_terms.hpp"

namespace iqbo {

class SharedAxes {
 public:
  // Nothing where tables would not pay: few laws share coordinates, or the average is a mere exponential. Nor where a pair
  // may be of two exact points, which a mixture only approximates.
  static std::optional<SharedAxes> of(const Group& group, const SpreadLaws& left, const SpreadLaws& right);

  // Every left law with right law j.
  Array column(Index j) const;

 private:
  struct Axis {
    std::vector<Index> left, right;  // which of the different laws along this axis each law has
    Index lefts;                     // how many of them there are on the left
    Matrix factor;                   // a column of scales for each pair of different laws, left ones first

    auto factors(Index i, Index j) const {
      return factor.col(left[static_cast<std::size_t>(i)] + lefts * right[static_cast<std::size_t>(j)]);
    }
  };

  std::vector<Axis> axes_;  // the weights of the scales are in the first
};

}  // namespace iqbo
