#include "numerics/cholesky.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "iqbo/core/check.hpp"
#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {

using namespace internal;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Matrix random_matrix(Rng& rng, Index rows, Index columns) {
  return rng.normals(rows * columns).reshaped(rows, columns);
}

// Of condition about 1e4 at most.
Matrix random_spd(Rng& rng, Index n) {
  const Matrix b = random_matrix(rng, n, n);
  return b * b.transpose() + 0.01 * static_cast<double>(n) * Matrix::Identity(n, n);
}

double largest(const Matrix& a) { return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff(); }

// Oracle: Gaussian elimination with row exchanges in long double, without any use of symmetry.
Matrix solve_by_elimination(const Matrix& a, const Matrix& b) {
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Long work(a.rows(), a.cols() + b.cols());
  work << a.cast<long double>(), b.cast<long double>();
  const Index n = a.rows();
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i)
      if (std::abs(work(i, k)) > std::abs(work(pivot, k))) pivot = i;
    work.row(k).swap(work.row(pivot));
    for (Index i = 0; i < n; ++i)
      if (i != k) work.row(i) -= (work(i, k) / work(k, k)) * work.row(k).eval();
  }
  for (Index k = 0; k < n; ++k) work.row(k) /= Long::Scalar{work(k, k)};
  return work.rightCols(b.cols()).cast<double>();
}

// Points on a line, all within a hundredth of a lengthscale: the matrix a wide kernel gives, of rank about 6 in
// doubles.
Matrix nearly_singular(Index n) {
  const Vector t = Vector::LinSpaced(n, 0, 0.01);
  return (-0.5 * (t.replicate(1, n) - t.transpose().replicate(n, 1)).array().square()).exp();
}

RC_GTEST_PROP(Cholesky, ProductOfFactorsIsTheMatrix, (std::uint64_t seed)) {
  Rng rng(seed);
  const Matrix k = random_spd(rng, 1 + rng.below(30));
  const Cholesky factor(k);
  RC_ASSERT(factor.size() == k.rows());
  RC_ASSERT(factor.jitter() == 0.0);
  const Matrix& l = factor.lower();
  RC_ASSERT(Matrix(l.triangularView<Eigen::StrictlyUpper>()).isZero(0.0));
  RC_ASSERT((l.diagonal().array() > 0).all());
  RC_ASSERT(largest(l * l.transpose() - k) < kRounding * largest(k));
}

RC_GTEST_PROP(Cholesky, ReadsTheLowerTriangleOnly, (std::uint64_t seed)) {
  Rng rng(seed);
  const Index n = 2 + rng.below(10);
  const Matrix k = random_spd(rng, n);
  Matrix half = k;
  half.triangularView<Eigen::StrictlyUpper>().setConstant(kNan);
  RC_ASSERT(Cholesky(half).lower() == Cholesky(k).lower());
  const Index old = 1 + rng.below(n - 1);
  const Cholesky first(k.topLeftCorner(old, old));
  const Matrix below = k.bottomLeftCorner(n - old, old);
  const auto whole = first.extended(below, k.bottomRightCorner(n - old, n - old));
  const auto from_half = first.extended(below, half.bottomRightCorner(n - old, n - old));
  RC_ASSERT(whole.has_value() && from_half.has_value());
  RC_ASSERT(whole->lower() == from_half->lower());
}

RC_GTEST_PROP(Cholesky, ExtendedIsTheFactorOfTheWhole, (std::uint64_t seed)) {
  Rng rng(seed);
  const Index n = 1 + rng.below(25);
  const Matrix k = random_spd(rng, n);
  const Cholesky whole(k);
  for (Index old = 0; old <= n; ++old) {
    const Cholesky first(k.topLeftCorner(old, old));
    const auto both = first.extended(k.bottomLeftCorner(n - old, old), k.bottomRightCorner(n - old, n - old));
    RC_ASSERT(both.has_value());
    RC_ASSERT(both->size() == n);
    RC_ASSERT(both->jitter() == 0.0);
    RC_ASSERT(Matrix(both->lower().triangularView<Eigen::StrictlyUpper>()).isZero(0.0));
    RC_ASSERT(largest(both->lower() - whole.lower()) < kConditioned * largest(whole.lower()));
    RC_ASSERT(first.size() == old);
  }
}

RC_GTEST_PROP(Cholesky, RowByRowIsTheFactorOfTheWhole, (std::uint64_t seed)) {
  Rng rng(seed);
  const Index n = 1 + rng.below(25);
  const Matrix k = random_spd(rng, n);
  Cholesky grown;
  for (Index i = 0; i < n; ++i) {
    auto next = grown.extended(k.row(i).head(i), k.block(i, i, 1, 1));
    RC_ASSERT(next.has_value());
    grown = *std::move(next);
  }
  const Cholesky whole(k);
  RC_ASSERT(largest(grown.lower() - whole.lower()) < kConditioned * largest(whole.lower()));
}

RC_GTEST_PROP(Cholesky, SolvesAsEliminationDoes, (std::uint64_t seed)) {
  Rng rng(seed);
  const Index n = 1 + rng.below(15);
  const Matrix k = random_spd(rng, n);
  const Cholesky factor(k);
  const Matrix b = random_matrix(rng, n, 1 + rng.below(4));

  Matrix both = b;
  factor.solve_lower_in_place(both);
  factor.solve_upper_in_place(both);
  const Matrix want = solve_by_elimination(k, b);
  RC_ASSERT(largest(both - want) < kConditioned * largest(want));

  Matrix lower = b;
  factor.solve_lower_in_place(lower);
  RC_ASSERT(largest(lower - solve_by_elimination(factor.lower(), b)) < kConditioned * largest(lower));
  Matrix upper = b;
  factor.solve_upper_in_place(upper);
  RC_ASSERT(largest(upper - solve_by_elimination(factor.lower().transpose(), b)) < kConditioned * largest(upper));

  const Matrix inverse = solve_by_elimination(k, Matrix::Identity(n, n));
  RC_ASSERT(largest(factor.inverse() - inverse) < kConditioned * largest(inverse));
}

RC_GTEST_PROP(Cholesky, SolvesOneRightHandSideAsEliminationDoes, (std::uint64_t seed)) {
  Rng rng(seed);
  const Index n = 1 + rng.below(15);
  const Matrix k = random_spd(rng, n);
  const Vector b = rng.normals(n);
  const Vector want = solve_by_elimination(k, b);
  RC_ASSERT((Cholesky(k).solve(b) - want).norm() < kConditioned * want.norm());
}

// Queries repeated under a noise sd of 1e-6, condition 1e13: two plain solves would leave three or four digits.
TEST(Cholesky, SolvesWithWidePivotsAsEliminationDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const Vector t = rng.uniforms(20, 1);
    Vector twice(40);
    twice << t, t;
    const Matrix distance = twice.replicate(1, 40) - twice.transpose().replicate(40, 1);
    const Matrix k = Matrix((-5 * distance.array().abs()).exp()) + 1e-12 * Matrix::Identity(40, 40);
    const Vector b = rng.normals(40);
    const Vector want = solve_by_elimination(k, b);

    const Cholesky whole(k);
    EXPECT_EQ(whole.jitter(), 0.0);
    EXPECT_LT((whole.solve(b) - want).norm(), kRefined * want.norm()) << "seed " << seed;
    const auto grown =
        Cholesky(k.topLeftCorner(25, 25)).extended(k.bottomLeftCorner(15, 25), k.bottomRightCorner(15, 15));
    ASSERT_TRUE(grown.has_value());
    EXPECT_LT((grown->solve(b) - want).norm(), kRefined * want.norm()) << "seed " << seed;
  }
}

TEST(Cholesky, SolvesWithTheJitterInPlace) {
  const Cholesky factor(Matrix::Ones(3, 3));
  const Vector w = factor.solve(Vector{{3, 3, 3}});  // (ones + jitter I) w = 3: all ones, nearly
  EXPECT_TRUE((w.array() - 1).isZero(kRefined)) << w.transpose();
}

TEST(Cholesky, SolvesInPlaceOnAPartOfAMatrix) {
  const Cholesky factor(Matrix{{4, 2}, {2, 10}});  // L = [[2, 0], [1, 3]]
  Matrix all{{5, 2, 5}, {5, 7, 5}, {5, 5, 5}};
  factor.solve_lower_in_place(all.block(0, 1, 2, 1));
  EXPECT_EQ(all, (Matrix{{5, 1, 5}, {5, 2, 5}, {5, 5, 5}}));
  factor.solve_upper_in_place(all.block(0, 1, 2, 1));
  EXPECT_TRUE(all.isApprox(Matrix{{5, 1.0 / 6, 5}, {5, 2.0 / 3, 5}, {5, 5, 5}}, kRounding));
}

RC_GTEST_PROP(Cholesky, LogDeterminantIsThatOfTheEigenvalues, (std::uint64_t seed)) {
  Rng rng(seed);
  const Matrix k = random_spd(rng, 1 + rng.below(30));
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues();
  const double want = eigenvalues.array().log().sum();
  RC_ASSERT(std::abs(Cholesky(k).log_determinant() - want) < kConditioned * static_cast<double>(k.rows()));
}

TEST(Cholesky, LogDeterminantDoesNotOverflow) {
  const double want = 400 * std::log(1e-5);
  EXPECT_NEAR(Cholesky(Matrix(1e-5 * Matrix::Identity(400, 400))).log_determinant(), want, kRounding * -want);
}

TEST(Cholesky, OfNothing) {
  for (const Cholesky& none : {Cholesky(), Cholesky(Matrix(0, 0))}) {
    EXPECT_EQ(none.size(), 0);
    EXPECT_EQ(none.jitter(), 0.0);
    EXPECT_EQ(none.log_determinant(), 0.0);
    EXPECT_EQ(none.inverse().size(), 0);
    EXPECT_EQ(none.lower().size(), 0);
    EXPECT_EQ(none.solve(Vector()).size(), 0);
    Matrix b(0, 3);
    none.solve_lower_in_place(b);
    none.solve_upper_in_place(b);
    const auto one = none.extended(Matrix(1, 0), Matrix::Constant(1, 1, 9.0));
    ASSERT_TRUE(one.has_value());
    EXPECT_EQ(one->lower(), Matrix::Constant(1, 1, 3.0));
  }
}

TEST(Cholesky, SolvesForNoRightHandSides) {
  const Cholesky factor(Matrix{{4, 2}, {2, 10}});
  Matrix none(2, 0);
  factor.solve_lower_in_place(none);
  factor.solve_upper_in_place(none);
  EXPECT_EQ(none.cols(), 0);
}

// Jitter is for rounding error, and 1e-6 beside 1 is not one.
TEST(Cholesky, SmallEigenvaluesThatAreNotRoundingNeedNoJitter) {
  EXPECT_EQ(Cholesky(Matrix{{1, 1 - 1e-6}, {1 - 1e-6, 1}}).jitter(), 0.0);
  EXPECT_EQ(Cholesky(Matrix{{1e-300, 0}, {0, 1e300}}).jitter(), 0.0);
}

void expect_reported_jitter(const Matrix& k) {
  const Cholesky factor(k);
  EXPECT_GT(factor.jitter(), 0.0);
  EXPECT_LE(factor.jitter(), 1e-6 * (1 + kRounding));
  const double power = std::log10(factor.jitter());
  EXPECT_NEAR(power, std::round(power), kRounding * 100) << "not a power of ten";
  EXPECT_TRUE(factor.lower().allFinite());
  Matrix regularised = k;
  regularised.diagonal() *= 1.0 + factor.jitter();
  EXPECT_LT(largest(Matrix(factor.diagonal()) - regularised.diagonal()), kRounding * largest(k));
  EXPECT_LT(largest(factor.lower() * factor.lower().transpose() - regularised), kRounding * largest(k));
}

TEST(Cholesky, SingularMatricesGetALittleReportedJitter) {
  expect_reported_jitter(Matrix::Ones(2, 2));
  expect_reported_jitter(Matrix::Ones(50, 50));
  expect_reported_jitter(1e12 * Matrix::Ones(7, 7));
  expect_reported_jitter(1e-12 * Matrix::Ones(7, 7));
  expect_reported_jitter(nearly_singular(100));
}

TEST(Cholesky, RepeatedRowsGetTheLeastJitterThatDoes) {
  Rng rng(1);
  const Matrix k = random_spd(rng, 6);
  const std::vector<Index> repeated{0, 1, 2, 2, 3, 4, 0, 5, 0};
  expect_reported_jitter(k(repeated, repeated));
  EXPECT_LT(Cholesky(Matrix(k(repeated, repeated))).jitter(), 1e-11);
}

// One observation of huge variance says nothing about how much the others need.
TEST(Cholesky, JitterOfARowIsInProportionToThatRow) {
  const Matrix k{{1, 1, 0}, {1, 1, 0}, {0, 0, 1e14}};
  const Cholesky factor(k);
  EXPECT_GT(factor.jitter(), 0.0);
  EXPECT_LT(factor.diagonal()[0] - 1.0, 1e-11);
  const Vector w = factor.solve(Vector{{1, 1, 0}});
  EXPECT_NEAR(w[0] + w[1], 1.0, 1e-9);
}

TEST(Cholesky, ExtendedDeclinesWhatItsJitterDoesNotCover) {
  const Cholesky one(Matrix::Ones(1, 1));
  EXPECT_EQ(one.extended(Matrix::Ones(1, 1), Matrix::Ones(1, 1)), std::nullopt);         // repeated
  EXPECT_EQ(one.extended(Matrix::Constant(1, 1, 2), Matrix::Ones(1, 1)), std::nullopt);  // indefinite
  EXPECT_EQ(one.extended(Matrix::Zero(2, 1), Matrix::Ones(2, 2)), std::nullopt);         // within the corner
  EXPECT_EQ(one.extended(Matrix::Constant(1, 1, kNan), Matrix::Ones(1, 1)), std::nullopt);
  EXPECT_EQ(one.size(), 1);
}

TEST(Cholesky, ExtendedKeepsTheJitterInUse) {
  const Cholesky twins(Matrix::Ones(2, 2));
  const auto triplets = twins.extended(Matrix::Ones(1, 2), Matrix::Ones(1, 1));
  ASSERT_TRUE(triplets.has_value());
  EXPECT_EQ(triplets->jitter(), twins.jitter());
  const Matrix want = Matrix::Ones(3, 3) + twins.jitter() * Matrix::Identity(3, 3);
  EXPECT_LT(largest(triplets->lower() * triplets->lower().transpose() - want), kRounding);
}

TEST(Cholesky, IndefiniteMatricesAreRefusedWithSizeJitterAndRemedy) {
  try {
    const Cholesky factor(Matrix{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}});
    FAIL() << "factored at jitter " << factor.jitter();
  } catch (const NotPositiveDefinite& error) {
    EXPECT_EQ(error.size(), 3);
    EXPECT_NEAR(error.jitter(), 1e-6, 1e-6 * kRounding);
  }
  expect_error<NumericalError>(
      [] {
        Cholesky(Matrix{{1, 2}, {2, 1}});
      },
      {"covariance of 2 observations", "jitter 1e-06;", "noise_var", "repeated queries"});
}

TEST(Cholesky, WhatIsNoCovarianceIsRefused) {
  EXPECT_THROW(Cholesky(Matrix::Zero(2, 2)), NotPositiveDefinite);
  EXPECT_THROW(Cholesky(-Matrix::Identity(2, 2)), NotPositiveDefinite);
  EXPECT_THROW(Cholesky(Matrix{{1, 0}, {kNan, 1}}), NotPositiveDefinite);
  EXPECT_THROW(Cholesky(Matrix::Constant(1, 1, kNan)), NotPositiveDefinite);
}

// Beyond a thousand rows both work in blocks.
TEST(Cholesky, LargeMatricesInBlocks) {
  constexpr Index kSize = 1300;
  Rng rng(5);
  const Matrix root = rng.normals(kSize * 20).reshaped(kSize, 20);
  Matrix k = root * root.transpose();
  k.diagonal().array() += 1.0;
  const Cholesky factor(k);
  const Matrix lower = factor.lower();
  EXPECT_LT((lower * lower.transpose() - k).cwiseAbs().maxCoeff(), test::kRounding * k.cwiseAbs().maxCoeff() * 10.0);
  const Matrix by_woodbury =
      root * (Matrix::Identity(20, 20) + root.transpose() * root).inverse() * root.transpose();  // K^-1 = I - this
  EXPECT_LT((factor.inverse_diagonal() - (1.0 - by_woodbury.diagonal().array()).matrix()).cwiseAbs().maxCoeff(),
            test::kConditioned);
  k(1290, 1290) = -1.0;
  EXPECT_THROW(Cholesky{k}, NotPositiveDefinite);
}

}  // namespace
}  // namespace iqbo::test
