// Averages of a radial kernel under laws that share coordinates, such as those of a grid or of a tree's cells.
//
// For each scale of the kernel's mixture an average is a product over coordinates (spread_terms.hpp,
// axis_expectation.hpp), and a factor depends only on the two laws along that axis. A grid of n laws in the plane has
// about sqrt(n) different ones along each axis: their factors are tabulated, and an average is a dot product over the
// scales instead of one or more exponentials for each scale.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spread_terms.hpp"

namespace iqbo {

class SharedAxes {
 public:
  // Empty if tables would not pay: few laws share coordinates, or the average is just an exponential. Also empty if a
  // pair may be of two exact points, which a mixture only approximates.
  static std::optional<SharedAxes> of(const Group& group, const SpreadLaws& left, const SpreadLaws& right);

  // Every left law paired with right law j.
  Array column(Index j) const;

  // The same for any n and m laws. left(g, count) and right(g, count) are different() of the first `count` along axis
  // g; factors(g, left laws, right laws) has one row per scale and one column per pair, left laws varying fastest.
  template <class Side, class Factors>
  static std::optional<SharedAxes> tabulate(Index axes, Index n, Index m, const Vector& scale_weight, const Side& left,
                                            const Side& right, const Factors& factors);

 private:
  struct Axis {
    std::vector<Index> left, right;  // which of the different laws along this axis each law is
    Index lefts;                     // how many different ones there are on the left
    Matrix factor;                   // one column of scales per pair of different laws, left ones varying fastest

    auto factors(Index i, Index j) const {
      return factor.col(left[static_cast<std::size_t>(i)] + lefts * right[static_cast<std::size_t>(j)]);
    }
  };
  SharedAxes(std::vector<Axis> axes, const Vector& scale_weight);

  std::vector<Axis> axes_;  // the first axis includes the weights of the scales
};

// The different laws along an axis, in order of appearance, and which of them each law equals.
struct Different {
  std::vector<Index> first;  // the first law of each kind
  std::vector<Index> of;

  Index size() const { return static_cast<Index>(first.size()); }
};

// key(i) is a range of numbers that describes law i along this axis.
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
  std::unordered_map<Numbers, Index, decltype(hash)> known(static_cast<std::size_t>(n), hash);
  Different out;
  out.of.reserve(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const auto [at, is_new] = known.try_emplace(key(i), out.size());
    if (is_new) out.first.push_back(i);
    out.of.push_back(at->second);
  }
  return out;
}

template <class Side, class Factors>
std::optional<SharedAxes> SharedAxes::tabulate(Index axes, Index n, Index m, const Vector& scale_weight,
                                               const Side& left, const Side& right, const Factors& factors) {
  constexpr Index kFew = 64;            // this many laws, no two of which share a coordinate, are scattered
  constexpr Index kSharing = 2;         // pairs of laws per tabulated pair
  constexpr double kMostNumbers = 4e6;  // in all tables: 32 MB
  bool scattered = n > kFew;
  for (Index g = 0; scattered && g < axes; ++g) scattered = left(g, kFew).size() == kFew;
  if (scattered) return std::nullopt;

  std::vector<Different> on_left, on_right;
  Index pairs = 0;
  for (Index g = 0; g < axes; ++g) {
    on_left.push_back(left(g, n));
    on_right.push_back(right(g, m));
    pairs += on_left.back().size() * on_right.back().size();
  }
  if (kSharing * pairs > n * m || static_cast<double>(pairs * scale_weight.size()) > kMostNumbers) return std::nullopt;

  std::vector<Axis> out;
  for (Index g = 0; g < axes; ++g) {
    Different& some_left = on_left[static_cast<std::size_t>(g)];
    Different& some_right = on_right[static_cast<std::size_t>(g)];
    Matrix factor = factors(g, some_left.first, some_right.first);
    out.push_back({std::move(some_left.of), std::move(some_right.of), some_left.size(), std::move(factor)});
  }
  return SharedAxes(std::move(out), scale_weight);
}

}  // namespace iqbo
