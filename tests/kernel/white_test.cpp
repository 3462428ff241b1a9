#include "iqbo/kernel/white.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

TEST(White, ComparesAllCoordinatesExactly) {
  const White white(0.6, 2);
  const Inputs x({{1, 2}, {1, 2}, {1, 3}, {2, 1}, {std::nextafter(1.0, 2.0), 2}});
  const Matrix want{{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}};
  EXPECT_EQ(white.gram(x), 0.6 * want);
}

TEST(White, MinusZeroIsZero) { EXPECT_EQ(White(0.6, 1).gram(Inputs({{0.0}}), Inputs({{-0.0}}))(0, 0), 0.6); }

// The variance of the mean of n independent values.
TEST(White, AveragesOverPixelsSeeTheNthPart) {
  const Inputs pixels = Inputs::line(Vector::LinSpaced(8, 0, 1));
  const Vector weight = Vector::Constant(8, 1.0 / 8);
  EXPECT_NEAR(weight.dot(White(0.6, 1).gram(pixels) * weight), 0.075, kRounding);
}

TEST(White, InputGradientIsZeroEverywhere) {
  const Inputs x({{1, 2}, {1, 3}});
  EXPECT_EQ(White(0.6, 2).input_pull_back(x, x, Matrix::Ones(2, 2)), Rows::Zero(2, 2));
}

TEST(White, KeepsWhatItWasMadeOf) {
  const White white(0.6, 3);
  EXPECT_EQ(white.variance(), 0.6);
  EXPECT_EQ(white.dimension(), 3);
  EXPECT_EQ(white.parameter_names(), (std::vector<std::string>{"nugget"}));
}

TEST(White, RefusesBadVarianceAndDimension) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  expect_refusal([] { White(0, 1); }, {"variance: is 0, expected a finite number > 0"});
  expect_refusal([] { White(kNan, 1); }, {"variance: is nan, expected a finite number > 0"});
  expect_refusal([] { White(1, 0); }, {"dimension: is 0, expected at least 1"});
  expect_refusal([] { White(1, -3); }, {"dimension: is -3, expected at least 1"});
}

}  // namespace
}  // namespace iqbo::test
