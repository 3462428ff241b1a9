#include "core/chance.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace iqbo {

using namespace internal;

namespace {

TEST(Chance, IsWrittenInWholePercent) {
  EXPECT_EQ(chance_text(0.1635), "16 %");
  EXPECT_EQ(chance_text(0.01), "1 %");
  EXPECT_EQ(chance_text(0.99), "99 %");
  EXPECT_EQ(chance_with_error(0.1635, 0.0212), "16 % (standard error 2 %)");
  EXPECT_EQ(chance_with_error(0.5, 0.0031), "50 % (standard error 0.3 %)");
  EXPECT_EQ(chance_with_error(0.75, 0.107), "75 % (standard error 11 %)");
}

TEST(Chance, IsNeverCertainUnlessItIs) {
  EXPECT_EQ(chance_text(0.0), "0 %");
  EXPECT_EQ(chance_text(1.0), "100 %");
  EXPECT_EQ(chance_text(1e-12), "less than 1 %");
  EXPECT_EQ(chance_text(0.0099), "less than 1 %");
  EXPECT_EQ(chance_text(0.9999), "more than 99 %");
  EXPECT_EQ(chance_text(0.0, 0.001), "less than 1 %");
  EXPECT_EQ(chance_text(1.0, 0.001), "more than 99 %");
}

// None, or all, of 96 draws.
TEST(Chance, ClaimsNoMoreThanTheDrawsSay) {
  EXPECT_EQ(chance_text(0.0, 0.01048), "less than 3 %");
  EXPECT_EQ(chance_text(1.0, 0.01048), "more than 97 %");
  EXPECT_EQ(chance_text(0.0, 2.0), "less than 99 %");
}

TEST(Chance, MayBeUnknown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(chance_text(nan), "unknown");
  EXPECT_EQ(chance_text(0.25, nan), "25 %");
}

}  // namespace
}  // namespace iqbo
