#include "race.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine.hpp"
#include "iqbo/core/stop.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kRaceRoot = 1e-12;  // of the largest variance: what a factor of a covariance leaves out
constexpr Index kFirstRound = 48;    // draws: if none or all of them win, that is enough for a standard error of 0.02
constexpr Index kRound = 32;
constexpr Index kFew = 256;     // rivals that are drawn at once, without a first selection
constexpr Index kNearest = 16;  // of the first selection: the likeliest rivals,
constexpr Index kSpread = 16;   // and as many that are spread over
constexpr Index kAmong = 1024;  // the likeliest so many

// The factor is pivoted, as the covariance may be singular; a whole path is moved by its misses at the pivots, which
// determine the rest.
class ConditionedPaths final : public PartialPaths {
 public:
  ConditionedPaths(const FiniteEngine& engine, const Vector& mean, const std::vector<Index>& inputs)
      : engine_(engine), mean_(mean(inputs)), inputs_(inputs) {
    const Matrix k = engine.f_cov_among(inputs);
    const double most = k.diagonal().maxCoeff();
    const Index size = k.rows();
    if (!(most > 0.0)) {
      root_.factor.resize(size, 0);
      return;
    }
    root_ = pivoted_cholesky(DenseCovariance(k), kRaceRoot * most, size, size);
    for (const Index pivot : root_.pivots) pivots_.push_back(inputs[static_cast<std::size_t>(pivot)]);
  }

  Matrix draw(Index count, Rng& rng) override {
    last_ = root_.factor * normals(root_.rank(), count, rng);
    last_.colwise() += mean_;
    return last_;
  }

  Matrix whole(const std::vector<Index>& columns, Rng& rng) override {
    Matrix out = engine_.draw(static_cast<Index>(columns.size()), rng).f;
    if (pivots_.empty()) return out;
    Matrix miss = last_(root_.pivots, columns) - out(pivots_, Eigen::all);
    const Matrix triangle = root_.triangle();
    triangle.triangularView<Eigen::Lower>().solveInPlace(miss);
    triangle.triangularView<Eigen::Lower>().transpose().solveInPlace(miss);
    out += engine_.f_cov_times(pivots_, miss);
    out(inputs_, Eigen::all) = last_(Eigen::all, columns);
    return out;
  }

 private:
  const FiniteEngine& engine_;
  Vector mean_;
  std::vector<Index> inputs_;
  PivotedCholesky root_;
  std::vector<Index> pivots_;  // inputs
  Matrix last_;
};

// The share of w in n, drawn a little towards one half.
class Share {
 public:
  Share(double w, Index n) : count_(static_cast<double>(n) + 2.0), mean_((w + 1.0) / count_) {}
  double mean() const { return mean_; }
  double error() const { return std::sqrt(mean_ * (1.0 - mean_) / count_); }

 private:
  double count_;
  double mean_;
};

// 1 / k if row `at` is one of k equal largest; else 0.
double win(const Eigen::Ref<const Vector>& path, Index at) {
  const double top = path.maxCoeff();
  return path[at] == top ? 1.0 / static_cast<double>((path.array() == top).count()) : 0.0;
}

// t with Phi(t) = p, or a little less.
double far_behind(double p) {
  double low = -40.0, high = 0.0;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (log_normal_cdf(middle) > std::log(p) ? high : low) = middle;
  }
  return low;
}

// Neighbours of the input decide many draws, and different hills others, so there are some of both.
std::vector<Index> first_of(const std::vector<Index>& rivals) {
  std::vector<Index> out(rivals.begin(), rivals.begin() + kNearest);
  const Index among = std::min(kAmong, static_cast<Index>(rivals.size()));
  for (Index i = 0; i < kSpread; ++i)
    out.push_back(rivals[static_cast<std::size_t>(kNearest + i * (among - kNearest) / kSpread)]);
  return out;
}

}  // namespace

std::unique_ptr<PartialPaths> conditioned_paths(const FiniteEngine& engine, const Vector& mean,
                                                const std::vector<Index>& inputs) {
  return std::make_unique<ConditionedPaths>(engine, mean, inputs);
}

double Tally::value() const {
  if (ahead == 0) return 0.0;
  return static_cast<double>(ahead) / static_cast<double>(draws) * wins / static_cast<double>(continued);
}

double Tally::error_of_ahead() const {
  return Share(static_cast<double>(ahead), draws).error() * Share(wins, continued).mean();
}

double Tally::error() const {
  if (continued == ahead) return Share(wins, draws).error();
  return std::hypot(error_of_ahead(), Share(static_cast<double>(ahead), draws).mean() * Share(wins, continued).error());
}

std::vector<Index> rivals_of(Index row, const Marginals& f, const Vector& cov) {
  const Eigen::ArrayXd var = (f.var.array() + f.var[row] - 2.0 * cov.array()).max(1e-14 * f.var.maxCoeff());
  const Eigen::ArrayXd far = (f.mean.array() - f.mean[row]) / (var + 1e-300).sqrt();
  // Of very many, most need not be put in order: all that are so far behind sum to half of what may be left out.
  const double least = far_behind(0.5 * kNegligible / static_cast<double>(far.size()));
  std::vector<Index> order{row};
  double left_out = 0.0;
  for (Index i = 0; i < far.size(); ++i) {
    if (i == row) continue;
    if (far[i] < least)
      left_out += std::exp(log_normal_cdf(far[i]));
    else
      order.push_back(i);
  }
  std::stable_sort(order.begin() + 1, order.end(), [&](Index i, Index j) { return far[i] > far[j]; });
  while (order.size() > 1) {
    left_out += std::exp(log_normal_cdf(far[order.back()]));
    if (left_out > kNegligible) break;
    order.pop_back();
  }
  return order;
}

FiniteBelief::WinProbability race(const FiniteEngine& engine, const Marginals& f,
                                  const FiniteBelief::Widening& widening, Index row, double error, Index most,
                                  Rng& rng) {
  const auto& [about, factor] = widening;
  const bool is_wide = factor.size() > 0;
  Marginals wide = f;
  Vector cov = engine.f_cov({row}).row(0).transpose();
  if (is_wide) {
    wide.mean = about + factor.cwiseProduct(f.mean - about);
    wide.var = f.var.cwiseProduct(factor.cwiseAbs2());
    cov = factor[row] * cov.cwiseProduct(factor);
  }
  const std::vector<Index> rivals = rivals_of(row, wide, cov);
  if (rivals.size() == 1) return {1.0, f.mean.size() == 1 ? 0.0 : kNegligible, 0};
  const bool few = static_cast<Index>(rivals.size()) <= kFew;
  const std::vector<Index> first = few ? rivals : first_of(rivals);
  const auto paths = engine.partial_paths(f.mean, first);
  Tally tally;
  const auto is_exact = [&] {
    if (tally.error() <= error) return true;
    return tally.continued < tally.ahead && tally.error_of_ahead() <= 0.5 * error;  // more draws would not help
  };
  while (tally.draws < kCheap * most && (tally.draws == 0 || !is_exact())) {
    stop_point();
    const Index count = std::min(tally.draws == 0 ? kFirstRound : kRound, kCheap * most - tally.draws);
    Matrix drawn = paths->draw(count, rng);
    if (is_wide) drawn = (factor(first).asDiagonal() * (drawn.colwise() - about(first))).colwise() + about(first);
    std::vector<Index> ahead;
    for (Index s = 0; s < count; ++s)
      if (const double share = win(drawn.col(s), 0); share > 0.0) {
        ahead.push_back(s);
        if (few) tally.wins += share;
      }
    tally.draws += count;
    tally.ahead += static_cast<Index>(ahead.size());
    if (few) tally.continued = tally.ahead;
    if (few || ahead.empty() || tally.continued == most) continue;
    ahead.resize(std::min(ahead.size(), static_cast<std::size_t>(most - tally.continued)));
    Matrix all = paths->whole(ahead, rng);
    if (is_wide) all = (factor.asDiagonal() * (all.colwise() - about)).colwise() + about;
    for (Index s = 0; s < all.cols(); ++s) tally.wins += win(all.col(s), row);
    tally.continued += all.cols();
  }
  return {tally.value(), tally.error(), tally.draws};
}

}  // namespace iqbo
