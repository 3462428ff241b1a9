#include <gtest/gtest.h>

#include "support/random_search.hpp"

namespace iqbo {
namespace {

// The full run, 50 posteriors against grids of 300 x 300: ./dev study search_quality.
TEST(SearchQuality, ComesCloseToTheBestOfAFineGrid) {
  for (Index i = 0; i < 5; ++i) EXPECT_LT(test::shortfall(i, 100, 1), 1e-3) << i;
}

}  // namespace
}  // namespace iqbo
