#include "iqbo/policy/policy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "beliefs.hpp"
#include "chances.hpp"
#include "chooser.hpp"
#include "fit_schedule.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

// The same correlations with these variances.
Matrix rescaled(Matrix cov, const Vector& var, bool as_it_is) {
  if (as_it_is) return cov;
  const Vector scale = (var.array() / cov.diagonal().array().max(1e-300)).sqrt();
  return scale.asDiagonal() * cov * scale.asDiagonal();
}

// Of inputs no domain knows the noise.
Vector own_noise(const Setting& /*setting*/, const Inputs& x) {
  return Vector::Constant(x.size(), std::numeric_limits<double>::quiet_NaN());
}
Vector own_noise(const Setting& setting, const Queries& a) { return setting.queries->noise_var(a); }

template <class Space>
Answers counted(const Setting& setting, const Points<Space>& at, const std::vector<Count>& counts) {
  require_not_empty(at.size(), Space::kName);
  require_rows(static_cast<Index>(counts.size()), at.size(), "counts");
  if (setting.likelihood == nullptr || !setting.likelihood->counts())
    refuse("counts", "given", "values: answers are Gaussian");
  for (std::size_t i = 0; i < counts.size(); ++i)
    setting.likelihood->check(counts[i], "counts, row " + std::to_string(i));
  Answers out;
  for (std::size_t i = 0; i < counts.size(); ++i)
    out.push_back({at.slice(static_cast<Index>(i), 1), counts[i].rate(), {}, 1.0 / counts[i].exposure, counts[i]});
  return out;
}

template <class Space>
Answers measured(const Setting& setting, const Points<Space>& at, const Vector& z, const AnswerNoise& noise) {
  if (setting.likelihood != nullptr && setting.likelihood->counts())
    refuse("z", "values", "counts: answers are " + setting.likelihood->name());
  require_not_empty(at.size(), Space::kName);
  require_rows(z.size(), at.size(), "z");
  require_finite(z, "z");
  if (noise.var) require_non_negative(Vector(Vector::Constant(1, *noise.var)), "noise.var");
  require_positive(noise.replicates, "noise.replicates");
  const Vector own = own_noise(setting, at);
  Answers out;
  for (Index i = 0; i < at.size(); ++i) {
    std::optional<double> var = noise.var;
    if (!var && !std::isnan(own[i])) var = own[i] / noise.replicates;
    out.push_back({at.slice(i, 1), z[i], var, 1.0 / noise.replicates});
  }
  return out;
}

}  // namespace

class Policy::State {
 public:
  State(Setting setting, PolicyOptions given, std::uint64_t seed)
      : options(std::move(given)), beliefs(std::move(setting), options, seed), chooser(beliefs, options, seed) {}

  void require_inputs(const Inputs& x) const {
    require_columns(x.dimension(), dimension(beliefs.setting().targets), InputSpace::kName);
  }
  void require_queries(const Queries& a) const {
    require_columns(a.dimension(), beliefs.setting().queries->dimension(), QuerySpace::kName);
  }

  PolicyOptions options;
  Beliefs beliefs;
  Chooser chooser;
};

Policy::Policy(Setting setting, PolicyOptions options, std::uint64_t seed)
    : state_(std::make_unique<State>(std::move(setting), std::move(options), seed)) {}
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

void Policy::observe(const Queries& a, const Vector& z, const AnswerNoise& noise) {
  state_->require_queries(a);
  const Setting& setting = state_->beliefs.setting();
  // Refuses now what would be refused at every later step; the laws of listed queries are computed anyway.
  for (Index i = 0; i < a.size(); ++i)
    if (!setting.queries->find(a.row(i))) {
      setting.conditional->laws(a);
      break;
    }
  state_->beliefs.add(measured(setting, a, z, noise));
}

void Policy::observe(const Inputs& x, const Vector& z, const AnswerNoise& noise) {
  state_->require_inputs(x);
  state_->beliefs.add(measured(state_->beliefs.setting(), x, z, noise));
}

void Policy::observe(const Queries& a, const std::vector<Count>& counts) {
  state_->require_queries(a);
  state_->beliefs.add(counted(state_->beliefs.setting(), a, counts));
}

void Policy::observe(const Inputs& x, const std::vector<Count>& counts) {
  state_->require_inputs(x);
  state_->beliefs.add(counted(state_->beliefs.setting(), x, counts));
}

Suggestion Policy::suggest(Index count, const Queries& pending, const Queries& avoid) {
  return state_->chooser.suggest(count, pending, avoid);
}
Survey Policy::survey(const Queries& shown, const Queries& pending, const Queries& avoid) {
  return state_->chooser.survey(shown, pending, avoid);
}
Candidates Policy::opened(const Queries& pending) { return state_->chooser.opened(pending); }
std::string Policy::foreseen_spots() { return state_->beliefs.foreseen_spots(); }

Recommendation Policy::best() { return state_->beliefs.best(); }
Chances Policy::chances(const Inputs& x, const ChanceOptions& options) {
  state_->require_inputs(x);
  return state_->beliefs.chances(x, options);
}
Chances Policy::chances(const Queries& a, const ChanceOptions& options) {
  state_->require_queries(a);
  return state_->beliefs.chances(a, options);
}
Vector Policy::above(const Inputs& x, double threshold) {
  state_->require_inputs(x);
  return state_->beliefs.above(x, threshold);
}
Vector Policy::above(const Queries& a, double threshold) {
  state_->require_queries(a);
  return state_->beliefs.above(a, threshold);
}
Stopping Policy::stopping() {
  Stopping out = state_->beliefs.stopping();
  if (size() > 0 && state_->chooser.has_finished_the_design())
    judge(state_->options.stop, state_->options.policy == PolicyKind::kLevelSet, out);
  return out;
}

Marginals Policy::f(const Inputs& x) {
  state_->require_inputs(x);
  return state_->beliefs.marginals(x);
}
Marginals Policy::g(const Queries& a) {
  state_->require_queries(a);
  return state_->beliefs.marginals(a);
}
std::optional<Vector> Policy::mean_with_spots(const Inputs& x) {
  state_->require_inputs(x);
  return state_->beliefs.mean_with_spots(x);
}
Band Policy::f_interval(const Inputs& x, double probability, const Vector& widening) {
  state_->require_inputs(x);
  return state_->beliefs.interval(x, probability, widening);
}
Band Policy::g_interval(const Queries& a, double probability, const Vector& widening) {
  state_->require_queries(a);
  return state_->beliefs.interval(a, probability, widening);
}
Vector Policy::f_widening(const Inputs& x, const Marginals& f) {
  state_->require_inputs(x);
  require_rows(f.mean.size(), x.size(), "f");
  return state_->beliefs.f_widening(x, f);
}
Vector Policy::g_widening(const Marginals& g) { return state_->beliefs.g_widening(g); }

std::vector<Index> Policy::fit_sizes() const {
  return iqbo::fit_sizes(state_->beliefs.answers(), state_->options.refit_always);
}
Marginals Policy::forecasts(Index begin) {
  if (begin < 0 || begin > size()) refuse("begin", std::to_string(begin), "0 to " + std::to_string(size()));
  return state_->beliefs.model().forecasts(static_cast<std::size_t>(begin));
}
const Ensemble& Policy::belief() { return state_->beliefs.model().belief(); }
Marginals Policy::rates_f(const Inputs& x) { return state_->beliefs.model().rates_f(x); }
Marginals Policy::rates_g(const Queries& a) { return state_->beliefs.model().rates_g(a); }
Vector Policy::within_range(const Vector& rates) { return state_->beliefs.model().within_range(rates); }
CountForecast Policy::predict_counts(const Queries& a, const Vector& exposure, double probability) {
  if (exposure.size() > 0) {
    require_rows(exposure.size(), a.size(), "exposure");
    require_positive(exposure, "exposure");
  }
  return state_->beliefs.model().count_forecast(a, exposure, probability);
}
Matrix Policy::rates_f_cov(const Inputs& x) {
  return rescaled(belief().f_cov(x), rates_f(x).var, link() == Link::kIdentity);
}
Matrix Policy::rates_g_cov(const Queries& a) {
  return rescaled(belief().g_cov(a), rates_g(a).var, link() == Link::kIdentity);
}
Link Policy::link() { return state_->beliefs.model().link(); }
std::vector<std::pair<Link, double>> Policy::links() { return state_->beliefs.model().links(); }
const Posterior& Policy::posterior() { return state_->beliefs.model().posterior(); }
const Posterior& Policy::prior() { return state_->beliefs.model().prior(); }
const Fit* Policy::fit() { return state_->beliefs.model().fit(); }
void Policy::remember(const Hyperparameters& values) { state_->beliefs.remember(values); }
void Policy::remember_plain(const Hyperparameters& values) { state_->chooser.remember_plain(values); }
std::optional<Hyperparameters> Policy::plain_hyperparameters() { return state_->chooser.plain_hyperparameters(); }
const std::optional<Hyperparameters>& Policy::hyperparameters() { return state_->beliefs.model().hyperparameters(); }
const FiniteEnsemble* Policy::finite() {
  Model& model = state_->beliefs.model();
  return model.is_finite() ? &model.finite() : nullptr;
}
Index Policy::size() const { return static_cast<Index>(state_->beliefs.answers().size()); }

}  // namespace iqbo
