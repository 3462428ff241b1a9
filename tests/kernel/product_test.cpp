#include "iqbo/kernel/product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

// Location (columns 0 and 2) times resolution (column 1).
Product location_times_resolution() {
  return Product({{Rbf(2.0, Vector{{0.8, 1.4}}), {0, 2}}, {Matern52(3.0, Vector{{1.2}}), {1}}});
}

Inputs columns(const Inputs& x, const std::vector<Index>& which) {
  return Inputs(Rows(x.coordinates()(Eigen::all, which)));
}

TEST(Product, IsTheProductOfItsFactorsOnTheirColumns) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const Rbf location(std::exp(rng.normal()), rng.normals(2).array().exp());
    const Matern32 resolution(std::exp(rng.normal()), rng.normals(1).array().exp());
    const Matern12 sensor(std::exp(rng.normal()), rng.normals(2).array().exp());
    const Product product({{location, {3, 0}}, {resolution, {2}}, {sensor, {4, 1}}});
    const Inputs x(rng.uniforms(6, 5));
    const Inputs y(rng.uniforms(4, 5));
    const Matrix want = location.gram(columns(x, {3, 0}), columns(y, {3, 0}))
                            .cwiseProduct(resolution.gram(columns(x, {2}), columns(y, {2})))
                            .cwiseProduct(sensor.gram(columns(x, {4, 1}), columns(y, {4, 1})));
    EXPECT_LE(largest(product.gram(x, y) - want), kRounding * largest(want)) << "seed " << seed;
  }
}

// exp(u) exp(v) = exp(u + v): a product of RBFs over the columns is one ARD RBF, derivatives included.
TEST(Product, OfRbfsIsAnRbf) {
  Rng rng(1);
  const Rbf whole(6.0, Vector{{0.7, 1.1, 1.9}});
  const Product parts({{Rbf(2.0, Vector{{1.1}}), {1}}, {Rbf(3.0, Vector{{0.7, 1.9}}), {0, 2}}});
  const Inputs x(rng.uniforms(6, 3));
  const Inputs y(rng.uniforms(4, 3));
  const Matrix weight = random_weight(rng, 6, 4);
  EXPECT_LE(largest(parts.gram(x, y) - whole.gram(x, y)), kRounding * 6);
  EXPECT_LE(largest(parts.input_pull_back(x, y, weight) - whole.input_pull_back(x, y, weight)), kRounding * 100);
  const Vector of_whole = whole.pull_back(x, y, weight);
  const Vector sorted{{of_whole[0], of_whole[2], of_whole[1], of_whole[3]}};  // as the groups come
  EXPECT_LE(largest(parts.pull_back(x, y, weight) - sorted), kRounding * 100);
}

TEST(Product, CollectsTheVariances) {
  const Product product = location_times_resolution();
  EXPECT_EQ(product.variance(), 6.0);
  ASSERT_EQ(product.factors().size(), 2U);
  for (const auto& factor : product.factors()) EXPECT_EQ(factor.kernel.variance(), 1.0);
  EXPECT_EQ(product.dimension(), 3);
  EXPECT_EQ(product.diagonal(Inputs({{1, 2, 3}}))[0], 6.0);
}

TEST(Product, NamesLengthscalesByColumn) {
  EXPECT_EQ(location_times_resolution().parameter_names(),
            (std::vector<std::string>{"variance", "lengthscale[0]", "lengthscale[2]", "lengthscale[1]"}));
}

TEST(Product, ParametersEndUpWhereTheirNamesSay) {
  const double log2 = 0.69314718055994530942;
  const auto moved = std::dynamic_pointer_cast<const Product>(
      location_times_resolution().with_log_parameters(Vector{{log2, 0, 2 * log2, -log2}}));
  ASSERT_NE(moved, nullptr);
  EXPECT_NEAR(moved->variance(), 2.0, kRounding);
  EXPECT_TRUE(moved->factors()[0].kernel.lengthscale().isApprox(Vector{{1, 4}}, kRounding));
  EXPECT_TRUE(moved->factors()[1].kernel.lengthscale().isApprox(Vector{{0.5}}, kRounding));
  EXPECT_EQ(moved->factors()[1].kernel.family().name, "matern52");
}

TEST(Product, RefusesColumnsThatAreNoPartition) {
  const Rbf line(1, Vector{{1}});
  const Rbf plane(1, Vector{{1, 1}});
  expect_refusal([] { Product({}); }, {"factors: is empty, expected at least one"});
  expect_refusal([&] { Product({{line, {0}}, {plane, {1}}}); }, {"factors: row 1", "1 columns", "expected 2"});
  expect_refusal([&] { Product({{line, {0, 1}}}); }, {"factors: row 0", "2 columns", "expected 1"});
  expect_refusal([&] { Product({{line, {}}}); }, {"factors: row 0", "0 columns", "expected 1"});
  expect_refusal(
      [&] {
        Product({{line, {0}}, {plane, {1, 0}}});
      },
      {"factors: row 1", "column 0", "columns 0 to 2 exactly once"});
  expect_refusal([&] { Product({{plane, {1, 1}}}); }, {"factors: row 0", "column 1", "columns 0 to 1 exactly once"});
  expect_refusal(
      [&] {
        Product({{line, {0}}, {line, {2}}});
      },
      {"factors: row 1", "column 2", "columns 0 to 1 exactly once"});
  expect_refusal([&] { Product({{line, {-1}}}); }, {"factors: row 0", "column -1", "columns 0 to 0 exactly once"});
}

TEST(Product, RefusesAVarianceBeyondDoubles) {
  const Rbf loud(1e200, Vector{{1}});
  const Rbf quiet(1e-200, Vector{{1}});
  expect_refusal([&] { Product({{loud, {0}}, {loud, {1}}}); }, {"variance", "inf", "expected a finite number > 0"});
  expect_refusal([&] { Product({{quiet, {0}}, {quiet, {1}}}); }, {"variance", "is 0", "expected a finite number > 0"});
}

}  // namespace
}  // namespace iqbo::test
