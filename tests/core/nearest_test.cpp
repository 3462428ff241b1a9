#include "core/nearest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace iqbo {

using namespace internal;

namespace {

TEST(Nearest, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("sede", "seed"), 1U);
  EXPECT_EQ(edit_distance("Seed", "seed"), 0U);
}

TEST(Nearest, SuggestsOnlyWhatIsNear) {
  const std::vector<std::string> names{"goal", "seed", "kernel"};
  EXPECT_EQ(nearest_name("kernal", names), "kernel");
  EXPECT_EQ(nearest_name("zzz", names), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'k'), names), "");
  EXPECT_EQ(nearest_name("brannin", {"bandit", "branin-linear", "branin-nonlinear"}), "branin-linear");
  EXPECT_EQ(expected_names("sed", names), "\"seed\" (one of goal, seed, kernel)");
  EXPECT_EQ(expected_names("zzz", {"only"}), "only");
}

RC_GTEST_PROP(Nearest, DistanceIsSymmetricAndBounded, (std::string a, std::string b)) {
  const std::size_t distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= std::max(a.size(), b.size()));
  RC_ASSERT(edit_distance(a, a) == 0U);
}

}  // namespace
}  // namespace iqbo
