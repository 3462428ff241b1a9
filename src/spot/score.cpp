// The worth of queries to a SpotBelief.
#include <algorithm>
#include <cmath>
#include <set>

#include "belief.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"

namespace iqbo {
namespace {

// CKG compares the best mean of each block of this side, in smallest windows, if so many sds could make it the best.
constexpr double kBlock = 0.5, kMayWin = 3.5;
constexpr double kCoarseBlock = 1.0, kMayWinCoarsely = 4.5;
constexpr double kNegligible = 1e-7;  // probability of a hypothesis

Vector values(const Matrix& field, const std::vector<GridCell>& cells) {
  Vector out(static_cast<Index>(cells.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) out[static_cast<Index>(i)] = field(cells[i][0], cells[i][1]);
  return out;
}

// The best mean of each block of this side.
std::vector<GridCell> block_tops(const SpotGrid& grid, const Matrix& mean, const std::vector<GridCell>& cells,
                                 double side) {
  const auto block = [&](int axis, Index point) { return static_cast<Index>(grid.points(axis)[point] / side); };
  const Index along = block(1, grid.points(1).size() - 1) + 1;
  std::vector<const GridCell*> best(static_cast<std::size_t>((block(0, grid.points(0).size() - 1) + 1) * along));
  for (const GridCell& cell : cells) {
    const GridCell*& at = best[static_cast<std::size_t>(block(0, cell[0]) * along + block(1, cell[1]))];
    if (at == nullptr || mean(cell[0], cell[1]) > mean((*at)[0], (*at)[1])) at = &cell;
  }
  std::vector<GridCell> out;
  for (const GridCell* cell : best)
    if (cell != nullptr) out.push_back(*cell);
  return out;
}

// Cells that CKG compares, with their means and L^-1 k(., x).
struct Contenders {
  std::vector<GridCell> x;
  Vector mean;
  Matrix whitened;
};

// Those of `x` that so many sds could make the best.
Contenders contenders(const SpotBackground& background, const Matrix& field, const std::vector<GridCell>& x,
                      double sds) {
  const Vector mean = values(field, x);
  Matrix whitened = background.cov(x);
  background.factor().solve_lower_in_place(whitened);
  const Vector sd = (background.var(x) - whitened.colwise().squaredNorm().transpose()).cwiseMax(0.0).cwiseSqrt();
  Index top = 0;
  const double best = mean.maxCoeff(&top);
  std::vector<Index> rows;
  Contenders out;
  for (Index i = 0; i < mean.size(); ++i) {
    if (i != top && mean[i] + sds * sd[i] <= best - sds * sd[top]) continue;
    rows.push_back(i);
    out.x.push_back(x[static_cast<std::size_t>(i)]);
  }
  out.mean = mean(rows);
  out.whitened = whitened(Eigen::all, rows);
  return out;
}

// Coarse blocks first, then the finer blocks of those that may win.
Contenders contenders(const SpotBackground& background, const Matrix& field) {
  const SpotGrid& grid = background.grid();
  const std::vector<GridCell> coarse =
      contenders(background, field, block_tops(grid, field, grid.cells(), kCoarseBlock), kMayWinCoarsely).x;
  const auto block = [&](int axis, Index point) { return static_cast<Index>(grid.points(axis)[point] / kCoarseBlock); };
  std::set<GridCell> blocks;
  for (const GridCell& cell : coarse) blocks.insert({block(0, cell[0]), block(1, cell[1])});
  std::vector<GridCell> inside;
  for (const GridCell& cell : grid.cells())
    if (blocks.contains({block(0, cell[0]), block(1, cell[1])})) inside.push_back(cell);
  return contenders(background, field, block_tops(grid, field, inside, kBlock), kMayWin);
}

Vector ckg(const SpotBackground& background, const std::vector<GridQuery>& a, const Vector& noise) {
  const Contenders rivals = contenders(background, background.mean());
  Matrix of_queries = background.cov(a);
  background.factor().solve_lower_in_place(of_queries);
  Matrix c = background.cross(rivals.x, a);
  c.noalias() -= rivals.whitened.transpose() * of_queries;
  const Vector q = (background.var(a) - of_queries.colwise().squaredNorm().transpose()).cwiseMax(0.0);
  return knowledge_gradient(rivals.mean, c, q, noise);
}

}  // namespace

// The hypotheses that would beat the best mean.
struct SpotBelief::Rivals {
  std::vector<Index> hypothesis;
  Vector mass;    // P_h
  Vector height;  // E[A | A > need_h]
  double gain = 0.0;
};

SpotBelief::Rivals SpotBelief::rivals(const Member& one, const std::vector<GridCell>& centres, double best) const {
  const SpotPosterior& spots = *one.spots;
  const Vector there = values(one.background->mean(), centres);
  Rivals out;
  std::vector<double> mass, height;
  for (Index h = 0; h < spots.m.size(); ++h) {
    if (spots.probability[h] < kNegligible) continue;
    const double need = std::max(best - there[h], 0.0);
    const Tail tail = tail_above(spots.m[h], spots.v[h], need);
    const double share = spots.probability[h] * tail.probability;
    if (!(share > kNegligible)) continue;
    out.hypothesis.push_back(h);
    mass.push_back(share);
    height.push_back(tail.mean);
    out.gain += share * (tail.mean - need);
  }
  out.mass = Eigen::Map<const Vector>(mass.data(), static_cast<Index>(mass.size()));
  out.height = Eigen::Map<const Vector>(height.data(), static_cast<Index>(height.size()));
  return out;
}

// E I(a) / H.
Vector SpotBelief::search_worth(const Member& one, const Rivals& rivals, const std::vector<GridQuery>& a,
                                const Vector& noise) const {
  if (rivals.hypothesis.empty() || rivals.gain <= 0.0) return Vector::Zero(static_cast<Index>(a.size()));
  const Vector& mass = rivals.mass;
  const double rest = std::max(1.0 - mass.sum(), 1e-12);
  const double entropy = -(mass.array() * mass.array().log()).sum() - rest * std::log(rest);
  Matrix of_queries = one.background->cov(a);
  one.background->factor().solve_lower_in_place(of_queries);
  const Vector v = (one.background->var(a) - of_queries.colwise().squaredNorm().transpose()).cwiseMax(0.0) + noise;
  Matrix d = hypotheses_->averages(a)(Eigen::all, rivals.hypothesis);
  d.noalias() -= of_queries.transpose() * Matrix(one.spots->white(Eigen::all, rivals.hypothesis));
  d = d * rivals.height.asDiagonal();
  const Vector mean = d * mass;  // the rest has a shift of 0 before it is taken off
  d.colwise() -= mean;
  const Eigen::ArrayXd spread = (d.array().square().matrix() * mass).array() + rest * mean.array().square();
  const Eigen::ArrayXXd e = (d.array().square().colwise() / (-2.0 * v.array())).exp();
  const Eigen::ArrayXd e_rest = (mean.array().square() / (-2.0 * v.array())).exp();
  const Eigen::ArrayXd apart = 1.0 - (e.matrix() * mass).array() - rest * e_rest;
  constexpr double kLeast = 1e-300;
  const Eigen::ArrayXXd overlap = (e.colwise() * (1.0 - apart)).colwise() + apart;
  const Eigen::ArrayXd nats =
      -(overlap.max(kLeast).log().matrix() * mass).array() - rest * (apart + (1.0 - apart) * e_rest).max(kLeast).log();
  return rivals.gain / entropy * nats.min(0.5 * (1.0 + spread / v.array()).log()).max(0.0);
}

Vector SpotBelief::score(const std::vector<GridQuery>& a, const Vector& noise_given) const {
  Vector out = Vector::Zero(static_cast<Index>(a.size()));
  const double best = grid_->at_targets(mean_field()).maxCoeff();
  const std::vector<GridCell> all_centres = centres();
  const SpotTerms leading = leader() ? leading_terms() : SpotTerms();
  for (const Member& one : members_) {
    const SpotBackground& background = *one.background;
    const Vector noise = noise_given.array().isNaN().select(background.noise_var(), noise_given.array());
    const SpotBackground led = leader() ? SpotBackground(*grid_, background.theta(), *data_, leading) : background;
    out += ckg(led.valid() ? led : background, a, noise);
    out += search_worth(one, rivals(one, all_centres, best), a, noise);
  }
  return out / static_cast<double>(members_.size());
}

}  // namespace iqbo
