#include "iqbo/space/mixed.hpp"

#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace iqbo {
namespace {

const MixedQueries& sensors() {
  static const MixedQueries space(QuerySet(Queries{{1.0}, {7.0}}), QueryBox(Vector{{0.0, -1.0}}, Vector{{2.0, 1.0}}));
  return space;
}

TEST(Mixed, PutsTheChoiceFirst) {
  const Queries a = sensors().with_choice(1, Queries{{0.5, 0.0}, {2.0, 1.0}});
  EXPECT_EQ(sensors().dimension(), 3);
  EXPECT_EQ(a.coordinates(), (Rows(2, 3) << 7.0, 0.5, 0.0, 7.0, 2.0, 1.0).finished());
  EXPECT_NO_THROW(sensors().require_inside(a));
}

TEST(Mixed, NamesWhatIsOutside) {
  EXPECT_THROW(sensors().require_inside(Queries{{2.0, 0.5, 0.0}}), std::invalid_argument);
  test::expect_refusal(
      [] {
        sensors().require_inside(Queries{{1.0, 3.0, 0.0}});
      },
      {"a: row 0, column 0 is 3, expected a value in [0, 2]"});
  test::expect_refusal([] { sensors().with_choice(2, Queries{{0.5, 0.0}}); }, {"choice: 2, expected 0 to 1"});
}

}  // namespace
}  // namespace iqbo
