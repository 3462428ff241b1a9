#include "policy/mixed_normal.hpp"

#include <gtest/gtest.h>

namespace iqbo {
namespace {

TEST(MixedNormal, QuantilesInvertTheDistribution) {
  const MixedNormal wide{Vector{{-1.0, 2.0, 2.5}}, Vector{{0.3, 1.0, 0.01}}, Vector{{0.5, 0.3, 0.2}}};
  for (const double p : {1e-9, 0.025, 0.3, 0.5, 0.6, 0.9, 0.975, 1.0 - 1e-6})
    EXPECT_NEAR(wide.below(wide.quantile(p)), p, 1e-11) << p;
  const MixedNormal one{Vector{{3.0}}, Vector{{2.0}}, Vector{{1.0}}};
  EXPECT_NEAR(one.quantile(0.975), 3.0 + 2.0 * 1.959963984540054, 1e-12);
}

// A spike has steps that are near each other although half of the mass is elsewhere.
TEST(MixedNormal, QuantilesBesideASpike) {
  const MixedNormal spike{Vector{{0.0, 0.0}}, Vector{{1e-14, 1.0}}, Vector{{0.5, 0.5}}};
  EXPECT_NEAR(spike.quantile(0.975), 1.6448536269514722, 1e-9);
  const MixedNormal certain{Vector{{0.0, 0.0}}, Vector{{0.0, 1.0}}, Vector{{0.5, 0.5}}};
  EXPECT_NEAR(certain.quantile(0.975), 1.6448536269514722, 1e-9);
  EXPECT_NEAR(certain.quantile(0.5), 0.0, 1e-9);
}

TEST(MixedNormal, TheMiddleIsMeanOrMedian) {
  const MixedNormal skewed{Vector{{0.0, 10.0}}, Vector{{1.0, 1.0}}, Vector{{0.8, 0.2}}};
  EXPECT_DOUBLE_EQ(skewed.middle(false), 2.0);
  EXPECT_NEAR(skewed.below(skewed.middle(true)), 0.5, 1e-11);
}

}  // namespace
}  // namespace iqbo
