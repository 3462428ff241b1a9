#include "pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kPivots = 64;       // pivots per block
constexpr Index kCandidates = 256;  // rows from which the pivots of a block are chosen

// At most kCandidates of the first `limit` rows whose remaining variance is at least `least`: the row with the most,
// and others evenly spaced in the list, which are far from each other if the rows are in grid order.
std::vector<Index> candidates(const Vector& left, Index limit, double least) {
  std::vector<Index> eligible;
  for (Index i = 0; i < limit; ++i)
    if (left[i] >= least) eligible.push_back(i);
  const auto count = static_cast<Index>(eligible.size());
  if (count <= kCandidates) return eligible;
  Index best = 0;
  left.head(limit).maxCoeff(&best);
  std::vector<Index> out{best};
  for (Index c = 0; c < kCandidates; ++c) {
    const Index i = eligible[static_cast<std::size_t>(c * count / kCandidates)];
    if (i != best) out.push_back(i);
  }
  return out;
}

struct Chosen {
  std::vector<Index> local;  // positions among the candidates
  Matrix triangle;           // Cholesky factor of their block, in that order
};

// Picks pivots one by one, largest first, while at least `least` is left; `s` is the candidates' remaining covariance.
Chosen choose(const Matrix& s, double least, Index most) {
  const Index m = s.rows();
  Matrix f(m, std::min(m, most));
  Vector left = s.diagonal();
  Chosen out;
  for (Index r = 0; r < f.cols(); ++r) {
    Index pivot = 0;
    if (!(left.maxCoeff(&pivot) >= least)) break;
    const double root = std::sqrt(left[pivot]);
    f.col(r) = s.col(pivot);
    f.col(r).noalias() -= f.leftCols(r) * f.row(pivot).head(r).transpose();
    f.col(r) /= root;
    for (const Index earlier : out.local) f(earlier, r) = 0.0;
    f(pivot, r) = root;
    left -= f.col(r).cwiseAbs2();
    left[pivot] = 0.0;
    out.local.push_back(pivot);
  }
  out.triangle = f(out.local, Eigen::seqN(0, static_cast<Index>(out.local.size())));
  return out;
}

void append(PivotedCholesky& out, const CovarianceSource& k, const std::vector<Index>& added, const Matrix& triangle) {
  const Index r = out.rank();
  const auto count = static_cast<Index>(added.size());
  Matrix columns = k.columns(added);
  columns.noalias() -= out.factor * out.factor(added, Eigen::all).transpose();
  triangle.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(columns);
  for (const Index pivot : out.pivots) columns.row(pivot).setZero();
  columns(added, Eigen::all) = triangle;
  out.residual = (out.residual - columns.rowwise().squaredNorm()).cwiseMax(0.0);
  out.factor.conservativeResize(Eigen::NoChange, r + count);
  out.factor.rightCols(count) = columns;
  out.pivots.insert(out.pivots.end(), added.begin(), added.end());
  for (const Index pivot : out.pivots) out.residual[pivot] = 0.0;
}

// Call after a block of `pivots` pivots among the first `limit` rows; `before` is what those rows had left before it.
bool out_of_reach(const PivotedCholesky& out, Index limit, double before, double pivots, double tolerance,
                  Index most_rank) {
  constexpr double kSure = 1.25;
  const double left = out.residual.head(limit).sum();
  const double too_much = left - tolerance * static_cast<double>(limit);
  return too_much > 0.0 && pivots * too_much > kSure * (before - left) * static_cast<double>(most_rank - out.rank());
}

}  // namespace

PivotedCholesky pivoted_cholesky(const CovarianceSource& k, double tolerance, Index most_rank, Index preferred,
                                 bool or_nothing) {
  require_positive(tolerance, "tolerance");
  PivotedCholesky out;
  out.residual = k.diagonal();
  require_non_negative(out.residual, "diagonal");
  const Index n = out.residual.size();
  out.factor.resize(n, 0);
  Index limit = preferred > 0 ? std::min(preferred, n) : n;
  while (true) {
    stop_point();
    const double most = limit > 0 ? out.residual.head(limit).maxCoeff() : 0.0;
    if (most <= tolerance) {
      out.complete = limit == n;
      if (out.complete) return out;
      limit = n;
      continue;
    }
    if (out.rank() >= most_rank) return out;
    const double least = std::max(tolerance, PivotedCholesky::kGreed * most);
    const std::vector<Index> some = candidates(out.residual, limit, least);
    Matrix s = k.block(some);
    const Matrix rows = out.factor(some, Eigen::all);
    s.noalias() -= rows * rows.transpose();
    s.diagonal() = out.residual(some);
    const Chosen chosen = choose(s, least, std::min(kPivots, most_rank - out.rank()));
    std::vector<Index> added;
    for (const Index i : chosen.local) added.push_back(some[static_cast<std::size_t>(i)]);
    const double before = out.residual.head(limit).sum();
    append(out, k, added, chosen.triangle);
    if (or_nothing && out_of_reach(out, limit, before, static_cast<double>(added.size()), tolerance, most_rank))
      return out;
  }
}

}  // namespace iqbo::internal
