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
  std::vector<std::string> districts;
  for (int i = 1; i <= 300; ++i) districts.push_back("district-" + std::to_string(i));
  const std::string some = expected_names("distrikt-7", districts);
  EXPECT_EQ(some.substr(0, 34), "\"district-7\" (one of district-1, d");
  EXPECT_LT(some.size(), 250U) << "of a long list a few names";
  EXPECT_EQ(some.substr(some.size() - 19), ", ... (300 in all))") << some;
}

RC_GTEST_PROP(Nearest, DistanceIsSymmetricAndBounded, (std::string a, std::string b)) {
  const std::size_t distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= std::max(a.size(), b.size()));
  RC_ASSERT(edit_distance(a, a) == 0U);
}

}  // namespace
}  // namespace iqbo
