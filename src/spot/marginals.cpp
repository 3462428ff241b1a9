// Means and variances of f and g under a SpotBelief. Given a member and a hypothesis h of height A,
//
//   f(x) = m(x) + A d_h(x) + s(x) N,     d_h = b_h - k' L^-1 g_h,     k = L^-1 Cov(z, f(x)),     A ~ N(m_h, v_h) cut to A > 0
//
// where m and s are those of the background and b_h is the bump. Hypotheses and members are mixed by their moments:
//
//   Var f = s^2 + sum_h P_h E[A^2] d_h^2 - (sum_h P_h E[A] d_h)^2
//
// On a grid the sum of squares is that of squared bumps, minus twice a product of k with fields of bumps, plus a quadratic form in
// k: hypotheses are summed along the axes and never meet single cells.
#include <algorithm>

#include "belief.hpp"

namespace iqbo {
namespace {

constexpr Index kColumns = 8;  // of the grid at a time
constexpr std::size_t kQueries = 512;

// The columns from `first` on, as cells.
std::vector<GridCell> cells_of_columns(Index rows, Index first, Index count) {
  std::vector<GridCell> out;
  for (Index j = first; j < first + count; ++j)
    for (Index i = 0; i < rows; ++i) out.push_back({i, j});
  return out;
}

}  // namespace

Matrix SpotBelief::var_field(const Member& one) const {
  const SpotPosterior& spots = *one.spots;
  const Vector first = spots.probability.cwiseProduct(spots.height);
  const Vector second = spots.probability.cwiseProduct(spots.square());
  const Vector shift = spots.white * first;
  const Matrix quadratic = spots.white * second.asDiagonal() * spots.white.transpose();
  const Matrix squares = hypotheses_->squares(second), bumps = hypotheses_->field(first);
  const Index t = data_->size(), n = grid_->points(0).size(), m = grid_->points(1).size();
  Matrix half(
      n * t, hypotheses_->along_rows().cols());  // of the fields sum_h E[A^2] P_h (L^-1 g_h)_i b_h, one below the other
  for (Index i = 0; i < t; ++i)
    half.middleRows(i * n, n) = hypotheses_->half_field(second.cwiseProduct(spots.white.row(i).transpose()));
  Matrix out(n, m);
  for (Index j = 0; j < m; j += kColumns) {
    const Index count = std::min(kColumns, m - j);
    const std::vector<GridCell> cells = cells_of_columns(n, j, count);
    Matrix k = one.background->cov(cells);
    one.background->factor().solve_lower_in_place(k);
    const Matrix mixed = half * hypotheses_->along_rows().middleRows(j, count).transpose();
    const Matrix bent = quadratic * k;
    Vector var = one.background->var(cells) - k.colwise().squaredNorm().transpose();
    const Vector moved = k.transpose() * shift;
    for (Index c = 0; c < count; ++c)
      for (Index i = 0; i < n; ++i) {
        const Index at = c * n + i;
        const auto here = mixed.col(c)(Eigen::seqN(i, t, n));
        const double spread = squares(i, j + c) - 2.0 * k.col(at).dot(here) + k.col(at).dot(bent.col(at));
        const double mean = bumps(i, j + c) - moved[at];
        out(i, j + c) = std::max(var[at], 0.0) + std::max(spread - mean * mean, 0.0);
      }
  }
  return out;
}

SpotField SpotBelief::field() const {
  SpotField out{Matrix::Zero(grid_->points(0).size(), grid_->points(1).size()), {}};
  std::vector<Matrix> means;
  for (const Member& one : members_) out.mean += means.emplace_back(mean_field(one));
  out.mean /= static_cast<double>(members_.size());
  out.var = Matrix::Zero(out.mean.rows(), out.mean.cols());
  for (std::size_t s = 0; s < members_.size(); ++s)
    out.var += var_field(members_[s]) + (means[s] - out.mean).cwiseAbs2();
  out.var /= static_cast<double>(members_.size());
  return out;
}

namespace {

// Bumps of unit height, at places or averaged by queries: places x hypotheses.
Matrix bumps_at(const SpotHypotheses& hypotheses, const std::vector<GridQuery>& a) { return hypotheses.averages(a); }
Matrix bumps_at(const SpotHypotheses& hypotheses, const std::vector<GridCell>& x) {
  Matrix out(static_cast<Index>(x.size()), static_cast<Index>(hypotheses.size()));
  for (std::size_t i = 0; i < x.size(); ++i) out.row(static_cast<Index>(i)) = hypotheses.values(x[i]).transpose();
  return out;
}

}  // namespace

template <class At>
SpotMarginals SpotBelief::marginals_at(const std::vector<At>& all) const {
  const auto n = static_cast<Index>(all.size());
  const auto count = static_cast<double>(members_.size());
  SpotMarginals out{Vector::Zero(n), Vector::Zero(n)};
  for (std::size_t begin = 0; begin < all.size(); begin += kQueries) {
    const auto end = std::min(begin + kQueries, all.size());
    const std::vector<At> some(all.begin() + static_cast<std::ptrdiff_t>(begin),
                               all.begin() + static_cast<std::ptrdiff_t>(end));
    const auto at = static_cast<Index>(begin), size = static_cast<Index>(some.size());
    const Matrix bumps = bumps_at(*hypotheses_, some);
    Matrix mean(size, static_cast<Index>(members_.size()));
    Vector var = Vector::Zero(size);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Member& one = members_[i];
      Matrix k = one.background->cov(some);
      one.background->factor().solve_lower_in_place(k);
      const Matrix lift = bumps - k.transpose() * one.spots->white;
      const Vector moved = lift * one.spots->probability.cwiseProduct(one.spots->height);
      mean.col(static_cast<Index>(i)) = k.transpose() * one.background->white() + moved;
      var += (one.background->var(some) - k.colwise().squaredNorm().transpose()).cwiseMax(0.0) +
             lift.cwiseAbs2() * one.spots->probability.cwiseProduct(one.spots->square()) - moved.cwiseAbs2();
    }
    out.mean.segment(at, size) = mean.rowwise().mean();
    out.var.segment(at, size) =
        var / count + (mean.colwise() - out.mean.segment(at, size)).rowwise().squaredNorm() / count;
  }
  return out;
}

SpotMarginals SpotBelief::marginals(const std::vector<GridQuery>& a) const { return marginals_at(a); }
SpotMarginals SpotBelief::marginals(const std::vector<GridCell>& x) const { return marginals_at(x); }

}  // namespace iqbo
