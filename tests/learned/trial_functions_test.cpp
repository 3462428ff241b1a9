// The functions on which models are compared: their kernel, and their averages, against sums and samples.
#include "learned/trial_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/core/rng.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

LoggedPairs pairs_of(const Rows& x, const Rows& a) {
  const Queries queries(a);
  const Vector sd = ((x.rowwise() - x.colwise().mean()).array().square().colwise().mean()).sqrt().transpose();
  return {std::make_shared<const Inputs>(x), queries,
          std::make_shared<const internal::QueryEncoding>(queries, std::vector<Index>{}), sd};
}

// X in the plane, a the distance from the origin: what a^(x) should find.
LoggedPairs rings(Index n) {
  Rng rng(3);
  Rows x(n, 2);
  Rows a(n, 1);
  for (Index i = 0; i < n; ++i) {
    const double angle = 5.0 * rng.uniform();
    a(i, 0) = 0.2 + rng.uniform();
    x.row(i) << a(i, 0) * std::cos(angle), a(i, 0) * std::sin(angle);
  }
  return pairs_of(x, a);
}

TEST(TrialFunctions, HaveTheYardstickAsKernel) {
  const LoggedPairs pairs = rings(60);
  const TrialFunctions functions(pairs);
  const Matrix values = functions.at(pairs);
  const Matrix gram = functions.gram(pairs);
  EXPECT_LT((gram.diagonal().array() - 1.0).abs().maxCoeff(), test::kRounding);
  EXPECT_LT(((values * values.transpose()).diagonal().array() - 1.0).abs().maxCoeff(), test::kRounding);
  // 24 cosines a kernel: an entry is off by at most 1 / sqrt(2 24) in sd, less in the mean of seven.
  EXPECT_LT((values * values.transpose() - gram).cwiseAbs().mean(), 0.06);
  // Near in x and in a: almost the same value of every function. Far in both: almost independent.
  EXPECT_GT(gram.maxCoeff(), 0.9);
}

TEST(TrialFunctions, AverageOverWindowsAsOverTheirSamples) {
  const LoggedPairs pairs = rings(80);
  const TrialFunctions functions(pairs);
  const SpreadLaws windows{Rows{{0.3, 0.2}, {-0.5, 0.4}}, Rows{{0.1, 0.1}, {0.05, 0.3}}, Rows::Zero(2, 2)};
  Rng rng(4);
  constexpr Index kSamples = 4000;
  Rows points(2 * kSamples, 2);
  SparseRows own(2, 2 * kSamples);
  Matrix shared = Matrix::Zero(2, 2 * kSamples);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < kSamples; ++j) {
      points.row(i * kSamples + j) =
          windows.centre.row(i).array() + windows.sd.row(i).array() * rng.normals(2).transpose().array();
      own.insert(i, i * kSamples + j) = 1.0 / kSamples;
      shared(i, i * kSamples + j) = 1.0 / kSamples;
    }
  const auto support = std::make_shared<const Inputs>(points);
  const Matrix by_samples = functions.average(Laws(DiscreteLaws{support, own}));
  // Functions of x are averaged in closed form, those of the place over 32 points.
  const Matrix difference = functions.average(Laws(windows)) - by_samples;
  EXPECT_LT(difference.squaredNorm() / by_samples.squaredNorm(), 0.01);
  // Whether laws have points of their own or share them is a matter of speed.
  shared.array() += 1e-300;
  EXPECT_LT(
      (functions.average(Laws(DiscreteLaws{support, shared.sparseView(1.0, 0.0)})) - by_samples).cwiseAbs().maxCoeff(),
      test::kRounding);
}

// If X does not depend on a, no function of the place may pretend that it does: its values at a pair say nothing of its a.
TEST(TrialFunctions, DoNotLeakTheirOwnQuery) {
  Rng rng(5);
  const LoggedPairs pairs = pairs_of(rng.uniforms(300, 2), rng.uniforms(300, 1));
  const Matrix values = TrialFunctions(pairs).at(pairs);
  const Vector a = pairs.a.coordinates().col(0).array() - pairs.a.coordinates().mean();
  double most = 0.0;
  for (Index f = 0; f < values.cols(); ++f) {
    const Vector of = values.col(f).array() - values.col(f).mean();
    most = std::max(most, std::abs(a.dot(of)) / (a.norm() * of.norm()));
  }
  EXPECT_LT(most, 0.25);  // sd 1 / sqrt(300) = 0.06 for each of 336
}

}  // namespace
}  // namespace iqbo
