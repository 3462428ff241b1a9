#include "iqbo/kernel/sum.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

std::shared_ptr<const Kernel> smooth_and_white() { return Sum(Rbf(1.5, Vector{{0.9, 1.3}}), White(0.4, 2)).clone(); }

TEST(Sum, AddsItsTerms) {
  Rng rng(1);
  const Rbf smooth(1.5, Vector{{0.9}});
  const Matern12 rough(0.5, Vector{{0.2}});
  const Sum sum(smooth, rough);
  const Inputs x(rng.uniforms(5, 1));
  const Inputs y(rng.uniforms(3, 1));
  EXPECT_LE(largest(sum.gram(x, y) - smooth.gram(x, y) - rough.gram(x, y)), kRounding);
  EXPECT_TRUE(sum.diagonal(x).isConstant(2.0, kRounding));
}

TEST(Sum, NuggetStandsOnTheDiagonalOnly) {
  const Rbf smooth(1.5, Vector{{0.9}});
  const Sum sum(smooth, White(0.25, 1));
  const Inputs pixels = Inputs::line(Vector::LinSpaced(5, 0, 1));
  const Matrix extra = sum.gram(pixels) - smooth.gram(pixels);
  EXPECT_LE(largest(extra - 0.25 * Matrix::Identity(5, 5)), kRounding);
}

TEST(Sum, OfOneTermIsThatTerm) {
  const Rbf smooth(1.5, Vector{{0.9}});
  const Inputs x = Inputs::line(Vector::LinSpaced(5, 0, 1));
  EXPECT_EQ(Sum(Sum::Terms{smooth.clone()}).gram(x), smooth.gram(x));
}

TEST(Sum, NumbersItsNames) {
  EXPECT_EQ(smooth_and_white()->parameter_names(),
            (std::vector<std::string>{"0.variance", "0.lengthscale[0]", "0.lengthscale[1]", "1.nugget"}));
  EXPECT_EQ(Sum(Rbf(1.0, Vector{{1.0, 1.0}}), *smooth_and_white()).parameter_names().back(), "1.1.nugget");
}

TEST(Sum, ParametersEndUpWhereTheirNamesSay) {
  const double log2 = 0.69314718055994530942;
  const auto moved =
      std::dynamic_pointer_cast<const Sum>(smooth_and_white()->with_log_parameters(Vector{{0, log2, -log2, 3 * log2}}));
  ASSERT_NE(moved, nullptr);
  const auto smooth = std::dynamic_pointer_cast<const Stationary>(moved->terms().at(0));
  const auto nugget = std::dynamic_pointer_cast<const White>(moved->terms().at(1));
  ASSERT_TRUE(smooth && nugget);
  EXPECT_NEAR(smooth->variance(), 1.0, kRounding);
  EXPECT_TRUE(smooth->lengthscale().isApprox(Vector{{2, 0.5}}, kRounding));
  EXPECT_NEAR(nugget->variance(), 8.0, kRounding * 8);
}

TEST(Sum, RefusesTermsThatDoNotFit) {
  const auto line = Rbf(1, Vector{{1}}).clone();
  const auto plane = Rbf(1, Vector{{1, 1}}).clone();
  expect_refusal([] { Sum{Sum::Terms{}}; }, {"terms: is empty, expected at least one"});
  expect_refusal([&] { Sum(Sum::Terms{line, line, plane}); }, {"terms: row 2", "2 columns", "expected 1"});
  expect_refusal([&] { Sum(*plane, White(1, 1)); }, {"terms: row 1", "1 columns", "expected 2"});
  expect_refusal([&] { Sum(Sum::Terms{nullptr}); }, {"terms: row 0", "null", "expected a kernel"});
  expect_refusal([&] { Sum(Sum::Terms{line, nullptr}); }, {"terms: row 1", "null", "expected a kernel"});
}

}  // namespace
}  // namespace iqbo::test
