#include "belief.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "iqbo/core/errors.hpp"

namespace iqbo {
namespace {

constexpr double kHeight = 6.0;       // scale of A, in sds of the answers
constexpr double kSettled = 0.95;     // of the mass
constexpr double kClose = 1.0 / 3.0;  // within so many windows
constexpr std::size_t kMostFound = 4;
constexpr double kLikely = 0.5;
constexpr double kNextTo = 1.5;  // sums of widths

}  // namespace

std::unique_ptr<const SpotData> data_of(const std::vector<SpotAnswer>& answers) {
  auto out = std::make_unique<SpotData>();
  const auto t = static_cast<Index>(answers.size());
  out->z.resize(t);
  out->noise_share.resize(t);
  out->noise_given.resize(t);
  for (Index i = 0; i < t; ++i) {
    const SpotAnswer& one = answers[static_cast<std::size_t>(i)];
    out->query.push_back(one.query);
    out->z[i] = one.z;
    out->noise_share[i] = one.noise_share;
    out->noise_given[i] = one.noise_var.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  const double sd = t > 0 ? std::sqrt((out->z.array() - out->z.mean()).square().mean()) : 0.0;
  const double size = t > 0 ? out->z.cwiseAbs().maxCoeff() : 0.0;
  out->s = sd > 1e-12 * size ? sd : (size > 0.0 ? size : 1.0);
  return out;
}

SpotBelief::SpotBelief(std::shared_ptr<const SpotGrid> grid, std::vector<SpotTheta> thetas,
                       const std::vector<SpotAnswer>& answers, double shape)
    : grid_(std::move(grid)),
      data_(data_of(answers)),
      scale_(kHeight * data_->s),
      shape_(shape),
      thetas_(std::move(thetas)) {
  const SpotHypotheses everywhere = SpotHypotheses::everywhere(*grid_);
  for (;;) {
    consider(everywhere);
    if (spot_ <= kLikely) return;
    consider(everywhere.refined(leader_));
    const Spot leader = (*hypotheses_)[leader_];
    if (mass_close_to(leader) <= kSettled || settled_.size() == kMostFound) return;
    double height = 0.0;
    for (const Member& one : members_) height += one.spots->height[static_cast<Index>(leader_)];
    settled_.push_back(leader);
    settled_height_.push_back(height / static_cast<double>(members_.size()));
  }
}

double SpotBelief::mass_close_to(const Spot& spot) const {
  double out = 0.0;
  for (std::size_t h = 0; h < hypotheses_->size(); ++h)
    if ((*hypotheses_)[h].distance(spot.at) <= kClose) out += probability_[static_cast<Index>(h)];
  return out;
}

// A spot next to one that was found before corrects its shape, and needs no further bumps for that.
SpotTerms SpotBelief::terms() const {
  SpotTerms out{constant_term(*grid_, *data_)};
  for (std::size_t k = 0; k < settled_.size(); ++k) {
    const Spot& spot = settled_[k];
    out.push_back(bump_term(*grid_, spot.at, spot.width, scale_));
    const auto next_to = [&](const Spot& other) {
      return spot.distance(other.at) < kNextTo * (spot.width + other.width);
    };
    if (std::any_of(settled_.begin(), settled_.begin() + static_cast<std::ptrdiff_t>(k), next_to)) continue;
    out.push_back(bumps_term(*grid_, spot.at, spot.width, 0.6 * spot.width, shape_ * settled_height_[k]));
  }
  return out;
}

std::optional<Spot> SpotBelief::leader() const {
  return spot_ > kLikely ? std::optional((*hypotheses_)[leader_]) : std::nullopt;
}

SpotTerms SpotBelief::leading_terms() const {
  SpotTerms out = terms();
  if (const auto spot = leader()) out.push_back(bump_term(*grid_, spot->at, spot->width, scale_));
  return out;
}

double SpotBelief::hindsight() const {
  const std::size_t spots = settled_.size() + (leader() ? 1 : 0);
  return static_cast<double>(spots) * std::log(SpotHypotheses::places(*grid_) / SpotHypotheses::kSpot);
}

// S = L L' in the order of the answers: the i-th has variance L_ii^2 given those before it, and L^-1 z is what is left of it.
std::vector<SpotMarginals> SpotBelief::ahead() const {
  const auto of = [this](const SpotBackground& background) {
    const Vector sd = background.factor().lower().diagonal();
    return SpotMarginals{data_->z - sd.cwiseProduct(background.white()), sd.cwiseAbs2()};
  };
  std::vector<SpotMarginals> out;
  const SpotTerms more = leading_terms();
  for (const Member& one : members_) {
    const SpotBackground led(*grid_, one.background->theta(), *data_, more);
    out.push_back(of(led.valid() ? led : *one.background));
  }
  return out;
}

// Refined hypotheses are considered after those they were refined from, on the same backgrounds.
void SpotBelief::consider(SpotHypotheses hypotheses) {
  hypotheses_ = std::move(hypotheses);
  const bool refined = !hypotheses_->kept().empty();
  if (!refined) {
    members_.clear();
    const SpotTerms more = terms();
    for (const SpotTheta& theta : thetas_) {
      auto background = std::make_unique<const SpotBackground>(*grid_, theta, *data_, more);
      if (background->valid()) members_.push_back({std::move(background), nullptr});
    }
    if (members_.empty()) throw NumericalError("the answers contradict each other: no background fits them");
  }
  probability_ = Vector::Zero(static_cast<Index>(hypotheses_->size()));
  spot_ = 0.0;
  const auto count = static_cast<double>(members_.size());
  for (Member& one : members_) {
    one.spots = std::make_unique<const SpotPosterior>(*one.background, *hypotheses_, *data_, scale_,
                                                      refined ? one.spots.get() : nullptr);
    probability_ += one.spots->probability / count;
    spot_ += (1.0 - one.spots->none) / count;
  }
  Index leader = 0;
  probability_.maxCoeff(&leader);
  leader_ = static_cast<std::size_t>(leader);
}

Matrix SpotBelief::mean_field(const Member& one) const {
  const Vector weight = one.spots->probability.cwiseProduct(one.spots->height);
  Vector alpha = one.background->white() - one.spots->white * weight;
  one.background->factor().solve_upper_in_place(alpha);
  return one.background->field(alpha) + hypotheses_->field(weight);
}

Matrix SpotBelief::mean_field() const {
  Matrix out = Matrix::Zero(grid_->points(0).size(), grid_->points(1).size());
  for (const Member& one : members_) out += mean_field(one);
  return out / static_cast<double>(members_.size());
}

Vector SpotBelief::mean(const std::vector<GridQuery>& a) const {
  Vector out = Vector::Zero(static_cast<Index>(a.size()));
  const Matrix g = hypotheses_->averages(a);
  for (const Member& one : members_) {
    const Vector weight = one.spots->probability.cwiseProduct(one.spots->height);
    Vector alpha = one.background->white() - one.spots->white * weight;
    one.background->factor().solve_upper_in_place(alpha);
    out += one.background->cov(a).transpose() * alpha + g * weight;
  }
  return out / static_cast<double>(members_.size());
}

std::vector<GridCell> SpotBelief::centres() const {
  std::vector<GridCell> out;
  for (std::size_t h = 0; h < hypotheses_->size(); ++h) out.push_back(hypotheses_->cell(h));
  return out;
}

}  // namespace iqbo
