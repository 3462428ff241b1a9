// What a SpotBelief recommends, and how sure it is.
#include <algorithm>
#include <cmath>

#include "belief.hpp"

namespace iqbo {
namespace {

constexpr double kTolerance = 0.25;  // of the range of the mean
constexpr Index kDraws = 4000;       // of f at one place
constexpr double kElsewhere = 1.0;   // windows from the recommendation

double quantile(Vector& values, double share) {
  const auto at = static_cast<Index>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

}  // namespace

Index SpotBelief::pick(const Member& one, Rng& rng) const {
  double left = rng.uniform();
  if (left < one.spots->none) return -1;
  left -= one.spots->none;
  const Vector& probability = one.spots->probability;
  for (Index h = 0; h < probability.size(); ++h)
    if ((left -= probability[h]) <= 0.0) return h;
  return static_cast<Index>(leader_);
}

// By draws of a member, a hypothesis and a height.
void SpotBelief::add_marginal(const GridCell& cell, SpotRecommendation& out, Rng& rng) const {
  const Vector bumps = hypotheses_->values(cell);
  Vector values(kDraws);
  const auto count = static_cast<Index>(members_.size());
  for (Index m = 0; m < count; ++m) {
    const Member& one = members_[static_cast<std::size_t>(m)];
    Matrix k = one.background->cov(std::vector<GridCell>{cell});
    one.background->factor().solve_lower_in_place(k);
    const double mean = k.col(0).dot(one.background->white());
    const double sd = std::sqrt(std::max(one.background->var(std::vector<GridCell>{cell})[0] - k.squaredNorm(), 0.0));
    const Vector lift = bumps - one.spots->white.transpose() * k.col(0);
    for (Index i = m; i < kDraws; i += count) {
      const Index h = pick(one, rng);
      values[i] = mean + sd * rng.normal();
      if (h >= 0) values[i] += positive_draw(one.spots->m[h], one.spots->v[h], rng) * lift[h];
    }
  }
  out.sd = std::sqrt((values.array() - values.mean()).square().mean());
  out.low = quantile(values, 0.025);
  out.high = quantile(values, 0.975);
}

void SpotBelief::draw(Index paths, Rng& rng, const std::function<void(Index path, const Matrix& field)>& take) const {
  const Matrix averages = hypotheses_->averages(data_->query);
  const auto count = static_cast<Index>(members_.size());
  for (Index m = 0; m < count; ++m) {
    const Member& one = members_[static_cast<std::size_t>(m)];
    const SpotPaths background(*one.background);
    for (Index i = m; i < paths; i += count) {
      const Index h = pick(one, rng);
      Vector height = Vector::Zero(averages.cols());
      Vector z = data_->z;
      if (h >= 0) {
        height[h] = positive_draw(one.spots->m[h], one.spots->v[h], rng);
        z -= height[h] * averages.col(h);
      }
      Matrix path = background.draw(z, rng);
      if (h >= 0) path += hypotheses_->field(height);
      take(i, path);
    }
  }
}

// By whole paths.
void SpotBelief::add_maximum(const Vector& mean, double widened, Index paths, SpotRecommendation& out, Rng& rng) const {
  if (paths == 0) return;
  out.here.resize(paths);
  out.largest.resize(paths);
  draw(paths, rng, [&](Index i, const Matrix& path) {
    Vector f = grid_->at_targets(path);
    if (widened != 1.0) f = mean + widened * (f - mean);
    out.here[i] = f[out.row];
    out.largest[i] = f.maxCoeff();
  });
  out.probability =
      (out.largest - out.here).unaryExpr([&](double gap) { return gap <= out.tolerance ? 1.0 : 0.0; }).mean();
  Vector largest = out.largest;
  out.max_low = quantile(largest, 0.025);
  out.max_high = quantile(largest, 0.975);
}

// "None or one more" knows of one spot at a time: a leader that is not settled yet is taken for settled here, as its mass
// would otherwise leave nothing for another.
double SpotBelief::unseen(const GridCell& cell, double best) const {
  const std::array<double, 2> here{grid_->points(0)[cell[0]], grid_->points(1)[cell[1]]};
  const auto beaten = [&](const SpotBackground& background, const SpotHypotheses& all, const SpotPosterior& spots) {
    const Matrix mean = background.mean();
    double out = 0.0;
    for (std::size_t h = 0; h < all.size(); ++h) {
      const auto k = static_cast<Index>(h);
      if (all[h].distance(here) <= kElsewhere) continue;
      const GridCell at = all.cell(h);
      const double need = std::max(best - mean(at[0], at[1]), 0.0);
      out += spots.probability[k] * tail_above(spots.m[k], spots.v[k], need).probability;
    }
    return out;
  };
  double sum = 0.0;
  if (!leader()) {
    for (const Member& one : members_) sum += beaten(*one.background, *hypotheses_, *one.spots);
    return sum / static_cast<double>(members_.size());
  }
  const SpotHypotheses everywhere = SpotHypotheses::everywhere(*grid_);
  const SpotTerms more = leading_terms();
  for (const Member& one : members_) {
    const SpotBackground led(*grid_, one.background->theta(), *data_, more);
    sum += led.valid() ? beaten(led, everywhere, SpotPosterior(led, everywhere, *data_, scale_))
                       : beaten(*one.background, *hypotheses_, *one.spots);
  }
  return sum / static_cast<double>(members_.size());
}

SpotRecommendation SpotBelief::recommend(Index paths, Rng& rng, double widened) const {
  SpotRecommendation out;
  const Matrix field = mean_field();
  const Vector mean = grid_->at_targets(field);
  out.mean = mean.maxCoeff(&out.row);
  out.tolerance = kTolerance * (out.mean - mean.minCoeff());
  const GridCell cell = grid_->cells()[static_cast<std::size_t>(out.row)];
  add_marginal(cell, out, rng);
  add_maximum(mean, widened, paths, out, rng);
  out.unseen = unseen(cell, out.mean);
  SpotGrid::Peak top = grid_->peak(field, cell);
  out.x = std::move(top.x);
  for (double* each : {&out.mean, &out.low, &out.high}) *each += top.rise;
  return out;
}

}  // namespace iqbo
