#include "model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "fit_schedule.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "policy/scene/contenders.hpp"
#include "posterior/least_noise.hpp"

namespace iqbo {

using namespace internal;

Model::Model(Setting setting, const PolicyOptions& options, std::uint64_t seed)
    : setting_(std::move(setting)),
      options_(options),
      seed_(seed),
      open_(setting_.queries->open({options.repeats, options.requery_leaf, options.printed_tree})) {
  if (open_ != nullptr) opened_after_ = {open_->size()};
  if (setting_.queries->has_noise_var()) options_.fit.noise = FitOptions::Noise::kKnown;
  if (setting_.conditional->support() == nullptr) options_.fit.nugget = false;  // windows average it out
  if (setting_.noise_var) options_.fit.noise = FitOptions::Noise::kKnown;
  if (counts() && setting_.links.empty()) setting_.links = usual_links(*setting_.likelihood);
  assume(0);
}

// If this throws, nothing has changed.
void Model::assume(std::size_t count) {
  Assumptions now = assumptions(count);
  prior_.emplace(now.prior);
  members_ = std::move(now.members);
  noise_var_ = 0.0;
  double weights = 0.0;
  for (const Member& member : members_) {
    noise_var_ += member.weight * member.noise_var;
    weights += member.weight;
  }
  noise_var_ /= weights;
  fit_ = std::move(now.fit);
  values_ = std::move(now.values);
  links_ = std::move(now.links);
  amplitude_var_ = prior_->kernel().diagonal(Inputs(Rows::Zero(1, prior_->kernel().dimension())))[0];
  assumed_on_ = count;
  point_noise_var_ = now.noise_var;
  posterior_.reset();
  when_fitted_.clear();
  belief_.reset();
  linked_belief_.reset();
  finite_.reset();
  unseen_.clear();
  hindsight_.reset();
}

Answers Model::first(std::size_t count) const {
  return {answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count)};
}

const LearnedConditional* Model::learned_conditional() const {
  return options_.discrepancy ? dynamic_cast<const LearnedConditional*>(setting_.conditional.get()) : nullptr;
}

void Model::remember(const Hyperparameters& values) {
  if (!counts() && !values.noise_var) refuse("fit", "without noise_var", "one that iqbo wrote");
  for (const Hyperparameters& member : values.members)
    if (!counts() && !member.noise_var) refuse("fit", "with a member without noise_var", "one that iqbo wrote");
  // A study that was begun with point estimates goes on with them: who opens it must not change what it answers.
  if (values.members.empty()) point_only_ = true;
  if (values.link.empty()) identity_only_ = true;
  remembered_[static_cast<std::size_t>(values.observations)] = values;
}

void Model::update(const Answers& answers) {
  const bool is_first = answers_.empty() && !answers.empty() && setting_.kernel == nullptr;
  answers_ = answers;
  const std::size_t size = fitted_size(answers_, answers_.size(), options_.refit_always);
  if (learns() && (size != assumed_on_ || is_first)) assume(size);
}

const Posterior& Model::posterior() {
  if (is_linked()) {
    if (posterior_ && in_posterior_ == answers_.size()) return *posterior_;
    const Member point = values_ ? remembered(*values_).members.front() : members_.front();
    LinkedMember one = point.as_linked();
    one.prior = *prior_;
    posterior_ = LinkedBelief({one}, answers_).members().front().eta();
    in_posterior_ = answers_.size();
    return *posterior_;
  }
  if (!posterior_) {
    posterior_ = when_fitted(*prior_, point_noise_var_);
    in_posterior_ = assumed_on_;
  }
  posterior_ = condition(*posterior_, answers_, in_posterior_, answers_.size(), point_noise_var_);
  in_posterior_ = answers_.size();
  return *posterior_;
}

Posterior Model::when_fitted(const Posterior& prior, double noise_var) const {
  return condition_at_once(prior, answers_, assumed_on_, noise_var);
}

const Posterior& Model::when_fitted(std::size_t member) {
  when_fitted_.resize(members_.size());
  auto& out = when_fitted_[member];
  if (!out) out = when_fitted(members_[member].prior, members_[member].noise_var);
  return *out;
}

// A member that the answers contradict has weight 0 and keeps its prior. If all are contradicted, predictions throw.
const Ensemble& Model::belief() {
  if (belief_ && in_belief_ == answers_.size()) return *belief_;
  if (is_linked()) {
    belief_.emplace(linked().eta());
    in_belief_ = answers_.size();
    return *belief_;
  }
  std::vector<Posterior> posteriors;
  Vector weights(static_cast<Index>(members_.size())), kept(weights.size());
  for (std::size_t s = 0; s < members_.size(); ++s) {
    const Member& member = members_[s];
    const auto at = static_cast<Index>(s);
    const bool counts = !belief_ || belief_->weights()[at] > 0.0;
    posteriors.push_back(belief_ ? belief_->members()[s] : when_fitted(s));
    if (counts)
      posteriors[s] =
          condition(posteriors[s], answers_, belief_ ? in_belief_ : assumed_on_, answers_.size(), member.noise_var);
    weights[at] = counts ? member.weight : 0.0;
    kept[at] = posteriors[s].contradicted() ? 0.0 : weights[at];
  }
  const bool some = kept.sum() > 0.0;
  for (std::size_t s = 0; some && s < members_.size(); ++s)
    if (kept[static_cast<Index>(s)] == 0.0) posteriors[s] = members_[s].prior;
  belief_.emplace(std::move(posteriors), some ? kept : weights);
  in_belief_ = answers_.size();
  return *belief_;
}

Vector Model::noises(const Datum& answer) const {
  Vector out(static_cast<Index>(members_.size()));
  for (std::size_t s = 0; s < members_.size(); ++s) out[static_cast<Index>(s)] = answer.noise(members_[s].noise_var);
  return out;
}

Vector Model::noise_var(const Queries& a) {
  if (is_linked()) return linked().member_noise_var(a, like(a)) * linked().weights();
  return setting_.queries->noise_var(a, noise_var_);
}

Vector Model::member_noise_var(const Queries& one) {
  if (is_linked()) return linked().member_noise_var(one, like(one)).row(0).transpose();
  Vector out(static_cast<Index>(members_.size()));
  for (std::size_t s = 0; s < members_.size(); ++s)
    out[static_cast<Index>(s)] = setting_.queries->noise_var(one, members_[s].noise_var)[0];
  return out;
}

std::optional<double> Model::least_noise_sd() const {
  constexpr std::size_t kRecent = 200;  // each takes a law
  if (counts()) return std::nullopt;
  double most = 0.0;
  for (std::size_t i = answers_.size() - std::min(answers_.size(), kRecent); i < answers_.size(); ++i) {
    const Datum& each = answers_[i];
    const double stated = each.noise(point_noise_var_);
    if (is_linked()) {
      if (const double assumed = linked_noise(each, point_noise_var_); assumed > stated) most = std::max(most, assumed);
      continue;
    }
    if (stated >= LeastNoise::of(LeastNoise::kWindows, 2.0 * amplitude_var_, each.z, 0.0)) continue;
    const auto* a = std::get_if<Queries>(&each.at);
    const double share = a != nullptr ? LeastNoise::share(setting_.conditional->laws(*a)) : LeastNoise::kExact;
    const double var = a != nullptr ? prior_->g(*a).var[0] : prior_->f(std::get<Inputs>(each.at)).var[0];
    const double assumed = LeastNoise::of(share, var, each.z, stated);
    if (assumed > stated) most = std::max(most, assumed);
  }
  return most > 0.0 ? std::optional(std::sqrt(most)) : std::nullopt;
}

const OpenQueries& Model::open() {
  for (std::size_t i = opened_after_.size() - 1; i < answers_.size(); ++i) {
    if (const auto* a = std::get_if<Queries>(&answers_[i].at)) open_->select(a->row(0));
    opened_after_.push_back(open_->size());
  }
  return *open_;
}

Queries Model::opened(Index begin, std::size_t answers) {
  const OpenQueries& all = open();
  return all.slice(begin, std::max(begin, opened_after_[answers]) - begin);
}

FiniteBelief Model::finite_prior(const Member& member, std::size_t count) {
  const Queries all = open().slice(0, open().size());
  FiniteOptions options;
  options.noise_var = std::min(member.noise_var, setting_.queries->noise_var(all, member.noise_var).minCoeff());
  options.queries = open().most();
  options.observations = static_cast<Index>(count);
  options.laws = laws_;
  return {member.prior, std::get<InputSet>(setting_.targets).points(), opened(0, count), options};
}

// The belief after the first `count` observations, taken at once, answers before values of f. A member that they contradict
// has weight 0.
FiniteEnsemble Model::settled(std::size_t count) {
  open();
  std::vector<FiniteBelief> beliefs;
  Vector weights(static_cast<Index>(members_.size()));
  const bool many = count >= static_cast<std::size_t>(FiniteOptions::kManyObservations);
  if (grows() || many != unseen_for_many_) unseen_.clear();
  unseen_for_many_ = many;
  std::vector<std::optional<FiniteBelief>> priors(members_.size()), after(members_.size());
  std::vector<std::optional<Contradiction>> contradicted(members_.size());
  in_parallel(weights.size(), [&](Index s) {
    const auto at = static_cast<std::size_t>(s);
    const Member& member = members_[at];
    weights[s] = member.weight;
    priors[at] = unseen_.empty() ? finite_prior(member, count) : unseen_[at];
    try {
      after[at] = settled(*priors[at], member, count);
    } catch (const Contradiction& error) {
      contradicted[at] = error;
      after[at] = priors[at];
      weights[s] = 0.0;
    }
  });
  if (!(weights.sum() > 0.0)) throw Contradiction(*contradicted.front());
  for (auto& one : after) beliefs.push_back(*std::move(one));
  if (unseen_.empty() && !grows()) {
    for (auto& one : priors) unseen_.push_back(*std::move(one));
    known_.assign(unseen_.size(), {});
  }
  return {std::move(beliefs), weights};
}

FiniteBelief Model::settled(FiniteBelief out, const Member& member, std::size_t count) const {
  std::array<std::vector<const Datum*>, 2> of;
  for (std::size_t i = 0; i < count; ++i) of[std::holds_alternative<Inputs>(answers_[i].at)].push_back(&answers_[i]);
  for (const auto& some : of) {
    if (some.empty()) continue;
    const auto n = static_cast<Index>(some.size());
    const bool looks = &some == &of.back();
    Rows at(n, looks ? dimension(setting_.targets) : setting_.queries->dimension());
    Vector z(n);
    Vector noise(n);
    for (Index i = 0; i < n; ++i) {
      const Datum& answer = *some[static_cast<std::size_t>(i)];
      std::visit([&](const auto& point) { at.row(i) = point.row(0); }, answer.at);
      z[i] = answer.z;
      noise[i] = answer.noise(member.noise_var);
    }
    if (looks)
      out.observe(Inputs(std::move(at)), z, noise);
    else
      out.observe(Queries(std::move(at)), z, noise);
  }
  return out;
}

void Model::take(const Datum& answer) {
  const Vector noise = noises(answer);
  if (const auto* x = std::get_if<Inputs>(&answer.at))
    return finite_->observe(*x, Vector::Constant(1, answer.z), noise);
  const auto& a = std::get<Queries>(answer.at);
  const auto row = open().find(a.row(0));
  if (row && *row < finite_->a().size())
    finite_->observe(*row, answer.z, noise);
  else
    finite_->observe(a, Vector::Constant(1, answer.z), noise);
}

// The belief must depend, to the last bit, on the answers and not on when it was asked for. So it is rebuilt, from all
// answers at once, after every kSettle of them, which also makes opening a study of thousands fast. Where the open
// queries grow, as on a tree, that is more expensive, and done less often.
FiniteEnsemble& Model::finite() {
  constexpr std::size_t kSettle = 32, kSettleGrowing = 128;
  const std::size_t t = answers_.size();
  if (is_linked()) {
    if (!finite_ || in_finite_ != t) finite_.emplace(linked_finite());
    in_finite_ = t;
    return *finite_;
  }
  const std::size_t settle = grows() ? kSettleGrowing : kSettle;
  const std::size_t base = assumed_on_ + (t - assumed_on_) / settle * settle;
  if (!finite_ || in_finite_ < base) {
    finite_ = settled(base);
    in_finite_ = base;
    // Computed now: covariances computed later differ in their last bits from those that were updated all along.
    if (keeps_covariances()) finite_->fg_cov();
  }
  const auto open = [this] {
    if (grows()) finite_->add(opened(finite_->a().size(), in_finite_));
  };
  open();  // if that threw the last time
  while (in_finite_ < t) {
    try {
      take(answers_[in_finite_]);
    } catch (...) {
      finite_.reset();  // some members may have taken it
      throw;
    }
    ++in_finite_;
    open();
  }
  return *finite_;
}

// Where X is a large lattice, covariances with the inputs that can win are computed when they are needed (contenders.hpp).
bool Model::keeps_covariances() {
  constexpr Index kMost = Index{1} << 25;  // numbers: 256 MB
  if (!finite_ || (options_.policy != PolicyKind::kCkg && options_.policy != PolicyKind::kAuto)) return false;
  const Index n = finite_->x().size(), p = std::max(finite_->a().size(), open().most());
  const auto& members = finite_->members();
  const bool low_rank = std::all_of(members.begin(), members.end(),
                                    [](const FiniteBelief& each) { return each.engine() == EngineKind::kLowRank; });
  return (low_rank || n <= kMostContenders) && n * p <= kMost;
}

double Model::discrepancy_share() const {
  if (prior_->discrepancy() == nullptr || answers_.empty()) return 0.0;
  const double sd = spread_of(answers_);
  const Rows somewhere = Rows::Zero(1, prior_->discrepancy()->dimension());
  return sd > 0.0 ? std::sqrt(prior_->discrepancy()->evaluate_diagonal(somewhere)[0]) / sd : 0.0;
}

Setting plain_setting(const Setting& setting, Rng& rng) {
  const Index d = setting.conditional->query_dimension();
  Setting out = setting;
  out.conditional = GaussianConditional(QueryMap::identity(d), 0.0).clone();
  out.likelihood = nullptr;  // it sees rates
  out.links = {Link::kIdentity};
  out.kernel = setting.query_kernel;
  out.mean = nullptr;
  out.targets = setting.queries->as_targets(rng);
  return out;
}

}  // namespace iqbo
