#include "draws.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kHopeless = 10.0;  // nats below the best family
constexpr int kPairs = 12;          // of draws for each family, theta on opposite sides of the mode
constexpr int kSettling = 12;       // evaluations to find the mode of the density, where it is another than the fit's
constexpr int kFreedom = 6;         // of the Student distribution: its tails cover those of the posterior

struct Weighted {
  FitDraw draw;
  double log_weight;
};

// The draws of one family.
class FamilyDraws {
 public:
  FamilyDraws(const FitRun& run, std::size_t family)
      : family_(family),
        of_(run.families[family]),
        objective_((of_.is_thinned ? of_.objective->on(*run.thinned) : *of_.objective).as_density()) {
    FitPoint mode = of_.mode;
    if (objective_.position(FitParameter::Kind::kDiscrepancy) >= 0) mode = settled(mode);
    proposal_ = laplace(objective_, mode);
    if (of_.is_thinned)  // families are compared with all points
      offset_ =
          of_.mode.log_posterior - of_.objective->on(*run.thinned).evaluate(of_.mode.theta, nullptr).log_posterior;
    offset_ += objective_.log_prior_constant();
  }

  void draw(Rng rng) {
    const Matrix root = proposal_.cov.llt().matrixL();
    const double log_root = root.diagonal().array().log().sum();
    for (int pair = 0; pair < kPairs; ++pair) {
      const Vector xi = rng.normals(objective_.size());
      const Vector eta = rng.normals(objective_.data().mean_parameters());
      const double stretch = std::sqrt(kFreedom / rng.normals(kFreedom).squaredNorm());
      for (const double side : {1.0, -1.0}) add(side * stretch * xi, log_root, root, side * eta);
    }
  }

  std::vector<Weighted> draws;
  int evaluations() const { return objective_.evaluations(); }

 private:
  FitPoint settled(const FitPoint& from) const {
    const Index tau = objective_.position(FitParameter::Kind::kDiscrepancy);
    Vector theta = from.theta;
    const FitParameter& p = objective_.parameters()[static_cast<std::size_t>(tau)];
    theta[tau] = std::max(theta[tau], p.centre + 2.0 * std::log(0.3 * p.sd));  // it may have vanished
    return climb(objective_, theta, usual_inverse_curvature(objective_), kSettling, 1e-2).best;
  }

  void add(const Vector& standard, double log_root, const Matrix& root, const Vector& eta) {
    const Vector theta = proposal_.mode.theta + root * standard;
    if ((theta.array() < objective_.low().array()).any() || (theta.array() > objective_.high().array()).any()) return;
    const auto at = objective_.evaluate(theta, nullptr);
    if (!std::isfinite(at.log_posterior)) return;
    const auto p = static_cast<double>(theta.size());
    const double log_density = std::lgamma(0.5 * (kFreedom + p)) - std::lgamma(0.5 * kFreedom) -
                               0.5 * p * std::log(kFreedom * std::numbers::pi) - log_root -
                               0.5 * (kFreedom + p) * std::log1p(standard.squaredNorm() / kFreedom);
    const Vector beta = at.beta + at.beta_cov.llt().matrixL() * eta;
    draws.push_back({{family_, theta, beta, 0.0}, at.log_posterior + offset_ - log_density});
  }

  std::size_t family_;
  const FamilyRun& of_;
  FitObjective objective_;
  Laplace proposal_;
  double offset_ = 0.0;
};

// Limits weights to sqrt(count) times their mean, so that a few that the approximation missed do not dominate.
Vector truncated(const std::vector<Weighted>& draws) {
  Vector weight(static_cast<Index>(draws.size()));
  for (Index i = 0; i < weight.size(); ++i) weight[i] = draws[static_cast<std::size_t>(i)].log_weight;
  weight = (weight.array() - weight.maxCoeff()).exp().matrix().eval();
  weight = weight.cwiseMin(std::sqrt(static_cast<double>(weight.size())) * weight.mean());
  return weight / weight.sum();
}

// `members` equal shares of all weight, in the order of the draws; each takes the draw in its middle.
std::vector<FitDraw> resampled(const std::vector<Weighted>& draws, int members) {
  const Vector weight = truncated(draws);
  std::vector<FitDraw> out;
  std::size_t at = 0;
  double below = 0.0;
  bool taken = false;
  for (int m = 0; m < members; ++m) {
    const double middle = (m + 0.5) / members;
    while (at + 1 < draws.size() && below + weight[static_cast<Index>(at)] < middle) {
      below += weight[static_cast<Index>(at++)];
      taken = false;
    }
    if (!taken) out.push_back(draws[at].draw);
    taken = true;
    out.back().weight += 1.0 / members;
  }
  return out;
}

}  // namespace

FitDraws draw(const FitRun& run, int members, std::uint64_t seed) {
  std::vector<std::size_t> hopeful;
  for (std::size_t i = 0; i < run.families.size(); ++i)
    if (run.families[i].mode.log_posterior > run.families.front().mode.log_posterior - kHopeless) hopeful.push_back(i);
  std::vector<std::vector<Weighted>> of(hopeful.size());
  std::vector<int> evaluations(hopeful.size());
  in_parallel(static_cast<Index>(hopeful.size()), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    FamilyDraws family(run, hopeful[at]);
    family.draw(Rng(seed, {kEnsembleStream, static_cast<std::uint64_t>(hopeful[at])}));
    of[at] = std::move(family.draws);
    evaluations[at] = family.evaluations();
  });
  // Neighbours in this order are alike, so that equal shares of it spread over what is possible.
  const Index length = run.objective().position(FitParameter::Kind::kLengthscale);
  std::vector<Weighted> all;
  for (auto& some : of) {
    if (length >= 0)
      std::stable_sort(some.begin(), some.end(), [length](const Weighted& a, const Weighted& b) {
        return a.draw.theta[length] < b.draw.theta[length];
      });
    all.insert(all.end(), some.begin(), some.end());
  }
  FitDraws out;
  for (const int each : evaluations) out.evaluations += each;
  if (all.empty()) {
    const auto at = run.objective().evaluate(run.laplace.mode.theta, nullptr);
    out.members.push_back({0, run.laplace.mode.theta, at.beta, 1.0});
  } else {
    out.members = resampled(all, members);
  }
  return out;
}

}  // namespace iqbo
