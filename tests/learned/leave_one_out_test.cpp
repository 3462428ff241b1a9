// Leave-one-out formulas against actually leaving each pair out and solving again.
#include "learned/leave_one_out.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <vector>

#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kBruteForce = 1e-9;
constexpr Index kPairs = 15;

struct Setting {
  Matrix gram_a, gram_x;
  Rows x;
  explicit Setting(std::uint64_t seed) {
    Rng rng(seed);
    const Queries a = test::random_queries(rng, kPairs, 2);
    x = rng.uniforms(kPairs, 2);
    gram_a = Rbf(1.0, Vector{{0.4, 0.6}}).gram(a);
    gram_x = Matern52(1.0, Vector{{0.3, 0.3}}).gram(Inputs(x));
  }
};

std::vector<Index> without(Index left_out) {
  std::vector<Index> rows;
  for (Index i = 0; i < kPairs; ++i)
    if (i != left_out) rows.push_back(i);
  return rows;
}

// (L + ridge I)^-1 l(a_j) over the others.
Vector refitted_weights(const Matrix& gram_a, double ridge, Index j) {
  const auto rest = without(j);
  Matrix a = gram_a(rest, rest);
  a.diagonal().array() += ridge;
  return a.fullPivLu().solve(Vector(gram_a(rest, j)));
}

double loss(const Matrix& gram_x, const Vector& w, Index j) {
  const auto rest = without(j);
  return gram_x(j, j) - 2.0 * w.dot(Vector(gram_x(rest, j))) + w.dot(Matrix(gram_x(rest, rest)) * w);
}

TEST(LeaveOneOut, OfRidgeRegression) {
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const double ridge : {1e-3, 0.1, 5.0}) {
      const Setting setting(seed);
      const Rows got = ridge_leave_one_out(setting.gram_a, ridge, setting.x);
      const Rows decomposed = RidgeLeaveOneOut(setting.gram_a).residuals(ridge, setting.x);
      EXPECT_LT((got - decomposed).cwiseAbs().maxCoeff(), kBruteForce);
      for (Index j = 0; j < kPairs; ++j) {
        const Eigen::RowVectorXd predicted =
            refitted_weights(setting.gram_a, ridge, j).transpose() * Rows(setting.x(without(j), Eigen::all));
        EXPECT_LT((got.row(j) - (setting.x.row(j) - predicted)).cwiseAbs().maxCoeff(), kBruteForce);
      }
    }
}

TEST(LeaveOneOut, OfTheConditionalMeanEmbedding) {
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const double ridge : {1e-3, 0.1, 5.0}) {
      const Setting setting(seed);
      const Vector got = RidgeLeaveOneOut(setting.gram_a).embedding_losses(ridge, setting.gram_x);
      for (Index j = 0; j < kPairs; ++j)
        EXPECT_NEAR(got[j], loss(setting.gram_x, refitted_weights(setting.gram_a, ridge, j), j), kBruteForce);
    }
}

TEST(LeaveOneOut, OfLocalWeights) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Setting setting(seed);
    const Vector got = weights_leave_one_out(setting.gram_a, setting.gram_x);
    for (Index j = 0; j < kPairs; ++j) {
      Vector w = setting.gram_a(j, without(j)).transpose();
      w /= w.sum();
      EXPECT_NEAR(got[j], loss(setting.gram_x, w, j), kBruteForce);
    }
  }
}

TEST(LeaveOneOut, RefusesWhatDoesNotFit) {
  const Setting setting(1);
  test::expect_refusal([&] { ridge_leave_one_out(setting.gram_a, 0.0, setting.x); }, {"ridge", "> 0"});
  test::expect_refusal([&] { ridge_leave_one_out(setting.gram_a, 1.0, Rows::Ones(3, 1)); }, {"x", "3 rows", "15"});
  test::expect_refusal([&] { RidgeLeaveOneOut(setting.gram_a).embedding_losses(1.0, Matrix::Ones(3, 3)); },
                       {"gram_x", "3 rows", "15"});
  test::expect_refusal([&] { weights_leave_one_out(Matrix::Ones(1, 1), Matrix::Ones(1, 1)); },
                       {"similarity", "1 rows", "2"});
}

}  // namespace
}  // namespace iqbo
