// Averages of a radial kernel under laws that share their coordinates, as those of a grid or of a tree's cells do.
//
// Per scale of the kernel's mixture an average is a product over coordinates (spread_terms.hpp, axis_expectation.hpp), and a
// factor depends only on what the two laws are along that axis. A grid of n laws in the plane has about sqrt(n) different ones
// along each axis: their factors are tabulated, and an average is a dot product over the scales instead of an exponential, or
// many, for each of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <vector>

#include "spread_terms.hpp"

namespace iqbo {

class SharedAxes {
 public:
  struct Axis {
    std::vector<Index> left, right;  // which of the different laws along this axis each law has
    Index lefts;                     // how many of them there are on the left
    Matrix factor;                   // a column of scales for each pair of different laws, left ones first

    auto factors(Index i, Index j) const {
      return factor.col(left[static_cast<std::size_t>(i)] + lefts * right[static_cast<std::size_t>(j)]);
    }
  };
  SharedAxes(std::vector<Axis> axes, const Vector& scale_weight);

  // Nothing where tables would not pay: few laws share coordinates, or the average is a mere exponential. Nor where a pair
  // may be of two exact points, which a mixture only approximates.
  static std::optional<SharedAxes> of(const Group& group, const SpreadLaws& left, const SpreadLaws& right);

  // Every left law with right law j.
  Array column(Index j) const;

 private:
  std::vector<Axis> axes_;  // the weights of the scales are in the first
};

// Which laws differ along an axis, in order of appearance, and which of these each law is like.
struct Different {
  std::vector<Index> first;  // a law of each kind
  std::vector<Index> of;

  Index size() const { return static_cast<Index>(first.size()); }
};

// Those of n laws on the left and m on the right, axis by axis.
struct Shared {
  std::vector<Different> left, right;
  Index pairs = 0;  // of different laws, over all axes

  // Whether so many tables of so many scales are smaller and sooner made than all pairs of laws.
  bool worth_it(Index n, Index m, Index scales) const {
    constexpr double kMostNumbers = 4e6;  // 32 MB
    return 2 * pairs <= n * m && static_cast<double>(pairs) * static_cast<double>(scales) <= kMostNumbers;
  }
};

// key(i) is a range of numbers: what law i is along this axis.
template <class Key>
Different different(Index n, const Key& key) {
  using Numbers = decltype(key(0));
  const auto hash = [](const Numbers& numbers) {
    std::uint64_t out = 0;
    for (const double number : numbers) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &number, sizeof bits);
      out = (out ^ bits ^ (bits >> 29U)) * 0x9E3779B97F4A7C15U;
    }
    return static_cast<std::size_t>(out ^ (out >> 32U));
  };
  std::unordered_map<Numbers, Index, decltype(hash)> known(static_cast<std::size_t>(2 * n), hash);
  Different out;
  out.of.reserve(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const auto [at, is_new] = known.try_emplace(key(i), out.size());
    if (is_new) out.first.push_back(i);
    out.of.push_back(at->second);
  }
  return out;
}

}  // namespace iqbo
