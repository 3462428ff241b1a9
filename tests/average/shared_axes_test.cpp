// Averages of laws that share their coordinates, which are tabulated axis by axis, against the same pair by pair.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "average/shared_axes.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

// Twice all combinations of `side` laws along each of d axes. Widths are of two sizes, as in two levels of a tree.
SpreadLaws grid(Index d, Index side, double sd, double half_width) {
  Index n = 2;
  for (Index c = 0; c < d; ++c) n *= side;
  SpreadLaws out{Rows(n, d), Rows(n, d), Rows(n, d)};
  for (Index i = 0; i < n; ++i) {
    Index rest = i;
    for (Index c = 0; c < d; ++c, rest /= side) {
      const auto k = static_cast<double>(rest % side);
      const double size = rest % 2 == 0 ? 1.0 : 0.5;
      out.centre(i, c) = 0.3 * k + 0.1 * static_cast<double>(c);
      out.sd(i, c) = sd * size;
      out.half_width(i, c) = half_width * size;
    }
  }
  return out;
}

SpreadLaws row(const SpreadLaws& laws, Index i) { return {laws.centre.row(i), laws.sd.row(i), laws.half_width.row(i)}; }

// A pair alone shares nothing. Every third one is looked at.
void expect_same(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right) {
  const Matrix got = expect(kernel, left, right);
  for (Index j = 0; j < got.cols(); ++j)
    for (Index i = j % 3; i < got.rows(); i += 3)
      EXPECT_NEAR(got(i, j), expect(kernel, row(left, i), row(right, j))(0, 0), test::kRounding) << i << ", " << j;
}

bool tabulated(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right) {
  return SharedAxes::of(terms_of(kernel).front().groups.front(), left, right).has_value();
}

TEST(SharedAxes, AreTheAveragesPairByPair) {
  for (const std::string_view family : {"matern12", "matern32", "matern52", "rbf"})
    for (const Index d : {1, 2, 3}) {
      const Stationary kernel(family, 1.7, Vector::LinSpaced(d, 0.4, 0.9));
      for (const auto& [sd, half_width] : {std::pair{0.2, 0.0}, {0.0, 0.3}, {0.1, 0.2}}) {
        SCOPED_TRACE(testing::Message() << "family " << family << ", d " << d << ", sd " << sd);
        const SpreadLaws laws = grid(d, d == 3 ? 3 : 4, sd, half_width);
        const SpreadLaws points = grid(d, d == 3 ? 2 : 3, 0.0, 0.0);
        const bool mere_exponential = family == "rbf" && half_width == 0.0;
        EXPECT_NE(tabulated(kernel, laws, laws), mere_exponential);
        EXPECT_NE(tabulated(kernel, laws, points), mere_exponential);
        expect_same(kernel, laws, laws);
        expect_same(kernel, laws, row(laws, 2));
        expect_same(kernel, laws, points);
      }
    }
}

// Exact points among the laws: there a Matern kernel stands for itself, which its mixture does to 4e-12 only.
TEST(SharedAxes, LeaveExactPointsToTheKernel) {
  SpreadLaws laws = grid(2, 5, 0.2, 0.0);
  laws.sd.topRows(7).setZero();
  const Matern12 kernel(1.0, Vector{{0.4, 0.9}});
  EXPECT_FALSE(tabulated(kernel, laws, laws));
  const Matrix got = expect(kernel, laws, laws);
  const Inputs points(Rows(laws.centre.topRows(7)));
  EXPECT_LT((got.topLeftCorner(7, 7) - kernel.gram(points)).cwiseAbs().maxCoeff(), test::kRounding);
  expect_same(kernel, laws, laws);
}

TEST(SharedAxes, SumsAndProductsOfKernels) {
  const Product product({{Matern32(2.0, Vector{{0.4}}), {1}}, {Matern12(1.5, Vector{{0.8, 0.5}}), {0, 2}}});
  const Sum sum(product, Sum(White(0.3, 3), Rbf(0.5, Vector{{1.0, 2.0, 3.0}})));
  for (const double half_width : {0.0, 0.25}) {
    expect_same(product, grid(3, 4, 0.2, half_width), grid(3, 3, 0.1, 0.0));
    expect_same(sum, grid(3, 4, 0.2, half_width), grid(3, 3, 0.1, 0.0));
  }
}

// Nothing to share: coordinates are all different, and nothing is tabulated.
TEST(SharedAxes, ScatteredLawsAreAsBefore) {
  Rng rng(3);
  SpreadLaws laws{Rows(40, 2), Rows::Constant(40, 2, 0.2), Rows::Zero(40, 2)};
  for (Index i = 0; i < laws.centre.size(); ++i) laws.centre.data()[i] = rng.uniform();
  const Matern12 kernel(1.0, Vector{{0.4, 0.9}});
  EXPECT_FALSE(tabulated(kernel, laws, laws));
  expect_same(kernel, laws, laws);
}

}  // namespace
}  // namespace iqbo
