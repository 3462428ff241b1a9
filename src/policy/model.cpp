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

namespace iqbo {

using namespace internal;

namespace {

// A kernel to start from: fitting replaces all of its numbers. It follows the widths of X, in case there is no fit.
Rbf placeholder(const TargetSpace& x) {
  const Vector width = bounds(x).width();
  return Rbf(1.0, 0.2 * (width.array() > 0.0).select(width, 1.0));
}

double spread_of(const Answers& answers) {
  Vector z(static_cast<Index>(answers.size()));
  for (std::size_t i = 0; i < answers.size(); ++i) z[static_cast<Index>(i)] = answers[i].z;
  return std::sqrt((z.array() - z.mean()).square().mean());
}

// Chooses tau / sd(z) by evidence, for a prior that is given; a fit finds tau by itself.
Posterior with_best_discrepancy(const Posterior& prior, const LearnedConditional& learned, const Answers& answers,
                                std::size_t count, double noise_var) {
  constexpr std::array kShares{0.05, 0.1, 0.2, 0.4};
  const double sd = spread_of({answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(count)});
  Posterior best = prior;
  if (sd == 0.0) return best;
  const Posterior data = condition(prior, answers, 0, count, noise_var);
  double evidence = data.log_evidence();
  for (const double share : kShares) {
    const auto l = learned.discrepancy(share * share * sd * sd);
    const double other = data.with_discrepancy(*l).log_evidence();
    if (other <= evidence) continue;
    evidence = other;
    best = prior.with_discrepancy(*l);
  }
  return best;
}

}  // namespace

Model::Model(Setting setting, const PolicyOptions& options, std::uint64_t seed)
    : setting_(std::move(setting)),
      options_(options),
      seed_(seed),
      open_(setting_.queries->open({options.repeats, options.requery_leaf})) {
  if (open_ != nullptr) opened_after_ = {open_->size()};
  if (setting_.queries->has_noise_var()) options_.fit.noise = FitOptions::Noise::kKnown;
  if (setting_.conditional->support() == nullptr) options_.fit.nugget = false;  // windows average it out
  if (setting_.noise_var) options_.fit.noise = FitOptions::Noise::kKnown;
  assume(0);
}

Model::Assumptions Model::given(std::size_t count) const {
  const auto mean = setting_.mean != nullptr ? setting_.mean : std::make_shared<const ConstantMean>(0.0);
  const Rbf start = placeholder(setting_.targets);
  Assumptions out{
      Posterior(setting_.kernel != nullptr ? *setting_.kernel : start, *setting_.conditional, *mean),
      setting_.noise_var.value_or(setting_.queries->has_noise_var() ? setting_.queries->usual_noise_var() : 1e-2),
      {},
      {},
      {}};
  const auto* learned = learned_conditional();
  if (learned != nullptr && count > 0)
    out.prior = with_best_discrepancy(out.prior, *learned, answers_, count, out.noise_var);
  out.members = {{out.prior, out.noise_var, 1.0}};
  return out;
}

Model::Assumptions Model::fitted(std::size_t count) const {
  const double spread = spread_of(first(count));
  const double scale = spread > 0.0 ? spread : 1.0;
  Posterior data(placeholder(setting_.targets), *setting_.conditional);
  if (const auto* learned = learned_conditional())
    data = data.with_discrepancy(*learned->discrepancy(0.01 * scale * scale));
  const double start = setting_.queries->has_noise_var() ? setting_.queries->usual_noise_var() : 0.01 * scale * scale;
  data = condition(data, answers_, 0, count, setting_.noise_var.value_or(start));
  FitOptions options = options_.fit;
  const auto usual = std::find_if(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count),
                                  [](const Datum& answer) { return !answer.noise_var; });
  const auto at = static_cast<std::size_t>(usual - answers_.begin());
  if (at == count) options.noise = FitOptions::Noise::kKnown;
  const bool averages = options_.members > 1 && !point_only_;
  EnsembleFit made = averages ? fit_ensemble(data, options, seed_, options_.members)
                              : EnsembleFit{iqbo::fit(data, options, seed_), Ensemble({data}, Vector::Ones(1))};
  const auto usual_noise_var = [&](const Posterior& found) {
    if (at == count && !setting_.noise_var && !setting_.queries->has_noise_var() && !grows())
      return found.noise_var().mean();  // all were given: the next is assumed to be like these
    if (options.noise == FitOptions::Noise::kFitted)
      return found.noise_var()[static_cast<Index>(at)] / usual->noise_share;
    return setting_.noise_var.value_or(start);
  };
  const Posterior& found = made.fit.posterior;
  const double noise_var = usual_noise_var(found);
  auto values = hyperparameters_of(made.fit, noise_var);
  if (!values) {  // a kernel of its own structure
    Posterior prior(found.kernel(), *setting_.conditional, found.mean());
    if (found.discrepancy() != nullptr) prior = prior.with_discrepancy(*found.discrepancy());
    return {prior, noise_var, std::move(made.fit), {}, {{prior, noise_var, 1.0}}};
  }
  for (std::size_t s = 0; s < values->members.size(); ++s)
    values->members[s].noise_var = usual_noise_var(made.ensemble.members()[s]);
  Assumptions out = remembered(*values);
  out.fit = std::move(made.fit);
  return out;
}

Model::Assumptions Model::remembered(const Hyperparameters& values) const {
  const auto prior = [&](const Hyperparameters& one) {
    return prior_of(one, *setting_.conditional, learned_conditional());
  };
  Assumptions out{prior(values), values.noise_var->value, {}, values, {}};
  for (const Hyperparameters& one : values.members)
    out.members.push_back({prior(one), one.noise_var->value, one.weight});
  if (out.members.empty()) out.members = {{out.prior, out.noise_var, 1.0}};
  return out;
}

Model::Assumptions Model::assumptions(std::size_t count) const {
  if (setting_.kernel != nullptr || count == 0) return given(count);
  const auto before = remembered_.find(count);
  return before != remembered_.end() ? remembered(before->second) : fitted(count);
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
  amplitude_var_ = prior_->kernel().diagonal(Inputs(Rows::Zero(1, prior_->kernel().dimension())))[0];
  assumed_on_ = count;
  point_noise_var_ = now.noise_var;
  posterior_.reset();
  belief_.reset();
  finite_.reset();
  unseen_.clear();
}

Answers Model::first(std::size_t count) const {
  return {answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count)};
}

const LearnedConditional* Model::learned_conditional() const {
  return options_.discrepancy ? dynamic_cast<const LearnedConditional*>(setting_.conditional.get()) : nullptr;
}

void Model::remember(const Hyperparameters& values) {
  if (!values.noise_var) refuse("fit", "without noise_var", "one that iqbo wrote");
  for (const Hyperparameters& member : values.members)
    if (!member.noise_var) refuse("fit", "with a member without noise_var", "one that iqbo wrote");
  // A study that was begun with point estimates goes on with them: who opens it must not change what it answers.
  if (values.members.empty()) point_only_ = true;
  remembered_[static_cast<std::size_t>(values.observations)] = values;
}

void Model::update(const Answers& answers) {
  answers_ = answers;
  const std::size_t size = fitted_size(answers_, answers_.size());
  if (learns() && size != assumed_on_) assume(size);
}

const Posterior& Model::posterior() {
  if (!posterior_) {
    posterior_ = prior_;
    in_posterior_ = 0;
  }
  posterior_ = condition(*posterior_, answers_, in_posterior_, answers_.size(), point_noise_var_);
  in_posterior_ = answers_.size();
  return *posterior_;
}

const Ensemble& Model::belief() {
  if (belief_ && in_belief_ == answers_.size()) return *belief_;
  std::vector<Posterior> posteriors;
  Vector weights(static_cast<Index>(members_.size()));
  for (const Member& member : members_) {
    weights[static_cast<Index>(posteriors.size())] = member.weight;
    posteriors.push_back(belief_ ? condition(belief_->members()[posteriors.size()], answers_, in_belief_,
                                             answers_.size(), member.noise_var)
                                 : condition(member.prior, answers_, 0, answers_.size(), member.noise_var));
  }
  belief_.emplace(std::move(posteriors), weights);
  in_belief_ = answers_.size();
  return *belief_;
}

Vector Model::noises(const Datum& answer) const {
  Vector out(static_cast<Index>(members_.size()));
  for (std::size_t s = 0; s < members_.size(); ++s) out[static_cast<Index>(s)] = answer.noise(members_[s].noise_var);
  return out;
}

Vector Model::member_noise_var(const Queries& one) const {
  Vector out(static_cast<Index>(members_.size()));
  for (std::size_t s = 0; s < members_.size(); ++s)
    out[static_cast<Index>(s)] = setting_.queries->noise_var(one, members_[s].noise_var)[0];
  return out;
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
  return {member.prior, std::get<InputSet>(setting_.targets).points(), opened(0, count), options};
}

// The belief after the first `count` observations, taken at once, answers before values of f.
FiniteEnsemble Model::settled(std::size_t count) {
  open();
  std::vector<FiniteBelief> beliefs;
  Vector weights(static_cast<Index>(members_.size()));
  if (grows()) unseen_.clear();
  std::vector<std::optional<FiniteBelief>> priors(members_.size()), after(members_.size());
  in_parallel(weights.size(), [&](Index s) {
    const auto at = static_cast<std::size_t>(s);
    const Member& member = members_[at];
    weights[s] = member.weight;
    priors[at] = unseen_.empty() ? finite_prior(member, count) : unseen_[at];
    after[at] = settled(*priors[at], member, count);
  });
  for (auto& one : after) beliefs.push_back(*std::move(one));
  if (unseen_.empty() && !grows())
    for (auto& one : priors) unseen_.push_back(*std::move(one));
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
  const std::size_t settle = grows() ? kSettleGrowing : kSettle;
  const std::size_t base = assumed_on_ + (t - assumed_on_) / settle * settle;
  if (!finite_ || in_finite_ < base) {
    finite_ = settled(base);
    in_finite_ = base;
    // Computed now: covariances computed later differ in their last bits from those that were updated all along.
    if (options_.policy == PolicyKind::kCkg || options_.policy == PolicyKind::kAuto) finite_->fg_cov();
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
  out.kernel = setting.query_kernel;
  out.mean = nullptr;
  out.targets = setting.queries->as_targets(rng);
  return out;
}

}  // namespace iqbo
