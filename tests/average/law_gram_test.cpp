// A prepared covariance against expect() and expect_pull_back(), which average pair by pair.
#include "average/law_gram.hpp"

#include <gtest/gtest.h>

#include "average/pair_interpolation.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo::internal {
namespace {

struct Difference {
  double covariance, gradient;  // relative to the variance; to the sum of |weight| times it
};

Difference compare(const Kernel& kernel, const Laws& laws) {
  const auto gram = LawGram::of(laws);
  const auto at = gram->under(kernel, true);
  const Matrix expected = expect(kernel, laws, laws);
  Rng rng(4);
  Matrix weight(laws.size(), laws.size());
  for (Index j = 0; j < weight.cols(); ++j) weight.col(j) = rng.normals(weight.rows());
  weight = (weight + weight.transpose()).eval();
  const Vector slope = expect_pull_back(kernel, laws, laws, weight);
  const double variance = kernel.diagonal(Inputs(Rows::Zero(1, kernel.dimension())))[0];
  EXPECT_TRUE(at.covariance == at.covariance.transpose());
  EXPECT_LT((gram->under(kernel, false).covariance - at.covariance).cwiseAbs().maxCoeff(), 1e-12 * variance);
  return {(at.covariance - expected).cwiseAbs().maxCoeff() / variance,
          (at.pull_back(weight) - slope).cwiseAbs().maxCoeff() / (variance * weight.cwiseAbs().sum())};
}

std::vector<std::shared_ptr<const Kernel>> kernels(Index d) {
  const Vector lengthscale = Vector::LinSpaced(d, 0.2, 0.35);
  std::vector<std::shared_ptr<const Kernel>> out;
  for (const char* family : {"rbf", "matern12", "matern32", "matern52"})
    out.push_back(Stationary(family, 1.7, lengthscale).clone());
  out.push_back(Stationary("rational-quadratic", 0.8, lengthscale, Vector::Constant(1, 1.3)).clone());
  out.push_back(Stationary("periodic", 0.8, Vector::Ones(d), Vector::Constant(d, 0.7)).clone());
  out.push_back(
      Sum({Stationary("rbf", 0.5, lengthscale).clone(), Stationary("matern32", 1.5, 2.0 * lengthscale).clone()})
          .clone());
  return out;
}

SpreadLaws windows(const Rows& centre, double sd, double half_width) {
  return {centre, Rows::Constant(centre.rows(), centre.cols(), sd),
          Rows::Constant(centre.rows(), centre.cols(), half_width)};
}

Rows grid(Index side, double step) {
  Rows out(side * side, 2);
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) << step * static_cast<double>(i % side), step * static_cast<double>(i / side);
  return out;
}

void expect_exact(const Laws& laws, double tolerance = 1e-12) {
  for (const auto& kernel : kernels(laws.dimension())) {
    SCOPED_TRACE(kernel->description());
    const Difference off = compare(*kernel, laws);
    EXPECT_LT(off.covariance, tolerance);
    EXPECT_LT(off.gradient, tolerance);
  }
}

TEST(LawGram, PointsAndRepeats) {
  Rng rng(1);
  Rows x = rng.uniforms(30, 2);
  x.row(7) = x.row(3);
  expect_exact(Inputs(x));
  expect_exact(Inputs(rng.uniforms(25, 3)));
  const Sum with_nugget({Stationary("matern32", 1.0, Vector::Constant(2, 0.3)).clone(), White(0.4, 2).clone()});
  EXPECT_LT(compare(with_nugget, Inputs(x)).covariance, 1e-14);
  EXPECT_LT(compare(with_nugget, Inputs(x)).gradient, 1e-14);
}

TEST(LawGram, WindowsOfAGrid) {
  expect_exact(windows(grid(7, 0.1), 0.06, 0.0));
  expect_exact(windows(grid(7, 0.1), 0.0, 0.05));
  expect_exact(windows(grid(6, 0.1), 0.03, 0.05));
}

TEST(LawGram, WindowsOfMixedSizes) {
  Rng rng(2);
  SpreadLaws laws = windows(rng.uniforms(24, 2), 0.0, 0.04);
  laws.half_width.topRows(8).array() *= 3.0;
  laws.sd.bottomRows(8).setConstant(0.05);
  laws.half_width.bottomRows(4).setZero();
  laws.sd.bottomRows(2).setZero();  // exact points
  expect_exact(laws);
}

TEST(LawGram, AlongOneAxisAndInThree) {
  Rng rng(3);
  expect_exact(windows(rng.uniforms(20, 1), 0.05, 0.0));
  expect_exact(windows(rng.uniforms(20, 3), 0.05, 0.0));
}

// Many scattered windows of the same size are interpolated.
TEST(LawGram, ScatteredWindowsAreInterpolated) {
  Rng rng(5);
  const Rows centre = rng.uniforms(100, 2);
  for (const auto& laws : {windows(centre, 0.1, 0.0), windows(centre, 0.0, 0.1), windows(centre, 0.06, 0.1)})
    expect_exact(laws, PairInterpolation::kError);
  expect_exact(windows(rng.uniforms(120, 1), 0.0, 0.06), PairInterpolation::kError);
}

// Far narrower than the windows' pieces, so that interpolation must notice and not be used.
TEST(LawGram, InterpolationIsChecked) {
  Rng rng(6);
  const SpreadLaws laws = windows(rng.uniforms(130, 2), 0.0, 0.08);
  const Stationary narrow("matern12", 1.0, Vector::Constant(2, 0.004));
  const Difference off = compare(narrow, laws);
  EXPECT_LT(off.covariance, 1e-12);
  EXPECT_LT(off.gradient, 1e-12);
}

DiscreteLaws bags(const Rows& points, Index laws, Index size, Rng& rng) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < laws; ++i)
    for (Index k = 0; k < size; ++k) entries.emplace_back(i, rng.below(points.rows()), rng.uniform() - 0.2);
  SparseRows weight(laws, points.rows());
  weight.setFromTriplets(entries.begin(), entries.end());
  return {std::make_shared<const Inputs>(points), weight};
}

TEST(LawGram, BagsOnALatticeAndOffIt) {
  Rng rng(7);
  expect_exact(bags(grid(12, 0.08), 20, 9, rng));
  Rows with_holes = grid(12, 0.08);
  with_holes = with_holes(Eigen::seq(0, 140, 3), Eigen::all).eval();
  expect_exact(bags(with_holes, 20, 9, rng));
  expect_exact(bags(rng.uniforms(300, 2), 20, 9, rng));
  expect_exact(bags(rng.uniforms(300, 3), 20, 9, rng));
  const Sum with_nugget({Stationary("matern32", 1.0, Vector::Constant(2, 0.3)).clone(), White(0.4, 2).clone()});
  for (const auto& laws : {bags(grid(12, 0.08), 20, 9, rng), bags(rng.uniforms(300, 2), 20, 9, rng)}) {
    EXPECT_LT(compare(with_nugget, laws).covariance, 1e-13);
    EXPECT_LT(compare(with_nugget, laws).gradient, 1e-13);
  }
}

}  // namespace
}  // namespace iqbo::internal
