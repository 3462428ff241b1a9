// Laws with one rule per coordinate, against the grid of points they stand for.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "iqbo/average/expectation.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

std::vector<std::shared_ptr<const Kernel>> kernels() {
  const Vector l{{0.3, 0.5}};
  return {Rbf(1.4, l).clone(), Matern12(1.4, l).clone(), Matern52(1.4, l).clone(),
          Product({{Rbf(1.2, Vector{{0.4}}), {1}}, {Matern32(0.7, Vector{{0.2}}), {0}}}).clone(),
          Sum(Rbf(1.0, l), Matern32(0.2, 3.0 * l)).clone()};
}

// Of n laws with a and b nodes along the axes; in every second one the last node of the first axis is padding.
AxisLaws random_axes(Rng& rng, Index n, Index a, Index b) {
  AxisLaws laws{{test::uniform_rows(rng, n, a), test::uniform_rows(rng, n, b)},
                {test::uniform_rows(rng, n, a), test::uniform_rows(rng, n, b)}};
  for (Index i = 0; i < n; i += 2) laws.weight[0](i, a - 1) = 0.0;
  for (Rows& weight : laws.weight)
    for (Index i = 0; i < n; ++i) weight.row(i) /= weight.row(i).sum();
  return laws;
}

Laws spanned(const AxisLaws& laws) {
  const Index n = laws.node[0].rows();
  const Index a = laws.node[0].cols();
  const Index b = laws.node[1].cols();
  Rows points(n * a * b, 2);
  SparseRows weight(n, points.rows());
  Index at = 0;
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < a; ++k)
      for (Index m = 0; m < b; ++m, ++at) {
        points.row(at) << laws.node[0](i, k), laws.node[1](i, m);
        weight.insert(i, at) = laws.weight[0](i, k) * laws.weight[1](i, m);
      }
  weight.makeCompressed();
  return DiscreteLaws{std::make_shared<const Inputs>(points), weight, true};
}

template <class Got, class Want>
void expect_close(const Got& got, const Want& want, double tolerance) {
  ASSERT_EQ(got.rows(), want.rows());
  ASSERT_EQ(got.cols(), want.cols());
  EXPECT_LT((got - want).cwiseAbs().maxCoeff(), tolerance * std::max(1.0, want.cwiseAbs().maxCoeff()));
}

// All pairs of `side` rules along the first axis with `side` along the second, as on a grid.
AxisLaws gridded(const AxisLaws& laws, Index side) {
  std::vector<Index> first, second;
  for (Index i = 0; i < side * side; ++i) {
    first.push_back(i / side);
    second.push_back(i % side);
  }
  const auto pick = [&](const std::vector<Rows>& of) -> std::vector<Rows> {
    return {of[0](first, Eigen::all), of[1](second, Eigen::all)};
  };
  return {pick(laws.node), pick(laws.weight)};
}

TEST(AxisLaws, ThatShareRulesAreTheirGrid) {
  Rng rng(5);
  const AxisLaws left = gridded(random_axes(rng, 4, 3, 5), 4);
  const AxisLaws right = gridded(random_axes(rng, 3, 4, 2), 3);
  const Inputs points(test::uniform_rows(rng, 6, 2));
  for (const auto& kernel : kernels()) {
    expect_close(expect(*kernel, left, right), expect(*kernel, spanned(left), spanned(right)), test::kMaternAverage);
    expect_close(expect(*kernel, left, left), expect(*kernel, spanned(left), spanned(left)), test::kMaternAverage);
    expect_close(expect(*kernel, points, left), expect(*kernel, points, spanned(left)), test::kMaternAverage);
  }
}

TEST(AxisLaws, AreTheGridTheySpan) {
  Rng rng(1);
  const AxisLaws axes = random_axes(rng, 4, 3, 5);
  const AxisLaws more = random_axes(rng, 3, 2, 4);
  const Inputs x = test::random_inputs(rng, 3, 2);
  const SpreadLaws spread{x.coordinates(), test::uniform_rows(rng, 3, 2), test::uniform_rows(rng, 3, 2)};
  for (const auto& kernel : kernels()) {
    const Laws grid = spanned(axes);
    expect_close(expect_diagonal(*kernel, axes), expect_diagonal(*kernel, grid), test::kMaternAverage);
    const std::vector<std::pair<Laws, Laws>> others{{more, spanned(more)}, {x, x}, {spread, spread}, {grid, grid}};
    for (const auto& [other, same] : others) {
      const Matrix want = expect(*kernel, grid, same);
      expect_close(expect(*kernel, axes, other), want, test::kMaternAverage);
      expect_close(expect(*kernel, other, axes), want.transpose(), test::kMaternAverage);
      const Matrix weight = test::uniform_rows(rng, want.rows(), want.cols(), -1.0, 1.0);
      const Vector gradient = expect_pull_back(*kernel, grid, same, weight);
      expect_close(expect_pull_back(*kernel, axes, other, weight), gradient, test::kFiniteDifference);
      expect_close(expect_pull_back(*kernel, other, axes, weight.transpose()), gradient, test::kFiniteDifference);
    }
  }
}

TEST(AxisLaws, MeansAndCosines) {
  Rng rng(2);
  const AxisLaws axes = random_axes(rng, 4, 3, 5);
  const Laws grid = spanned(axes);
  const CallbackMean wave([](const Inputs& x) -> Vector {
    return x.coordinates().col(0).array().sin() * x.coordinates().col(1).array().exp();
  });
  const LinearMean line(1.0, Vector{{2.0, -1.0}});
  expect_close(expect(wave, axes), expect(wave, grid), test::kRounding);
  expect_close(expect(line, axes), expect(line, grid), test::kRounding);
  expect_close(expect_jacobian(line, axes), expect_jacobian(line, grid), test::kRounding);
  const Rows frequency = test::uniform_rows(rng, 6, 2, -5.0, 5.0);
  const Vector phase = test::random_vector(rng, 6, 0.0, 6.0);
  expect_close(expect_cosines(axes, frequency, phase), expect_cosines(grid, frequency, phase), test::kRounding);
}

TEST(AxisLaws, SliceAndJoin) {
  Rng rng(3);
  const AxisLaws first = random_axes(rng, 4, 3, 5);
  const AxisLaws second = random_axes(rng, 3, 5, 2);
  const Laws both = Laws(first).joined(second);
  EXPECT_EQ(both.size(), 7);
  EXPECT_EQ(both.dimension(), 2);
  const Rbf kernel(1.0, Vector{{0.3, 0.5}});
  const Inputs x = test::random_inputs(rng, 3, 2);
  expect_close(expect(kernel, both.slice(0, 4), x), expect(kernel, first, x), test::kRounding);
  expect_close(expect(kernel, both.slice(4, 3), x), expect(kernel, second, x), test::kRounding);
  expect_close(expect_diagonal(kernel, both).tail(3), expect_diagonal(kernel, second), test::kRounding);
}

TEST(AxisLaws, RefusesWhatDoesNotFit) {
  const Rows one = Rows::Ones(2, 1);
  expect_refusal([] { (void)Laws(AxisLaws{}); }, {"node", "empty"});
  expect_refusal([&] { (void)Laws(AxisLaws{{one, one}, {one}}); }, {"weight", "1 rows", "2"});
  expect_refusal(
      [&] {
        (void)Laws(AxisLaws{{one, Rows::Ones(3, 1)}, {one, Rows::Ones(3, 1)}});
      },
      {"node of coordinate 1", "3 rows", "2"});
  expect_refusal(
      [&] {
        (void)Laws(AxisLaws{{one}, {Rows::Ones(2, 2)}});
      },
      {"weight of coordinate 0", "2 columns", "1"});
  expect_refusal([&] { (void)Laws(AxisLaws{{one}, {-one}}); }, {"weight of coordinate 0", "row 0", "-1", ">= 0"});
  expect_refusal(
      [&] {
        (void)Laws(AxisLaws{{one}, {0.5 * one}});
      },
      {"weight of coordinate 0", "row 0 sums to 0.5", "1"});
  expect_refusal([&] { (void)Laws(AxisLaws{{one * std::nan("")}, {one}}); }, {"node of coordinate 0", "nan"});
  const Laws plain = AxisLaws{{one, one}, {one, one}};
  const Sum rough(Rbf(1.0, Vector{{1.0, 1.0}}), White(0.1, 2));
  expect_refusal([&] { expect(rough, plain, plain); }, {"kernel", "White", "listed points"});
}

}  // namespace
}  // namespace iqbo
