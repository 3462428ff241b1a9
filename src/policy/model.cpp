#include "model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "iqbo/conditional/learned.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "spread_points.hpp"

namespace iqbo {
namespace {

constexpr std::size_t kFirstFit = 2;  // fewer answers say nothing about hyperparameters

// The largest of kFirstFit, then each kRefitGrowth times the one before, that is not above t; 0 if there is none.
std::size_t fitted_size(std::size_t t) {
  if (t < kFirstFit) return 0;
  std::size_t size = kFirstFit;
  for (;;) {
    const auto next = std::max(size + 1, static_cast<std::size_t>(Policy::kRefitGrowth * static_cast<double>(size)));
    if (next > t) return size;
    size = next;
  }
}

// A kernel to start from: fitting replaces all of its numbers. Widths of X, so that an unfitted prior is not absurd.
Rbf placeholder(const TargetSpace& x) {
  Vector width;
  if (const auto* box = std::get_if<InputBox>(&x)) {
    width = box->upper() - box->lower();
  } else {
    const Rows& points = std::get<InputSet>(x).points().coordinates();
    width = (points.colwise().maxCoeff() - points.colwise().minCoeff()).transpose();
  }
  return Rbf(1.0, 0.2 * (width.array() > 0.0).select(width, 1.0));
}

double spread_of(const Answers& answers) {
  Vector z(static_cast<Index>(answers.size()));
  for (std::size_t i = 0; i < answers.size(); ++i) z[static_cast<Index>(i)] = answers[i].z;
  return std::sqrt((z.array() - z.mean()).square().mean());
}

// tau / sd(z) by evidence, for a prior that is given; fitting finds it by itself.
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

InputSet listed(const MixedQueries& space, Rng& rng) {
  constexpr Index kPointsPerChoice = 256;
  Rows points(space.choices().size() * kPointsPerChoice, space.dimension());
  for (Index choice = 0; choice < space.choices().size(); ++choice)
    points.middleRows(choice * kPointsPerChoice, kPointsPerChoice) =
        space.with_choice(choice, spread_points(space.box(), kPointsPerChoice, rng)).coordinates();
  return InputSet(Inputs(std::move(points)));
}

}  // namespace

Model::Model(Setting setting, const PolicyOptions& options, std::uint64_t seed)
    : setting_(std::move(setting)),
      options_(options),
      seed_(seed),
      finite_spaces_(std::holds_alternative<InputSet>(setting_.x) && std::holds_alternative<QuerySet>(setting_.a)) {
  if (setting_.conditional->support() == nullptr) options_.fit.nugget = false;  // windows do not see one
  if (setting_.noise_var) options_.fit.noise = FitOptions::Noise::kKnown;
  assume(0);
}

Model::Assumptions Model::given(std::size_t count) const {
  const auto mean = setting_.mean != nullptr ? setting_.mean : std::make_shared<const ConstantMean>(0.0);
  const Rbf start = placeholder(setting_.x);
  Assumptions out{Posterior(setting_.kernel != nullptr ? *setting_.kernel : start, *setting_.conditional, *mean),
                  setting_.noise_var.value_or(1e-2),
                  {}};
  const auto* learned = learned_conditional();
  if (learned != nullptr && count > 0)
    out.prior = with_best_discrepancy(out.prior, *learned, answers_, count, out.noise_var);
  return out;
}

Model::Assumptions Model::fitted(std::size_t count) const {
  const double spread = spread_of(first(count));
  const double scale = spread > 0.0 ? spread : 1.0;
  Posterior data(placeholder(setting_.x), *setting_.conditional);
  if (const auto* learned = learned_conditional())
    data = data.with_discrepancy(*learned->discrepancy(0.01 * scale * scale));
  data = condition(data, answers_, 0, count, setting_.noise_var.value_or(0.01 * scale * scale));
  Fit fit = iqbo::fit(data, options_.fit, seed_);
  const Posterior& found = fit.posterior;
  Posterior prior(found.kernel(), *setting_.conditional, found.mean());
  if (found.discrepancy() != nullptr) prior = prior.with_discrepancy(*found.discrepancy());
  const double noise_var = found.noise_var()[0];
  return {prior, noise_var, std::move(fit)};
}

// If this throws, everything is as it was.
void Model::assume(std::size_t count) {
  Assumptions now = setting_.kernel != nullptr || count == 0 ? given(count) : fitted(count);
  prior_.emplace(now.prior);
  noise_var_ = now.noise_var;
  fit_ = std::move(now.fit);
  amplitude_var_ = prior_->kernel().diagonal(Inputs(Rows::Zero(1, prior_->kernel().dimension())))[0];
  assumed_on_ = count;
  posterior_.reset();
  finite_.reset();
}

Answers Model::first(std::size_t count) const {
  return {answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(count)};
}

const LearnedConditional* Model::learned_conditional() const {
  return options_.discrepancy ? dynamic_cast<const LearnedConditional*>(setting_.conditional.get()) : nullptr;
}

void Model::update(const Answers& answers) {
  answers_ = answers;
  const std::size_t size = fitted_size(answers_.size());
  const bool learns = setting_.kernel == nullptr || learned_conditional() != nullptr;
  if (learns && size != assumed_on_) assume(size);
}

const Posterior& Model::posterior() {
  if (!posterior_) {
    posterior_ = prior_;
    in_posterior_ = 0;
  }
  posterior_ = condition(*posterior_, answers_, in_posterior_, answers_.size(), noise_var_);
  in_posterior_ = answers_.size();
  return *posterior_;
}

FiniteBelief& Model::finite() {
  if (!finite_) {
    FiniteOptions options;
    options.noise_var = noise_var_;
    finite_.emplace(*prior_, std::get<InputSet>(setting_.x).points(), std::get<QuerySet>(setting_.a).points(), options);
    in_finite_ = 0;
    // From the start: covariances made later differ in their last bits from those kept all along.
    if (options_.kind == PolicyKind::kCkg || options_.kind == PolicyKind::kAuto) finite_->fg_cov();
  }
  const auto& listed_queries = std::get<QuerySet>(setting_.a);
  for (; in_finite_ < answers_.size(); ++in_finite_) {
    const auto& [at, z] = answers_[in_finite_];
    if (const auto* x = std::get_if<Inputs>(&at)) {
      finite_->observe(*x, Vector::Constant(1, z), noise_var_);
      continue;
    }
    const auto& a = std::get<Queries>(at);
    if (const auto row = listed_queries.find(a.row(0)))
      finite_->observe(*row, z, noise_var_);
    else
      finite_->observe(a, Vector::Constant(1, z), noise_var_);
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
  if (const auto* set = std::get_if<QuerySet>(&setting.a))
    out.x = InputSet(Inputs(set->points().coordinates()));
  else if (const auto* box = std::get_if<QueryBox>(&setting.a))
    out.x = InputBox(box->lower(), box->upper());
  else
    out.x = listed(std::get<MixedQueries>(setting.a), rng);
  return out;
}

}  // namespace iqbo
