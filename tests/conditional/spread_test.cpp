// Windows as a user builds them: maps, widths, errors.
#include "iqbo/conditional/spread.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

TEST(QueryMap, EachKind) {
  const Queries a({{1.0, 2.0, 0.5}, {3.0, 4.0, 0.25}});
  EXPECT_EQ(QueryMap::constant(Vector{{7.0, 8.0}})(a), (Rows{{7.0, 8.0}, {7.0, 8.0}}));
  EXPECT_EQ(QueryMap::identity(3)(a), a.coordinates());
  EXPECT_EQ(QueryMap::columns({2, 0})(a), (Rows{{0.5, 1.0}, {0.25, 3.0}}));
  EXPECT_EQ(QueryMap::affine(Matrix{{1.0, 0.0, 2.0}}, Vector{{10.0}})(a), (Rows{{12.0}, {13.5}}));
  const auto map = QueryMap::function(3, 1, [](const Queries& q) -> Rows { return q.coordinates().rowwise().sum(); });
  EXPECT_EQ(map(a), (Rows{{3.5}, {7.25}}));
}

TEST(QueryMap, RefusesWhatDoesNotFit) {
  const Queries a({{1.0, 2.0}});
  expect_refusal([&] { QueryMap::columns({2})(a); }, {"a", "2 columns", "at least 3"});
  expect_refusal([&] { QueryMap::columns({-1}); }, {"columns", "-1"});
  expect_refusal([&] { QueryMap::columns({}); }, {"columns", "empty"});
  expect_refusal([&] { QueryMap::identity(0); }, {"dimension", "at least 1"});
  expect_refusal([&] { QueryMap::affine(Matrix::Ones(2, 2), Vector::Ones(3)); }, {"offset", "3 rows", "2"});
  expect_refusal([&] { QueryMap::function(1, 1, nullptr); }, {"function", "empty"});
  const auto short_map = QueryMap::function(2, 1, [](const Queries&) -> Rows { return Rows(0, 1); });
  expect_refusal([&] { short_map(a); }, {"map of a", "0 rows", "1"});
  const auto nan_map =
      QueryMap::function(2, 1, [](const Queries&) -> Rows { return Rows{{std::numeric_limits<double>::quiet_NaN()}}; });
  expect_refusal([&] { nan_map(a); }, {"map of a", "row 0", "nan", "finite"});
  const auto throwing = QueryMap::function(2, 1, [](const Queries&) -> Rows { throw std::domain_error("sensor off"); });
  test::expect_error<std::domain_error>([&] { throwing(a); }, {"sensor off"});
}

TEST(GaussianConditional, LocationAndResolutionInOneQuery) {
  const GaussianConditional window(QueryMap::columns({0, 1}), QueryMap::columns({2}));
  EXPECT_EQ(window.query_dimension(), 3);
  EXPECT_EQ(window.input_dimension(), 2);
  const auto laws = window.spread_laws(Queries({{1.0, 2.0, 0.5}}));
  EXPECT_EQ(laws.centre, (Rows{{1.0, 2.0}}));
  EXPECT_EQ(laws.sd, (Rows{{0.5, 0.5}}));
  EXPECT_EQ(laws.half_width, (Rows{{0.0, 0.0}}));
}

TEST(GaussianConditional, ZeroWidthIsADirectLook) {
  const Rbf kernel(1.3, Vector{{0.5}});
  const GaussianConditional window(QueryMap::columns({0}), QueryMap::columns({1}));
  const Queries a({{0.1, 0.0}, {0.4, 0.0}});
  const Inputs x({{0.1}, {0.4}});
  EXPECT_LT((window.q(kernel, a, a) - kernel.gram(x)).cwiseAbs().maxCoeff(), test::kRounding);
  EXPECT_LT((window.c(kernel, x, a) - kernel.gram(x)).cwiseAbs().maxCoeff(), test::kRounding);
  EXPECT_LT((window.q_diagonal(kernel, a) - kernel.diagonal(x)).cwiseAbs().maxCoeff(), test::kRounding);
}

TEST(UniformConditional, GivesNuQAndC) {
  const UniformConditional box(QueryMap::identity(1), 0.2);
  const Queries a({{0.3}, {0.9}});
  EXPECT_EQ(box.nu(ConstantMean(2.0), a), Vector::Constant(2, 2.0));
  const Rbf kernel(1.0, Vector{{0.5}});
  EXPECT_EQ(box.q(kernel, a, a).rows(), 2);
  EXPECT_EQ(box.c(kernel, Inputs({{0.1}, {0.2}, {0.3}}), a).rows(), 3);
  EXPECT_EQ(box.support(), nullptr);
  expect_refusal([&] { box.average(a, Matrix::Ones(2, 1)); }, {"conditional", "support"});
  // E cos(w X) over a +- h is sin(wh)/(wh) cos(wa): at w = pi / h it vanishes.
  EXPECT_NEAR(box.cosines(a, Rows{{M_PI / 0.2}}, Vector{{0.0}}).cwiseAbs().maxCoeff(), 0.0, test::kRounding);
}

TEST(SpreadConditional, RefusesWhatDoesNotFit) {
  expect_refusal([] { GaussianConditional(QueryMap::identity(2), QueryMap::constant(Vector::Ones(3))); },
                 {"sd", "3 columns", "1 or 2"});
  expect_refusal([] { GaussianConditional(QueryMap::constant(Vector::Ones(2)), 0.5); },
                 {"mu", "does not depend on the query"});
  const GaussianConditional window(QueryMap::columns({0}), QueryMap::columns({1}));
  expect_refusal([&] { window.laws(Queries({{0.0, 0.1}, {0.0, -0.1}})); }, {"sd", "row 1", "-0.1", ">= 0"});
  expect_refusal([&] { window.laws(Queries({{0.0}})); }, {"a", "1 columns", "2"});
  const UniformConditional box(QueryMap::identity(1), QueryMap::columns({1}));
  expect_refusal([&] { box.laws(Queries({{0.0, -2.0}})); }, {"half_width", "row 0", "-2"});
  expect_refusal([] { UniformConditional(QueryMap::identity(1), -0.5); }, {"half_width", "-0.5", ">= 0"});  // at once
}

}  // namespace
}  // namespace iqbo
