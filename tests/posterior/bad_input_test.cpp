// A user's mistakes: each is named with argument, row and remedy, and changes nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class BadInput : public ::testing::Test {
 protected:
  Posterior post = Posterior(Rbf(1.0, Vector{{0.5}}), GaussianConditional(QueryMap::identity(1), 0.1))
                       .condition(Queries({{0.2}, {0.7}}), Vector{{1.0, 2.0}}, 0.1);
  const Queries a{{0.1}, {0.5}, {0.9}};
  const Inputs x{{0.1}, {0.5}, {0.9}};
  const Vector z{{1.0, 2.0, 3.0}};
  const Vector before = post.f(x).mean;

  // Strong guarantee: whatever was refused, the posterior answers as it did.
  void TearDown() override {
    EXPECT_EQ(post.size(), 2);
    EXPECT_EQ(post.f(x).mean, before);
  }
};

TEST_F(BadInput, NanAndInfinity) {
  expect_refusal([&] { post = post.condition(a, Vector{{1.0, kNan, 3.0}}, 0.1); }, {"z", "row 1", "nan", "finite"});
  expect_refusal([&] { post = post.condition(x, Vector{{1.0, 2.0, -kInf}}, 0.1); }, {"z", "row 2", "-inf", "finite"});
  expect_refusal([&] { post = post.condition(Queries({{0.1}, {kNan}}), z.head(2), 0.1); }, {"a", "row 1", "nan"});
  expect_refusal([&] { post = post.condition(Inputs({{0.1}, {kInf}}), z.head(2), 0.1); }, {"x", "row 1", "inf"});
  expect_refusal([&] { post = post.condition(a, z, kNan); }, {"noise_var", "nan", ">= 0"});
  expect_refusal([&] { post = post.condition(a, z, Vector{{0.1, kInf, 0.1}}); }, {"noise_var", "row 1", "inf"});
  expect_refusal([&] { Rbf(kNan, Vector{{1.0}}); }, {"variance", "nan"});
  expect_refusal([&] { Rbf(1.0, Vector{{1.0, kInf}}); }, {"lengthscale", "row 1", "inf"});
  expect_refusal([&] { ConstantMean{kNan}; }, {"mean", "nan"});
}

TEST_F(BadInput, WrongDimension) {
  const Queries wide({{0.1, 0.2}});
  const Inputs wide_x({{0.1, 0.2}});
  expect_refusal([&] { post = post.condition(wide, Vector{{1.0}}, 0.1); }, {"a", "2 columns", "1"});
  expect_refusal([&] { post = post.condition(wide_x, Vector{{1.0}}, 0.1); }, {"x", "2 columns", "1"});
  expect_refusal([&] { post.f(wide_x); }, {"x", "2 columns", "1"});
  expect_refusal([&] { post.g(wide); }, {"a", "2 columns", "1"});
  expect_refusal([&] { post.f_cov(wide_x); }, {"x", "2 columns", "1"});
  expect_refusal([&] { post.g_cov(a, wide); }, {"b:", "2 columns", "1"});
  expect_refusal([&] { post.f_cov(x, wide_x); }, {"y:", "2 columns", "1"});
  expect_refusal([&] { post.g_cov(wide); }, {"a", "2 columns", "1"});
  expect_refusal([&] { post.fg_cov(x, wide); }, {"a", "2 columns", "1"});
  expect_refusal(
      [&] {
        Posterior(Rbf(1.0, Vector{{0.5, 0.5}}), GaussianConditional(QueryMap::identity(1), 0.1));
      },
      {"kernel", "2 columns", "1"});
  expect_refusal(
      [&] {
        post = post.with_prior(Rbf(1.0, Vector{{0.5, 0.5}}), ConstantMean());
      },
      {"kernel", "2 columns", "1"});
  expect_refusal(
      [&] {
        post = Posterior(post.kernel(), post.conditional(), LinearMean(0.0, Vector{{1.0, 1.0}})).condition(a, z, 0.1);
      },
      {"mean", "2 columns", "1"});
}

TEST_F(BadInput, EmptyOrMismatchedData) {
  expect_refusal([&] { post = post.condition(Queries(), Vector(), 0.1); }, {"a", "empty", "at least one"});
  expect_refusal([&] { post = post.condition(Inputs(), Vector(), 0.1); }, {"x", "empty", "at least one"});
  expect_refusal([&] { post = post.condition(a, z.head(2), 0.1); }, {"z", "2 rows", "3"});
  expect_refusal([&] { post = post.condition(x, z.head(2), 0.1); }, {"z", "2 rows", "3"});
  expect_refusal([&] { post = post.condition(a, z, Vector{{0.1, 0.1}}); }, {"noise_var", "2 rows", "3"});
  expect_refusal([&] { post = post.condition(a, z, Matrix::Ones(3, 2)); }, {"noise_var", "2 columns", "1"});
  expect_refusal([&] { a.slice(1, 5); }, {"a", "slice of 5 from row 1", "0 to 2"});
}

TEST_F(BadInput, ImpossibleValues) {
  expect_refusal([&] { post = post.condition(a, z, -0.1); }, {"noise_var", "-0.1", ">= 0"});
  expect_refusal([&] { post = post.condition(a, z, Vector{{0.1, 0.1, -2.0}}); }, {"noise_var", "row 2", "-2", ">= 0"});
  expect_refusal([&] { Rbf(1.0, Vector{{0.5, 0.0}}); }, {"lengthscale", "row 1", "is 0", "> 0"});
  expect_refusal([&] { Rbf(-1.0, Vector{{0.5}}); }, {"variance", "-1", "> 0"});
  expect_refusal([&] { GaussianConditional(QueryMap::identity(1), -0.1).laws(a); }, {"sd", "row 0", "-0.1", ">= 0"});
}

TEST_F(BadInput, PointOutsideItsSpace) {
  const BagConditional bags(Inputs({{0.0}, {1.0}}), SparseRows(Matrix::Identity(2, 2).sparseView()));
  const Posterior districts(Rbf(1.0, Vector{{0.5}}), bags);
  expect_refusal(
      [&] {
        (void)districts.condition(Queries({{0.0}, {2.0}}), z.head(2), 0.1);
      },
      {"a", "row 1", "2 points"});
  expect_refusal([&] { districts.g(Queries({{0.5}})); }, {"a", "row 0"});
}

TEST_F(BadInput, AThrowingCallbackPassesThrough) {
  const GaussianConditional window(
      QueryMap::function(1, 1,
                         [](const Queries& q) -> Rows {
                           return q.row(0)[0] > 0.5 ? throw std::domain_error("no such clinic") : q.coordinates();
                         }),
      0.1);
  const Posterior clinics = Posterior(Rbf(1.0, Vector{{0.5}}), window).condition(Queries({{0.1}}), Vector{{1.0}}, 0.1);
  test::expect_error<std::domain_error>([&] { (void)clinics.condition(Queries({{0.9}}), Vector{{1.0}}, 0.1); },
                                        {"no such clinic"});
  EXPECT_EQ(clinics.size(), 1);
}

}  // namespace
}  // namespace iqbo
