// Pivoted Cholesky against the matrix it factors, and its rank against the numerical rank by singular values.
#include "numerics/pivoted_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {

using namespace internal;

namespace {

class Explicit final : public CovarianceSource {
 public:
  explicit Explicit(Matrix k) : k_(std::move(k)) {}
  Vector diagonal() const override { return k_.diagonal(); }
  Matrix columns(const std::vector<Index>& which) const override { return k_(Eigen::all, which); }
  Matrix block(const std::vector<Index>& which) const override { return k_(which, which); }
  const Matrix& k() const { return k_; }

 private:
  Matrix k_;
};

Explicit smooth(const Rows& x, double lengthscale, double variance = 1.0) {
  Matrix k(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j)
      k(i, j) = variance * std::exp(-(x.row(i) - x.row(j)).squaredNorm() / (2.0 * lengthscale * lengthscale));
  return Explicit(k);
}

double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

TEST(PivotedCholesky, LeavesNoMoreThanTheTolerance) {
  Rng rng(1);
  const Explicit source = smooth(rng.uniforms(700, 2), 0.3, 4.0);
  for (const double tolerance : {1e-3, 1e-9, 4e-14}) {
    const PivotedCholesky found = pivoted_cholesky(source, tolerance, 700, 700);
    ASSERT_TRUE(found.complete);
    EXPECT_LE(found.residual.maxCoeff(), tolerance);
    EXPECT_LE(largest(source.k() - found.factor * found.factor.transpose()), tolerance + 4.0 * test::kRounding);
  }
}

// No factor of fewer columns than there are eigenvalues above n * tolerance can leave so little.
TEST(PivotedCholesky, NeedsHardlyMoreColumnsThanThereAreEigenvalues) {
  Rng rng(2);
  const Explicit source = smooth(rng.uniforms(600, 2), 0.25);
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(source.k(), Eigen::EigenvaluesOnly).eigenvalues();
  for (const double tolerance : {1e-4, 1e-8}) {
    const auto needed = static_cast<double>((values.array() > tolerance).count());
    const PivotedCholesky found = pivoted_cholesky(source, tolerance, 600, 600);
    EXPECT_LT(static_cast<double>(found.rank()), 1.3 * needed) << tolerance;
  }
}

TEST(PivotedCholesky, IsLowerTriangularAtItsPivots) {
  Rng rng(3);
  const Explicit source = smooth(rng.uniforms(300, 2), 0.4);
  const PivotedCholesky found = pivoted_cholesky(source, 1e-10, 300, 300);
  const Matrix triangle = found.triangle();
  EXPECT_EQ(largest(triangle.triangularView<Eigen::StrictlyUpper>()), 0.0);
  EXPECT_GT(triangle.diagonal().minCoeff(), 0.0);
  EXPECT_LT(largest(source.block(found.pivots) - triangle * triangle.transpose()), test::kRounding);
}

TEST(PivotedCholesky, StopsAtTheMostRankAndSaysSo) {
  const Explicit identity(Matrix::Identity(50, 50));
  const PivotedCholesky cut = pivoted_cholesky(identity, 1e-12, 20, 50);
  EXPECT_FALSE(cut.complete);
  EXPECT_EQ(cut.rank(), 20);
  const PivotedCholesky whole = pivoted_cholesky(identity, 1e-12, 50, 50);
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(largest(whole.factor * whole.factor.transpose() - identity.k()), 0.0);
}

TEST(PivotedCholesky, GivesUpOnWhatIsOutOfReach) {
  Rng rng(5);
  const Rows x = rng.uniforms(700, 2);
  Matrix rough(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j) rough(i, j) = std::exp(-(x.row(i) - x.row(j)).norm() / 0.3);
  const PivotedCholesky given_up = pivoted_cholesky(Explicit(rough), 1e-6, 500, 700, true);
  EXPECT_FALSE(given_up.complete);
  EXPECT_LT(given_up.rank(), 400);
}

// The bound is tight: not one column more is allowed than are needed.
TEST(PivotedCholesky, DoesNotGiveUpOnWhatIsWithinReach) {
  Rng rng(6);
  const Rows x = rng.uniforms(700, 2);
  for (const double lengthscale : {0.05, 0.1, 0.3})
    for (const double tolerance : {1e-2, 1e-5, 1e-9}) {
      const Explicit source = smooth(x, lengthscale);
      const Index needed = pivoted_cholesky(source, tolerance, 700, 350).rank();
      const PivotedCholesky found = pivoted_cholesky(source, tolerance, needed, 350, true);
      EXPECT_TRUE(found.complete) << lengthscale << ", " << tolerance;
      EXPECT_EQ(found.rank(), needed);
    }
}

TEST(PivotedCholesky, TakesPreferredRowsFirst) {
  Rng rng(4);
  const Explicit source = smooth(rng.uniforms(200, 1), 0.2);
  const PivotedCholesky found = pivoted_cholesky(source, 1e-12, 200, 100);
  ASSERT_TRUE(found.complete);
  bool beyond = false;
  for (const Index pivot : found.pivots) {
    EXPECT_FALSE(beyond && pivot < 100) << "a preferred row after another";
    beyond = beyond || pivot >= 100;
  }
}

TEST(PivotedCholesky, OfDuplicatesAndZerosIsNoTrouble) {
  Matrix k = Matrix::Ones(5, 5);
  k.row(4).setZero();
  k.col(4).setZero();
  const PivotedCholesky found = pivoted_cholesky(Explicit(k), 1e-14, 5, 5);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.rank(), 1);
  const PivotedCholesky nothing = pivoted_cholesky(Explicit(Matrix::Zero(3, 3)), 1e-14, 3, 3);
  EXPECT_TRUE(nothing.complete);
  EXPECT_EQ(nothing.rank(), 0);
}

TEST(PivotedCholesky, RefusesWhatIsNoTolerance) {
  const Explicit identity(Matrix::Identity(2, 2));
  test::expect_refusal([&] { pivoted_cholesky(identity, 0.0, 2, 2); }, {"tolerance", "0", "> 0"});
  test::expect_refusal([&] { pivoted_cholesky(Explicit(-identity.k()), 1e-9, 2, 2); }, {"diagonal", "row 0", "-1"});
}

}  // namespace
}  // namespace iqbo
