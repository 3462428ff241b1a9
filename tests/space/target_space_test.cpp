#include "iqbo/space/target_space.hpp"

#include <gtest/gtest.h>

namespace iqbo {
namespace {

TEST(TargetSpace, HasDimensionAndBounds) {
  const TargetSpace box = InputBox(Vector{{-1.0, 2.0}}, Vector{{1.0, 5.0}});
  const TargetSpace list = InputSet(Inputs{{3.0, 7.0}, {-2.0, 7.0}, {0.0, 7.0}});
  EXPECT_EQ(dimension(box), 2);
  EXPECT_EQ(dimension(list), 2);
  EXPECT_EQ(bounds(box).width(), (Vector{{2.0, 3.0}}));
  EXPECT_EQ(bounds(list).lower, (Vector{{-2.0, 7.0}}));
  EXPECT_EQ(bounds(list).width(), (Vector{{5.0, 0.0}}));
}

}  // namespace
}  // namespace iqbo
