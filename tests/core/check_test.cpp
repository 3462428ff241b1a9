#include "iqbo/core/check.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/errors.hpp"

namespace iqbo::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Refuse, NamesArgumentFindingAndExpectation) {
  expect_refusal([] { refuse("z", "is blue", "a number"); }, {"z: is blue, expected a number"});
}

TEST(Readable, WritesNumbersAsAPersonWould) {
  EXPECT_EQ(readable(0.1), "0.1");
  EXPECT_EQ(readable(-3.0), "-3");
  EXPECT_EQ(readable(1e-6), "1e-06");
  EXPECT_EQ(readable(kNan), "nan");
  EXPECT_EQ(readable(-kInf), "-inf");
  EXPECT_EQ(readable(-2.2250738585072014e-308), "-2.2250738585072014e-308");  // as long as a double can get
}

TEST(RequireFinite, AcceptsEveryFiniteNumberAndNoNumbers) {
  EXPECT_NO_THROW(require_finite(std::numeric_limits<double>::max(), "z"));
  EXPECT_NO_THROW(require_finite(Vector{{-0.0, 5e-324, -1e308}}, "z"));
  EXPECT_NO_THROW(require_finite(Vector(), "z"));
  EXPECT_NO_THROW(require_finite(Rows(0, 3), "z"));
}

TEST(RequireFinite, NamesTheFirstBadEntry) {
  expect_refusal([] { require_finite(kInf, "z"); }, {"z: is inf, expected a finite number"});
  expect_refusal(
      [] {
        require_finite(Vector{{0, 1, 2, kNan, kInf}}, "z");
      },
      {"z: row 3 is nan, expected a finite number"});
  expect_refusal(
      [] {
        require_finite(Rows{{0, 1}, {2, -kInf}, {kNan, 0}}, "a");
      },
      {"a: row 1, column 1 is -inf, expected a finite number"});
}

TEST(RequireFinite, DoesNotNameTheOnlyColumn) {
  expect_refusal([] { require_finite(Rows{{0.0}, {kNan}}, "a"); }, {"a: row 1 is nan, expected a finite number"});
}

TEST(RequirePositive, RefusesZeroNegativeAndNotFinite) {
  EXPECT_NO_THROW(require_positive(5e-324, "variance"));
  EXPECT_NO_THROW(require_positive(Vector{{1e-300, 1e300}}, "lengthscale"));
  expect_refusal([] { require_positive(0.0, "variance"); }, {"variance: is 0, expected a finite number > 0"});
  expect_refusal([] { require_positive(-2.5, "variance"); }, {"variance: is -2.5, expected a finite number > 0"});
  expect_refusal([] { require_positive(kNan, "variance"); }, {"variance: is nan, expected a finite number > 0"});
  expect_refusal([] { require_positive(kInf, "variance"); }, {"variance: is inf, expected a finite number > 0"});
  expect_refusal(
      [] {
        require_positive(Vector{{1, 0}}, "lengthscale");
      },
      {"lengthscale: row 1 is 0, expected a finite number > 0"});
  expect_refusal(
      [] {
        require_positive(Vector{{kInf, 0}}, "lengthscale");
      },
      {"lengthscale: row 0 is inf, expected a finite number > 0"});
}

TEST(RequireNonNegative, AcceptsZeroRefusesNegativeAndNotFinite) {
  EXPECT_NO_THROW(require_non_negative(Vector{{0.0, -0.0, 3.0}}, "noise_var"));
  EXPECT_NO_THROW(require_non_negative(Rows{{0.0, 1.0}}, "weight"));
  expect_refusal(
      [] {
        require_non_negative(Vector{{0, -1e-300}}, "noise_var");
      },
      {"noise_var: row 1 is -1e-300, expected a finite number >= 0"});
  expect_refusal([] { require_non_negative(Vector{{kNan}}, "noise_var"); },
                 {"noise_var: row 0 is nan, expected a finite number >= 0"});
  expect_refusal(
      [] {
        require_non_negative(Rows{{0, 0, -1}}, "weight");
      },
      {"weight: row 0, column 2 is -1, expected a finite number >= 0"});
  expect_refusal(
      [] {
        require_non_negative(Rows{{0, kInf}}, "weight");
      },
      {"weight: row 0, column 1 is inf, expected a finite number >= 0"});
}

TEST(RequireSizes, SayWhatWasFoundAndExpected) {
  EXPECT_NO_THROW(require_rows(3, 3, "z"));
  EXPECT_NO_THROW(require_columns(0, 0, "a"));
  EXPECT_NO_THROW(require_not_empty(1, "z"));
  expect_refusal([] { require_rows(2, 3, "z"); }, {"z: 2 rows, expected 3"});
  expect_refusal([] { require_columns(2, 3, "a"); }, {"a: 2 columns, expected 3"});
  expect_refusal([] { require_not_empty(0, "z"); }, {"z: is empty, expected at least one row"});
}

}  // namespace
}  // namespace iqbo::test
