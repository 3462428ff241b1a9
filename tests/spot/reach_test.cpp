// Which spots a budget could find, against counts of tiles by hand and against simulated scenes.
#include "spot/reach.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

// 64 x 64 pixels, tiles of 64, 32, 16, 8 and 4 at costs 0.5, 1, 2, 3, 4, as in the problems tiles-...
std::vector<WindowSize> tiles() {
  std::vector<WindowSize> out;
  double cost[] = {0.5, 1.0, 2.0, 3.0, 4.0};
  for (int level = 0; level < 5; ++level) out.push_back({64.0 / (1 << level), std::pow(0.25, level), cost[level]});
  return out;
}

TEST(SpotReach, CountsTheTilesThatTheBudgetPays) {
  // Root, 4 and 16 tiles cost 0.5 + 4 + 32; what is left of 200 pays for 54 of the 64 tiles of 8 pixels.
  const auto on_tree = spot_reach(tiles(), 2, 200.0, true);
  ASSERT_TRUE(on_tree);
  EXPECT_EQ(on_tree->window.width, 8.0);
  EXPECT_NEAR(on_tree->covered, 163.5 / 192.0, 1e-12);
  const auto listed = spot_reach(tiles(), 2, 200.0, false);
  EXPECT_EQ(listed->window.width, 8.0);
  EXPECT_EQ(listed->covered, 1.0);
  EXPECT_EQ(spot_reach(tiles(), 2, 100.0, true)->window.width, 16.0);
  EXPECT_EQ(spot_reach(tiles(), 2, 228.5 + 512.0, true)->window.width, 4.0);
  EXPECT_FALSE(spot_reach(tiles(), 2, 2.0, true));  // the root, and one of its four parts
}

// A study of 40 scenes measured how many sds a spot in the middle of its tile changes the answer by: 16 if its sd is 3 of 8
// pixels, 6 if it is 1.5. The heights that are needed are as these, inverted, up to where in the tile it is.
TEST(SpotReach, NarrowSpotsNeedTheMeasuredHeights) {
  const double ratio = visible_height(1.5 / 8.0, 2) / visible_height(3.0 / 8.0, 2);
  EXPECT_NEAR(ratio / (16.0 / 6.0), 1.0, 0.25);
  EXPECT_GT(visible_height(0.1, 2), visible_height(0.1, 1));
}

struct Scene {
  Index found = 0, draws = 0;
  double share() const { return static_cast<double>(found) / static_cast<double>(draws); }
};

// A spot anywhere in 8 x 8 windows of unit width, each seen once with errors of sd 1: whether the largest answer is that of
// the window that holds it, or of a neighbour. Averages by sums over points.
Scene searched(double sd, double height, Rng& rng) {
  constexpr Index kWindows = 8, kPoints = 12;
  Scene out;
  for (out.draws = 0; out.draws < 400; ++out.draws) {
    const double x = kWindows * rng.uniform(), y = kWindows * rng.uniform();
    double largest = -1e300;
    Index at_i = 0, at_j = 0;
    for (Index i = 0; i < kWindows; ++i)
      for (Index j = 0; j < kWindows; ++j) {
        double sum = 0.0;
        for (Index k = 0; k < kPoints; ++k)
          for (Index l = 0; l < kPoints; ++l) {
            const double dx = static_cast<double>(i) + (static_cast<double>(k) + 0.5) / kPoints - x;
            const double dy = static_cast<double>(j) + (static_cast<double>(l) + 0.5) / kPoints - y;
            sum += std::exp(-0.5 * (dx * dx + dy * dy) / (sd * sd));
          }
        const double answer = height * sum / (kPoints * kPoints) + rng.normal();
        if (answer <= largest) continue;
        largest = answer;
        at_i = i;
        at_j = j;
      }
    const auto near = [](Index window, double place) {
      return std::abs(static_cast<double>(window) + 0.5 - place) < 1.0;
    };
    out.found += near(at_i, x) && near(at_j, y);
  }
  return out;
}

TEST(SpotReach, SpotsOfTheStatedHeightAreSeenInMostScenes) {
  Rng rng(3);
  for (const double sd : {0.5, 0.25, 0.15}) {
    const double height = visible_height(sd, 2);
    EXPECT_GT(searched(sd, height, rng).share(), 0.8) << sd;
    EXPECT_LT(searched(sd, 0.3 * height, rng).share(), 0.5) << sd;
  }
}

}  // namespace
}  // namespace iqbo
