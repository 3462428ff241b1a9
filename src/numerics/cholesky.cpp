#include "cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

// Large matrices are factored in blocks of columns, a fraction of a second each; work can be stopped in between.
constexpr Index kWhole = 1024;
constexpr Index kBlock = 128;
constexpr Index kPanel = 64;  // rows of the inverse at a time
constexpr int kMostRefinements = 10;
constexpr double kRefined = 1e-18;  // stop after a correction this small relative to the solution

// Factors the lower triangle of `k` in place and leaves the upper alone; false if a pivot is not clearly positive
// relative to its diagonal entry before elimination.
bool factor_in_place(Matrix& k, const Vector& diagonal) {
  const Index n = k.rows();
  const Index block = n <= kWhole ? std::max(n, Index{1}) : kBlock;
  for (Index done = 0; done < n; done += block) {
    stop_point();
    const Index count = std::min(block, n - done), left = n - done - count;
    Eigen::Ref<Matrix> corner = k.block(done, done, count, count);
    if (Eigen::LLT<Eigen::Ref<Matrix>>(corner).info() != Eigen::Success) return false;
    if (left == 0) break;
    auto below = k.block(done + count, done, left, count);
    corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    k.bottomRightCorner(left, left).selfadjointView<Eigen::Lower>().rankUpdate(below, -1.0);
  }
  return (k.diagonal().array().square() >= Cholesky::kPivotFloor * diagonal.array()).all();
}

}  // namespace

Cholesky::Cholesky(const Matrix& k) {
  require_columns(k.cols(), k.rows(), "k");
  for (double jitter = 0.0; jitter < 2.0 * kMostJitter; jitter = std::max(kLeastJitter, 10.0 * jitter)) {
    jitter_ = jitter;
    packed_ = k;
    packed_.triangularView<Eigen::StrictlyUpper>() = k.transpose();
    packed_.diagonal() *= 1.0 + jitter_;
    diagonal_ = packed_.diagonal();
    if (factor_in_place(packed_, diagonal_)) return;
  }
  throw NotPositiveDefinite(k.rows(), jitter_);
}

std::optional<Cholesky> Cholesky::extended(const Matrix& below, const Matrix& corner) const {
  const Index old = size();
  const Index added = corner.rows();
  if (added == 0) return *this;
  Matrix tail = below.transpose();
  solve_lower_in_place(tail);
  Matrix schur = corner;
  schur.diagonal() *= 1.0 + jitter_;
  const Vector diagonal = schur.diagonal();
  schur.noalias() -= tail.transpose() * tail;
  if (!factor_in_place(schur, diagonal)) return std::nullopt;
  Cholesky out;
  out.jitter_ = jitter_;
  out.diagonal_.resize(old + added);
  out.diagonal_ << diagonal_, diagonal;
  out.packed_.resize(old + added, old + added);
  out.packed_.topLeftCorner(old, old) = packed_;
  out.packed_.bottomLeftCorner(added, old) = tail.transpose();
  out.packed_.topRightCorner(old, added) = below.transpose();
  out.packed_.bottomRightCorner(added, added) = corner.transpose();
  out.packed_.bottomRightCorner(added, added).triangularView<Eigen::Lower>() = schur;
  return out;
}

Matrix Cholesky::lower() const { return packed_.triangularView<Eigen::Lower>(); }

void Cholesky::solve_lower_in_place(Eigen::Ref<Matrix> b) const {
  if (b.size() > 0) packed_.triangularView<Eigen::Lower>().solveInPlace(b);
}

void Cholesky::solve_upper_in_place(Eigen::Ref<Matrix> b) const {
  if (b.size() > 0) packed_.triangularView<Eigen::Lower>().transpose().solveInPlace(b);
}

ExtendedVector Cholesky::solve_extended(const Vector& b) const {
  require_rows(b.size(), size(), "b");
  const auto plain_solve = [this](Vector c) {
    solve_lower_in_place(c);
    solve_upper_in_place(c);
    return c;
  };
  ExtendedVector w = plain_solve(b).cast<long double>();
  if (size() == 0) return w;
  const double spread = packed_.diagonal().maxCoeff() / packed_.diagonal().minCoeff();
  if (spread * spread < kWidePivots) return w;

  const auto residual = [&]() -> Vector {
    ExtendedVector r = b.cast<long double>() - diagonal_.cast<long double>().cwiseProduct(w);
    for (Index j = 0; j < size(); ++j) {
      const auto column = packed_.col(j).head(j).cast<long double>();
      r.head(j) -= column * w[j];
      r[j] -= column.dot(w.head(j));
    }
    return r.cast<double>();
  };
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostRefinements; ++step) {
    const Vector correction = plain_solve(residual());
    const double size_of_it = correction.norm();
    if (!(size_of_it < 0.5 * last)) break;  // the correction no longer shrinks
    w += correction.cast<long double>();
    last = size_of_it;
    if (size_of_it <= kRefined * static_cast<double>(w.norm())) break;
  }
  return w;
}

// Row block by row block: (L^-1)_b = -L_bb^-1 (L_b, left of b) (L^-1 above b). Then L^-T L^-1, again block by block, each
// of which has zeros to its right. Together twice the work of the factorisation itself.
Matrix Cholesky::inverse() const {
  const Index n = size();
  Matrix root = Matrix::Zero(n, n);
  Matrix out = Matrix::Zero(n, n);
  for (Index done = 0; done < n; done += kPanel) {
    stop_point();
    const Index count = std::min(kPanel, n - done);
    auto rows = root.block(done, 0, count, done + count);
    if (done > 0)
      rows.leftCols(done).noalias() =
          -packed_.block(done, 0, count, done) * root.topLeftCorner(done, done).triangularView<Eigen::Lower>();
    rows.rightCols(count).setIdentity();
    packed_.block(done, done, count, count).triangularView<Eigen::Lower>().solveInPlace(rows);
    out.topLeftCorner(done + count, done + count).selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
  }
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

// Column j of L^-1 is zero above row j: a block of columns needs only the lower right part of L that starts there.
Vector Cholesky::inverse_diagonal() const {
  const Index n = size();
  const Index block = n <= kWhole ? std::max(n, Index{1}) : kBlock;
  Vector out(n);
  for (Index done = 0; done < n; done += block) {
    stop_point();
    const Index count = std::min(block, n - done);
    Matrix root = Matrix::Identity(n - done, count);
    packed_.bottomRightCorner(n - done, n - done).triangularView<Eigen::Lower>().solveInPlace(root);
    out.segment(done, count) = root.colwise().squaredNorm().transpose();
  }
  return out;
}

double Cholesky::log_determinant() const { return 2.0 * packed_.diagonal().array().log().sum(); }

}  // namespace iqbo::internal
