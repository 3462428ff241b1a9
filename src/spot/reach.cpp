#include "reach.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace iqbo {
namespace {

constexpr double kShift = 4.0;  // sds: the largest of a hundred answers without a spot deviates by 2.5
constexpr double kMost = 0.5;   // of X
constexpr double kPlaces = 0.75;
constexpr double kLargest = 0.25;  // share of X: what is wider is no spot
constexpr int kPositions = 40;     // places along an axis

// What a spot of height 1 at place p adds to the average over [0, 1].
double average(double sd, double p) {
  const double scale = sd * std::numbers::sqrt2;
  return sd * std::sqrt(0.5 * std::numbers::pi) * (std::erf((1.0 - p) / scale) + std::erf(p / scale));
}

}  // namespace

double visible_height(double sd, int axes) {
  std::vector<double> shift;
  for (int i = 0; i < kPositions; ++i)
    for (int j = 0; j < (axes > 1 ? kPositions : 1); ++j) {
      const double other = axes > 1 ? average(sd, (j + 0.5) / kPositions) : 1.0;
      shift.push_back(average(sd, (i + 0.5) / kPositions) * other);
    }
  const auto at = shift.begin() + static_cast<std::ptrdiff_t>((1.0 - kPlaces) * static_cast<double>(shift.size()));
  std::nth_element(shift.begin(), at, shift.end());
  return kShift / *at;
}

std::optional<SpotReach> spot_reach(std::vector<WindowSize> sizes, int axes, double budget, bool in_turn) {
  std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.width > b.width; });
  std::optional<SpotReach> out;
  for (const WindowSize& size : sizes) {
    const double all = size.cost / size.share;
    const double covered = all > 0.0 ? std::min(1.0, budget / all) : 1.0;
    if (covered >= kMost && size.share <= kLargest)
      out = {size, covered, visible_height(0.5, axes), visible_height(0.25, axes)};
    if (in_turn) budget = std::max(0.0, budget - all);
  }
  return out;
}

}  // namespace iqbo
