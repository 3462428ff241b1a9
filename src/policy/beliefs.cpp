#include "beliefs.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "chances.hpp"
#include "iqbo/core/check.hpp"
#include "recommend.hpp"

namespace iqbo {

Beliefs::Beliefs(Setting setting, const PolicyOptions& options, std::uint64_t seed)
    : options_(options),
      seed_(seed),
      model_((require_consistent(setting), std::move(setting)), options, seed),
      spots_(PolicySpots::of(model_.setting(), options, seed)) {}

// A study that was begun by a version without ensembles knew no search for spots either: it goes on as it began.
void Beliefs::remember(const Hyperparameters& values) {
  best_.reset();
  stopping_.reset();
  model_.remember(values);
  if (values.members.empty()) spots_.reset();
}

PolicySpots* Beliefs::spots() {
  if (!spots_ || !spots_->update(answers_)) return nullptr;
  return !model().is_linked() && spots_->lead(model_) > PolicySpots::kBehind ? spots_.get() : nullptr;
}

namespace {

template <class Space>
Points<Space> taken(const Points<Space>& at, const std::vector<Index>& rows) {
  return Points<Space>(Rows(at.coordinates()(rows, Eigen::all)));
}

}  // namespace

template <class Space>
Marginals Beliefs::marginals_at(const Points<Space>& at) {
  Marginals stationary = model().marginals(at);
  PolicySpots* spots = at.empty() ? nullptr : this->spots();
  if (spots == nullptr) return stationary;
  auto out = spots->marginals(at);
  if (!out) {
    const std::vector<Index> known = spots->known(at);
    if (known.empty()) return stationary;
    const Marginals with = marginals_at(taken(at, known));
    stationary.mean(known) = with.mean;
    stationary.var(known) = with.var;
    return stationary;
  }
  if (spots->is_clear(model_)) return *std::move(out);
  const Vector wide = stationary_widening(stationary, at) / spots->widening();
  out->var =
      out->var.cwiseMax(stationary.var.cwiseProduct(wide.cwiseAbs2()) + (stationary.mean - out->mean).cwiseAbs2());
  return *std::move(out);
}

Vector Beliefs::widening(const Inputs& x) {
  return spots() != nullptr ? f_widening(x, {}) : f_widening(x, marginals(x));
}
Vector Beliefs::widening(const Queries& a) { return g_widening(marginals(a)); }

template <class Space>
Band Beliefs::interval_at(const Points<Space>& at, double probability, const Vector& widening) {
  if (!(probability >= 0.0 && probability < 1.0))
    refuse("probability", readable(probability), "at least 0 and less than 1");
  if (widening.size() > 0) require_rows(widening.size(), at.size(), "widening");
  PolicySpots* spots = at.empty() ? nullptr : this->spots();
  const auto own = spots != nullptr ? spots->marginals(at) : std::nullopt;
  if (!own) {
    Band out = model().interval(at, probability, widening);
    const std::vector<Index> known = spots != nullptr ? spots->known(at) : std::vector<Index>();
    if (known.empty()) return out;
    const Band with =
        interval_at(taken(at, known), probability, widening.size() > 0 ? Vector(widening(known)) : Vector());
    out.low(known) = with.low;
    out.high(known) = with.high;
    return out;
  }
  const auto& [mean, var] = *own;
  const double reach = quantile(boost::math::normal(), 0.5 + 0.5 * probability);
  Vector half = reach * var.cwiseMax(0.0).cwiseSqrt();
  if (widening.size() > 0) half = half.cwiseProduct(widening);
  Band out{mean - half, mean + half};
  if (spots->is_clear(model_)) return out;
  const Band other = model().interval(at, probability, stationary_widening(model().marginals(at), at));
  return {out.low.cwiseMin(other.low), out.high.cwiseMax(other.high)};
}

Vector Beliefs::stationary_widening(const Marginals& f, const Inputs& /*x*/) {
  return admitted_widening(model(), f.mean);
}
Vector Beliefs::stationary_widening(const Marginals& g, const Queries& /*a*/) { return iqbo::g_widening(model(), g); }

std::optional<Vector> Beliefs::mean_with_spots(const Inputs& x) {
  PolicySpots* spots = x.empty() ? nullptr : this->spots();
  return spots == nullptr ? std::nullopt : spots->mean(x);
}

Vector Beliefs::f_widening(const Inputs& x, const Marginals& f) {
  PolicySpots* spots = x.empty() ? nullptr : this->spots();
  if (spots == nullptr) return iqbo::f_widening(model(), x, f);
  const std::vector<Index> known = spots->known(x);
  if (static_cast<Index>(known.size()) == x.size()) return Vector::Constant(x.size(), spots->widening());
  Vector out = stationary_widening(model().marginals(x), x);
  out(known).setConstant(spots->widening());
  return out;
}

Vector Beliefs::g_widening(const Marginals& g) {
  if (PolicySpots* spots = this->spots()) return Vector::Constant(g.mean.size(), spots->widening());
  return iqbo::g_widening(model(), g);
}

const Recommendation& Beliefs::best() {
  if (!best_ || best_->first != answers_.size()) best_.emplace(answers_.size(), recommended());
  return best_->second;
}

Recommendation Beliefs::recommended() {
  Rng rng(seed_, {kRecommending, answers_.size()});
  PolicySpots* spots = this->spots();
  if (spots == nullptr) return recommend(model(), options_.recommend_paths, options_.recommend_error, rng);
  Recommendation out = spots->best(options_.recommend_paths, options_.recommend_error, rng);
  if (!spots->is_clear(model_)) admit(model_, options_.recommend_paths > 0 ? admitted_draws() : 0, out, rng);
  // Its quantiles are those of draws: it also covers what the map says of this input.
  const Band map = interval_at(out.x, 0.95, Vector::Constant(1, spots->widening()));
  out.low = std::min(out.low, map.low[0]);
  out.high = std::max(out.high, map.high[0]);
  if (options_.recommend_paths > 0) {
    out.max_low = std::min(out.max_low, out.low);
    out.max_high = std::max(out.max_high, out.high);
  }
  return out;
}

// Whole paths over a large scene are dear: fewer of them, and the error that is stated is larger.
Index Beliefs::admitted_draws() const {
  constexpr Index kNumbers = Index{1} << 19, kLeast = 16, kMost = 64;
  const auto* list = std::get_if<InputSet>(&setting().targets);
  return list == nullptr ? kMost : std::clamp<Index>(kNumbers / list->size(), kLeast, kMost);
}

template <class Space>
Chances Beliefs::chances_at(const Points<Space>& at, const ChanceOptions& options) {
  Rng rng(seed_, {kChances, answers_.size()});
  if (PolicySpots* spots = at.empty() ? nullptr : this->spots())
    if (auto out = chances_with(*spots, at, options, rng)) return *std::move(out);
  return iqbo::chances(model(), at, options, rng, widening(at));
}

template <class Space>
Vector Beliefs::above_at(const Points<Space>& at, double threshold) {
  if (!std::isfinite(threshold)) refuse("above", readable(threshold), "a finite number");
  if (at.empty()) return {};
  PolicySpots* spots = this->spots();
  const auto own = spots != nullptr ? spots->marginals(at) : std::nullopt;
  if (!own) {
    Vector out = iqbo::above(model(), at, threshold, widening(at));
    const std::vector<Index> known = spots != nullptr ? spots->known(at) : std::vector<Index>();
    if (!known.empty()) out(known) = above_at(taken(at, known), threshold);
    return out;
  }
  Vector with = iqbo::above(*own, Vector::Constant(at.size(), spots->widening()), threshold);
  if (spots->is_clear(model_)) return with;
  return 0.5 * (with + iqbo::above(model(), at, threshold, stationary_widening(model().marginals(at), at)));
}

// Unless spots have foreseen the answers clearly better, half of the draws are those of the stationary belief.
template <class Space>
std::optional<Chances> Beliefs::chances_with(PolicySpots& spots, const Points<Space>& at, const ChanceOptions& options,
                                             Rng& rng) {
  const Vector mean = marginals_at(at).mean;
  ChanceTally tally(mean, options);
  const bool clear = spots.is_clear(model_);
  const auto add = [&](const Vector& draw) { tally.add(mean + spots.widening() * (draw - mean)); };
  if (!spots.draw(at, clear ? options.draws : (options.draws + 1) / 2, rng, add)) return std::nullopt;
  if (!clear) add_draws(model(), at, tally.count(), rng, tally, stationary_widening(model().marginals(at), at));
  Chances out = tally.result();
  if (options.above) out.above = above_at(at, *options.above);
  return out;
}

const Stopping& Beliefs::stopping() {
  if (!stopping_ || stopping_->first != answers_.size()) stopping_.emplace(answers_.size(), stopping_now());
  return stopping_->second;
}

Stopping Beliefs::stopping_now() {
  const Recommendation& recommended = best();
  Rng rng(seed_, {kChances, answers_.size(), 1});
  PolicySpots* spots = this->spots();
  ExpectedRegret regret = spots != nullptr ? spots->regret(rng) : expected_regret(model(), recommended, rng);
  if (spots != nullptr && !spots->is_clear(model_)) {  // the larger of both beliefs
    const double wide = stationary_widening(model().marginals(recommended.x), recommended.x)[0];
    const ExpectedRegret other = expected_regret(drawn_regrets(model(), recommended, wide, admitted_draws(), rng));
    if (other.value > regret.value) regret = other;
  }
  Stopping out{regret.value, regret.error, recommended.probability, recommended.probability_error,
               recommended.tolerance};
  out.bound = regret.bound;
  if (options_.policy == PolicyKind::kLevelSet) {
    out.probability = rightly_placed(model(), *options_.above, rng);
    out.probability_error = 0.0;
    out.tolerance = 0.0;
  }
  return out;
}

template Marginals Beliefs::marginals_at(const Inputs&);
template Marginals Beliefs::marginals_at(const Queries&);
template Band Beliefs::interval_at(const Inputs&, double, const Vector&);
template Band Beliefs::interval_at(const Queries&, double, const Vector&);
template Vector Beliefs::above_at(const Inputs&, double);
template Vector Beliefs::above_at(const Queries&, double);
template Chances Beliefs::chances_at(const Inputs&, const ChanceOptions&);
template Chances Beliefs::chances_at(const Queries&, const ChanceOptions&);

}  // namespace iqbo
