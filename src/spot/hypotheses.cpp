#include "hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kLatticeStep = 0.75;  // of the lattice, in units of the smallest window
constexpr double kWidths[] = {0.3, 0.55, 1.0};
constexpr Index kMostAlong = 64;  // positions along an axis
constexpr double kReach = 0.56;   // of the finer lattice, to either side
constexpr int kFiner = 3;         // its steps to either side
constexpr double kFinerWidths[] = {0.75, 1.0, 1.33};

Vector positions(double first, double last) {
  const auto steps = std::min(static_cast<Index>(std::ceil((last - first) / kLatticeStep)), kMostAlong - 1);
  return Vector::LinSpaced(steps + 1, first, last);
}

}  // namespace

SpotHypotheses SpotHypotheses::everywhere(const SpotGrid& grid) {
  SpotHypotheses out(grid);
  const Vector along0 = positions(grid.first(0), grid.last(0)), along1 = positions(grid.first(1), grid.last(1));
  for (const double width : kWidths)
    for (const double u : along0)
      for (const double v : along1) out.spots_.push_back({{u, v}, width});
  const auto count = static_cast<Index>(out.spots_.size());
  out.prior_ = Vector::Constant(count, kSpot / static_cast<double>(count));
  out.tabulate();
  return out;
}

double SpotHypotheses::places(const SpotGrid& grid) {
  return static_cast<double>(positions(grid.first(0), grid.last(0)).size() *
                             positions(grid.first(1), grid.last(1)).size());
}

SpotHypotheses SpotHypotheses::refined(std::size_t leader) const {
  SpotHypotheses out(*grid_);
  const Spot centre = spots_[leader];
  std::vector<double> prior;
  double mass = 0.0;
  for (std::size_t h = 0; h < size(); ++h) {
    const Spot& one = spots_[h];
    const bool close = one.width == centre.width && std::abs(one.at[0] - centre.at[0]) <= kReach &&
                       std::abs(one.at[1] - centre.at[1]) <= kReach;
    if (close) {
      mass += prior_[static_cast<Index>(h)];
    } else {
      out.spots_.push_back(one);
      out.kept_.push_back(static_cast<Index>(h));
      prior.push_back(prior_[static_cast<Index>(h)]);
    }
  }
  const std::size_t kept = prior.size();
  const int flat = grid_->points(1).size() > 1 ? kFiner : 0;
  for (const double factor : kFinerWidths)
    for (int i = -kFiner; i <= kFiner; ++i)
      for (int j = -flat; j <= flat; ++j)
        out.spots_.push_back(
            {{centre.at[0] + kReach * i / kFiner, centre.at[1] + kReach * j / kFiner}, centre.width * factor});
  prior.resize(out.spots_.size(), mass / static_cast<double>(out.spots_.size() - kept));
  out.prior_ = Eigen::Map<const Vector>(prior.data(), static_cast<Index>(prior.size()));
  out.tabulate();
  return out;
}

void SpotHypotheses::tabulate() {
  for (int c = 0; c < 2; ++c) {
    const auto axis = static_cast<std::size_t>(c);
    std::map<std::pair<double, double>, Index> known;
    for (const Spot& one : spots_)
      column_[axis].push_back(
          known.try_emplace({one.at[axis], one.width}, static_cast<Index>(known.size())).first->second);
    const Vector& point = grid_->points(c);
    Matrix& bump = bump_[axis];
    bump.resize(point.size(), static_cast<Index>(known.size()));
    for (const auto& [key, k] : known)
      bump.col(k) = point.size() > 1 ? Vector((-0.5 * ((point.array() - key.first) / key.second).square()).exp())
                                     : Vector(Vector::Ones(1));
    average_[axis].noalias() = grid_->laws(c) * bump;
  }
}

Matrix SpotHypotheses::averages(const std::vector<GridQuery>& a, std::size_t first_spot) const {
  Matrix out(static_cast<Index>(a.size()), static_cast<Index>(size() - first_spot));
  for (std::size_t h = first_spot; h < size(); ++h) {
    const auto first = average_[0].col(column_[0][h]), second = average_[1].col(column_[1][h]);
    for (std::size_t i = 0; i < a.size(); ++i)
      out(static_cast<Index>(i), static_cast<Index>(h - first_spot)) = first[a[i].row[0]] * second[a[i].row[1]];
  }
  return out;
}

Matrix SpotHypotheses::summed(const Vector& weight) const {
  Matrix sum = Matrix::Zero(bump_[0].cols(), bump_[1].cols());
  for (std::size_t h = 0; h < size(); ++h) sum(column_[0][h], column_[1][h]) += weight[static_cast<Index>(h)];
  return sum;
}

Matrix SpotHypotheses::half_field(const Vector& weight) const { return bump_[0] * summed(weight); }
Matrix SpotHypotheses::field(const Vector& weight) const {
  if ((weight.array() != 0.0).count() == 1) {  // as in a draw, of which one is true
    Index h = 0;
    weight.cwiseAbs().maxCoeff(&h);
    const auto at = static_cast<std::size_t>(h);
    return (weight[h] * bump_[0].col(column_[0][at])) * bump_[1].col(column_[1][at]).transpose();
  }
  return half_field(weight) * bump_[1].transpose();
}
Matrix SpotHypotheses::squares(const Vector& weight) const {
  return (bump_[0].cwiseAbs2() * summed(weight)).eval() * bump_[1].cwiseAbs2().transpose();
}

Vector SpotHypotheses::values(const GridCell& cell) const {
  Vector out(static_cast<Index>(size()));
  for (std::size_t h = 0; h < size(); ++h)
    out[static_cast<Index>(h)] = bump_[0](cell[0], column_[0][h]) * bump_[1](cell[1], column_[1][h]);
  return out;
}

GridCell SpotHypotheses::cell(std::size_t h) const {
  GridCell out{};
  for (int c = 0; c < 2; ++c)
    (grid_->points(c).array() - spots_[h].at[static_cast<std::size_t>(c)])
        .abs()
        .minCoeff(&out[static_cast<std::size_t>(c)]);
  return out;
}

SpotPosterior::SpotPosterior(const SpotBackground& background, const SpotHypotheses& hypotheses, const SpotData& data,
                             double scale, const SpotPosterior* coarse) {
  const std::vector<Index>& kept = hypotheses.kept();
  const auto n = static_cast<Index>(hypotheses.size());
  const Index old = coarse != nullptr ? static_cast<Index>(kept.size()) : 0;
  Matrix added = hypotheses.averages(data.query, static_cast<std::size_t>(old));
  background.factor().solve_lower_in_place(added);
  const double a2 = scale * scale;
  m.resize(n), v.resize(n), height.resize(n), log_factor.resize(n);
  white.resize(data.size(), n);
  white.rightCols(n - old) = added;
  if (old > 0) {
    white.leftCols(old) = coarse->white(Eigen::all, kept);
    m.head(old) = coarse->m(kept), v.head(old) = coarse->v(kept);
    height.head(old) = coarse->height(kept), log_factor.head(old) = coarse->log_factor(kept);
  }
  v.tail(n - old) = (1.0 / a2 + added.colwise().squaredNorm().transpose().array()).inverse();
  m.tail(n - old) = v.tail(n - old).cwiseProduct(added.transpose() * background.white());
  for (Index h = old; h < n; ++h) {
    const double t = m[h] / std::sqrt(v[h]);
    log_factor[h] = 0.5 * std::log(v[h] / a2) + 0.5 * t * t + std::log(2.0) + log_normal_cdf(t);
    height[h] = m[h] + std::sqrt(v[h]) * mills(t);
  }
  const Vector log_weight = log_factor.array() + hypotheses.prior().array().log();
  const double log_none = std::log(1.0 - SpotHypotheses::kSpot);
  const double most = std::max(log_none, log_weight.maxCoeff());
  probability = (log_weight.array() - most).exp();
  const double rest = std::exp(log_none - most);
  const double sum = probability.sum() + rest;
  probability /= sum;
  none = rest / sum;
}

Tail tail_above(double m, double v, double need) {
  const double sd = std::sqrt(v);
  const double at = std::max(need, 0.0);
  const double t = (m - at) / sd;
  return {std::exp(log_normal_cdf(t) - log_normal_cdf(m / sd)), m + sd * mills(t)};
}

// Far in the tail by an exponential envelope [Robert95], else by trying again.
double positive_draw(double m, double v, Rng& rng) {
  const double sd = std::sqrt(v);
  const double low = -m / sd;
  if (low < 0.5) {
    for (;;)
      if (const double n = rng.normal(); n > low) return m + sd * n;
  }
  const double rate = 0.5 * (low + std::sqrt(low * low + 4.0));
  for (;;) {
    const double n = low - std::log(rng.uniform()) / rate;
    if (std::log(rng.uniform()) <= -0.5 * (n - rate) * (n - rate)) return m + sd * n;
  }
}

}  // namespace iqbo
