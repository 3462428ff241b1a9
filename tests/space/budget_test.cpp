#include "iqbo/space/budget.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/errors.hpp"

namespace iqbo {
namespace {

TEST(Budget, IsSpentToTheLastAndNotBeyond) {
  Budget budget(1.0);
  int asked = 0;
  for (; budget.affords(0.1); ++asked) budget = budget.after(0.1);
  EXPECT_EQ(asked, 10);  // although ten times 0.1 rounds to less than 1, or more
  EXPECT_NEAR(budget.left(), 0.0, Budget::kRounding);
  EXPECT_EQ(Budget(1.0).after(0.7).affords(Vector{{0.2, 0.3, 0.4}}), (std::vector<bool>{true, true, false}));
}

TEST(Budget, MayOvershootOnceIfTold) {
  const Budget budget(1.0, Budget::Rule::kOvershoot);
  const Budget after = budget.after(0.9).after(5.0);
  EXPECT_DOUBLE_EQ(after.spent(), 5.9);
  EXPECT_FALSE(after.affords(0.01));
}

TEST(Budget, NamesWhatIsWrong) {
  test::expect_refusal([] { Budget(0.0); }, {"budget: is 0"});
  test::expect_refusal([] { Budget(std::numeric_limits<double>::infinity()); }, {"budget: is inf"});
  const Budget budget(1.0);
  test::expect_refusal([&] { static_cast<void>(budget.after(1.5)); },
                       {"cost: 1.5, expected at most 1, what is left of the budget"});
  test::expect_refusal([&] { static_cast<void>(budget.after(-0.5)); }, {"cost: is -0.5"});
  test::expect_refusal(
      [&] {
        budget.require_affordable(Vector{{2.0, 1.5}});
      },
      {"budget: 1, expected at least 1.5, the cost of the cheapest query"});
  test::expect_refusal([&] { budget.require_affordable(Vector{{0.5, -1.0}}); }, {"cost: row 1 is -1"});
}

}  // namespace
}  // namespace iqbo
