#include "iqbo/policy/policy.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "auto_rule.hpp"
#include "chances.hpp"
#include "core/chance.hpp"
#include "core/nearest.hpp"
#include "decide.hpp"
#include "fit_schedule.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"
#include "policy/scene/scene.hpp"
#include "recommend.hpp"
#include "spending.hpp"
#include "spots.hpp"

namespace iqbo {

using namespace internal;

namespace {

// What the seed is used for.
enum Purpose : std::uint64_t { kInitialDesign = 1, kDecision, kRecommending, kPlainPoints, kChances };

constexpr double kQueryFloor = 1e-12;  // of the prior variance of f

// One decision: what was chosen, if anything could be, and what it rests on.
struct Step {
  std::optional<Chosen> chosen = {};
  PolicyKind used = PolicyKind::kAuto;
  std::vector<std::string> why = {};
  bool avoided = false;  // nothing else was left than what was to be avoided

  Scene::Scores scores = {};       // none in the initial design
  std::vector<bool> allowed = {};  // the candidates; empty for a continuum
};

// The same correlations with these variances.
Matrix rescaled(Matrix cov, const Vector& var, bool as_it_is) {
  if (as_it_is) return cov;
  const Vector scale = (var.array() / cov.diagonal().array().max(1e-300)).sqrt();
  return scale.asDiagonal() * cov * scale.asDiagonal();
}

bool any(const std::vector<bool>& flags) { return std::any_of(flags.begin(), flags.end(), std::identity()); }

}  // namespace

class Policy::State {
 public:
  State(Setting setting, PolicyOptions options, std::uint64_t seed)
      : options_(std::move(options)),
        seed_(seed),
        model_((require_consistent(setting), std::move(setting)), options_, seed),
        spending_(*model_.setting().queries, options_),
        spots_(PolicySpots::of(model_.setting(), options_, seed)) {
    if (options_.samples < 1) refuse("samples", std::to_string(options_.samples), "at least 1");
    if (options_.recommend_paths < 0) refuse("recommend_paths", std::to_string(options_.recommend_paths), "at least 0");
    require_positive(options_.recommend_error, "recommend_error");
    if (options_.fit.noise == FitOptions::Noise::kKnown && !this->setting().noise_var)
      refuse("noise_var", "none", "a number, as fit.noise is kKnown");
    if (options_.members < 1) refuse("members", std::to_string(options_.members), "at least 1");
    if (options_.members > 1 && !options_.fit.priors)
      refuse("members", std::to_string(options_.members),
             "1, as fit.priors is false: without priors there is nothing to draw from");
    if (options_.initial < 0) refuse("initial", std::to_string(options_.initial), "at least 0");
    if (options_.policy == PolicyKind::kMfmes && !domain().has_finest())
      refuse("finest", "none", "a map from a query to its finest partner, for mfmes");
    if ((options_.policy == PolicyKind::kCustom) != options_.custom.has_value())
      refuse("custom", options_.custom ? "given for policy " + to_string(options_.policy) : "none",
             options_.custom ? "none" : "a score, as the policy is custom");
    if (options_.policy == PolicyKind::kLevelSet && !options_.above)
      refuse("above", "none", "the threshold, as the policy is level-set");
    if (options_.above && !std::isfinite(*options_.above))
      refuse("above", readable(*options_.above), "a finite number");
    if (options_.stop.regret) require_positive(*options_.stop.regret, "stop.regret");
    if (options_.stop.bound) require_positive(*options_.stop.bound, "stop.bound");
    if (const auto& p = options_.stop.probability; p && !(*p > 0.0 && *p < 1.0))
      refuse("stop.probability", readable(*p), "more than 0 and less than 1");
    const Index given = model_.grows() ? 0 : 2;
    const Index usual = this->setting().kernel != nullptr ? given : dimension(this->setting().targets) + 3;
    Rng design(seed, {kInitialDesign});
    initial_ = domain().initial_design(options_.initial > 0 ? options_.initial : usual, design);
    if (!is_plain(options_.policy)) return;
    Rng rng(seed, {kPlainPoints});
    PolicyOptions single = options_;
    single.members = 1;
    single.fit.units = {};  // those of X
    plain_.emplace(plain_setting(this->setting(), rng), single, seed);
  }

  const Setting& setting() const { return model_.setting(); }

  const QueryDomain& domain() const { return *setting().queries; }

  Suggestion suggest(Index count, const Queries& pending, Queries avoid) {
    if (count < 1) refuse("count", std::to_string(count), "at least 1");
    Suggestion out = nothing_yet();
    Fantasy fantasy;
    for (Index j = 0; j < count; ++j) {
      stop_point();
      const Step step = next(pending, avoid, out.queries, fantasy);
      if (step.avoided) avoid = {};
      if (!add(step, out)) break;
    }
    out.left = left_after(pending.joined(out.queries));
    return out;
  }

  std::vector<Index> fit_sizes() const { return iqbo::fit_sizes(answers_, options_.refit_always); }

  std::string missing_score() const {
    return in_quotes("custom:" + options_.custom->name) + " is a score that this program does not have";
  }

  Survey survey(const Queries& shown, const Queries& pending, const Queries& avoid) {
    Survey out{nothing_yet()};
    if (options_.custom && !options_.custom->is_known()) {  // all but the next query can be shown
      out.next.why = {missing_score() + ": what it would ask next is not shown"};
      return out;
    }
    stop_point();
    Fantasy fantasy;
    Step step = next(pending, avoid, {}, fantasy, shown);
    add(step, out.next);
    out.next.left = left_after(pending.joined(out.next.queries));
    if (step.scores.score.size() == 0) return out;
    out.queries = step.scores.at;
    out.scores = step.scores.score;
    out.logarithmic = step.scores.logarithmic;
    out.open.assign(static_cast<std::size_t>(out.queries.size()), true);
    if (step.allowed.size() == out.open.size()) out.open = step.allowed;
    return out;
  }

  Candidates opened(const Queries& pending) {
    return domain().is_continuum() ? Candidates() : candidates(current(model_), pending);
  }

  std::string foreseen_spots() { return spots_ ? spots_->foreseen(options_) : ""; }

  // Kept, as those who ask for it ask for stopping() too.
  Recommendation best() {
    if (!best_ || best_->first != answers_.size()) best_.emplace(answers_.size(), recommended());
    return best_->second;
  }

  Recommendation recommended() {
    Rng rng(seed_, {kRecommending, answers_.size()});
    if (by_spots_now()) {
      Recommendation out = spots_->best(options_.recommend_paths, options_.recommend_error, rng);
      if (!spots_->is_clear(model_)) admit(model_, options_.recommend_paths > 0 ? admitted_draws() : 0, out, rng);
      return out;
    }
    return iqbo::recommend(current(model_), options_.recommend_paths, options_.recommend_error, rng);
  }

  // Whole paths over a large scene are dear: fewer of them, and the error that is stated is larger.
  Index admitted_draws() const {
    constexpr Index kNumbers = Index{1} << 19, kLeast = 16, kMost = 64;
    const auto* list = std::get_if<InputSet>(&setting().targets);
    return list == nullptr ? kMost : std::clamp<Index>(kNumbers / list->size(), kLeast, kMost);
  }

  // Unless spots have foreseen the answers clearly better, both beliefs count, as at the recommendation: the variance is that of
  // the one that leaves more open.
  template <class Space>
  Marginals marginals(const Points<Space>& at) {
    Marginals stationary = current(model_).marginals(at);
    if (at.empty() || !by_spots_now()) return stationary;
    auto out = spots_->marginals(at);
    if (!out) return stationary;
    if (!spots_->is_clear(model_))
      out->var = out->var.cwiseMax(stationary.var + (stationary.mean - out->mean).cwiseAbs2());
    return *std::move(out);
  }

  template <class Space>
  Band interval(const Points<Space>& at, double probability) {
    if (!(probability >= 0.0 && probability < 1.0))
      refuse("probability", readable(probability), "at least 0 and less than 1");
    if (at.empty() || !by_spots_now()) return current(model_).interval(at, probability);
    const auto [mean, var] = marginals(at);
    const double reach = quantile(boost::math::normal(), 0.5 + 0.5 * probability);
    const Vector half = reach * var.cwiseMax(0.0).cwiseSqrt();
    return {mean - half, mean + half};
  }

  std::optional<Vector> mean_with_spots(const Inputs& x) {
    return x.empty() || !by_spots_now() ? std::nullopt : spots_->mean(x);
  }

  Vector f_widening(const Inputs& x, const Marginals& f) {
    return by_spots_now() ? Vector::Constant(x.size(), spots_->widening()) : iqbo::f_widening(current(model_), x, f);
  }
  Vector g_widening(const Marginals& g) {
    return by_spots_now() ? Vector::Constant(g.mean.size(), spots_->widening()) : iqbo::g_widening(current(model_), g);
  }

  template <class Space>
  Chances chances(const Points<Space>& at, const ChanceOptions& options) {
    Rng rng(seed_, {kChances, answers_.size()});
    if (!at.empty() && by_spots_now())
      if (auto out = chances_with_spots(at, options, rng)) return *std::move(out);
    return iqbo::chances(current(model_), at, options, rng);
  }

  // Unless spots have foreseen the answers clearly better, half of the draws are those of the stationary belief.
  template <class Space>
  std::optional<Chances> chances_with_spots(const Points<Space>& at, const ChanceOptions& options, Rng& rng) {
    const Marginals f = marginals(at);
    ChanceTally tally(f.mean, options);
    const bool clear = spots_->is_clear(model_);
    if (!spots_->add_draws(at, clear ? options.draws : (options.draws + 1) / 2, rng, tally)) return std::nullopt;
    if (!clear) add_draws(current(model_), at, tally.count(), rng, tally);
    Chances out = tally.result();
    if (options.above) out.above = above(f, *options.above);
    return out;
  }

  Stopping stopping() {
    const Recommendation recommended = best();
    Rng rng(seed_, {kChances, answers_.size(), 1});
    const ExpectedRegret regret =
        by_spots_now() ? spots_->regret(rng) : expected_regret(current(model_), recommended, rng);
    Stopping out{regret.value, regret.error, recommended.probability, recommended.probability_error,
                 recommended.tolerance};
    out.bound = regret.bound;
    if (options_.policy == PolicyKind::kLevelSet) {
      out.probability = rightly_placed(current(model_), *options_.above, rng);
      out.probability_error = 0.0;
      out.tolerance = 0.0;
    }
    if (asked({}) >= initial_.size() && !answers_.empty())
      judge(options_.stop, options_.policy == PolicyKind::kLevelSet, out);
    return out;
  }

  Model& current(Model& model) {
    model.update(answers_);
    return model;
  }

  // The plain GP knows queries only.
  Model& current_plain() {
    Answers queries;
    for (const auto& answer : answers_)
      if (std::holds_alternative<Queries>(answer.at)) queries.push_back(answer);
    plain_->update(queries);
    return *plain_;
  }

  // A study that was begun by a version without ensembles knew no search for spots either: it goes on as it began.
  void remember(const Hyperparameters& values) {
    best_.reset();
    model_.remember(values);
    if (values.members.empty()) spots_.reset();
  }
  void remember_plain(const Hyperparameters& values) {
    if (plain_) plain_->remember(values);
  }
  std::optional<Hyperparameters> plain_hyperparameters() {
    return plain_ ? current_plain().hyperparameters() : std::nullopt;
  }
  Model& model() { return current(model_); }
  const Answers& answers() const { return answers_; }

  template <class Space>
  void observe(const Points<Space>& at, const std::vector<Count>& counts) {
    require_not_empty(at.size(), Space::kName);
    require_rows(static_cast<Index>(counts.size()), at.size(), "counts");
    if (setting().likelihood == nullptr || !setting().likelihood->counts())
      refuse("counts", "given", "values: answers are Gaussian");
    for (std::size_t i = 0; i < counts.size(); ++i)
      setting().likelihood->check(counts[i], "counts, row " + std::to_string(i));
    for (std::size_t i = 0; i < counts.size(); ++i)
      answers_.push_back(
          {at.slice(static_cast<Index>(i), 1), counts[i].rate(), {}, 1.0 / counts[i].exposure, counts[i]});
  }

  template <class Space>
  void observe(const Points<Space>& at, const Vector& z, const AnswerNoise& noise) {
    if (setting().likelihood != nullptr && setting().likelihood->counts())
      refuse("z", "values", "counts: answers are " + setting().likelihood->name());
    require_not_empty(at.size(), Space::kName);
    require_rows(z.size(), at.size(), "z");
    require_finite(z, "z");
    if (noise.var) require_non_negative(Vector(Vector::Constant(1, *noise.var)), "noise.var");
    require_positive(noise.replicates, "noise.replicates");
    Answers more;  // all or none: the noise of a query may be a function that throws
    const Vector own = noise_var(at);
    for (Index i = 0; i < at.size(); ++i) {
      std::optional<double> var = noise.var;
      if (!var && !std::isnan(own[i])) var = own[i] / noise.replicates;
      more.push_back({at.slice(i, 1), z[i], var, 1.0 / noise.replicates});
    }
    answers_.insert(answers_.end(), more.begin(), more.end());
  }

 private:
  // The noise of each observation, where the domain knows it; else NaN.
  static Vector noise_var(const Inputs& x) {
    return Vector::Constant(x.size(), std::numeric_limits<double>::quiet_NaN());
  }
  Vector noise_var(const Queries& a) const { return domain().noise_var(a); }

  // --- suggestions, step by step ---

  Suggestion nothing_yet() const {
    Suggestion out;
    out.used = options_.policy;
    return out;
  }

  double left_after(const Queries& pending) const {
    const Purse after = spending_.purse(answers_, pending);
    return after ? after->left() : std::numeric_limits<double>::infinity();
  }

  // Returns false if only reasons could be added.
  bool add(const Step& step, Suggestion& out) const {
    if (!step.chosen) {
      out.why.insert(out.why.end(), step.why.begin(), step.why.end());
      return false;
    }
    out.used = step.used;
    out.why = step.why;
    out.queries = out.queries.joined(step.chosen->query);
    out.reasons.push_back({out.used, out.why});
    if (const auto cell = domain().cell(step.chosen->query.row(0)))
      out.nodes.push_back(cell->node);
    else if (const auto row = domain().find(step.chosen->query.row(0)))
      out.rows.push_back(*row);  // of the list, all of which need not be open
    else if (step.chosen->row >= 0)
      out.rows.push_back(step.chosen->row);
    out.scores.conservativeResize(out.queries.size());
    out.scores[out.queries.size() - 1] = step.chosen->score;
    return true;
  }

  // --- what may be asked ---

  // The candidates once `pending` have been selected too, at any cost.
  static Candidates candidates(Model& model, const Queries& pending) {
    const auto open = model.open().clone();
    for (Index i = 0; i < pending.size(); ++i) open->select(pending.row(i));
    Candidates out = open->candidates(model.noise_var());
    if (model.is_linked()) out.noise_var = model.noise_var(out.queries);
    return out;
  }

  // How many queries have been asked so far, including pending ones.
  Index asked(const Queries& pending) const { return asked_in(answers_) + pending.size(); }

  bool is_asked(const Queries& query, const Queries& pending) const {
    for (Index i = 0; i < pending.size(); ++i)
      if (pending.row(i) == query.row(0)) return true;
    return std::any_of(answers_.begin(), answers_.end(), [&](const Datum& answer) {
      const auto* a = std::get_if<Queries>(&answer.at);
      return a != nullptr && a->row(0) == query.row(0);
    });
  }

  std::optional<Step> from_initial_design(const Queries& pending, const Purse& purse) const {
    if (asked(pending) >= initial_.size()) return std::nullopt;
    for (Index i = 0; i < initial_.size(); ++i) {
      const Queries query = initial_.slice(i, 1);
      if (is_asked(query, pending)) continue;
      if (!affords(purse, domain().cost(query)[0])) return std::nullopt;
      Step out{.used = options_.policy};
      out.chosen = Chosen{query, domain().find(query.row(0)).value_or(-1), 0.0};
      out.why = {"initial design: query " + std::to_string(i + 1) + " of " + std::to_string(initial_.size())};
      return out;
    }
    return std::nullopt;
  }

  // The choice after those in `before`, which are pending too by then; `shown` are scored as well. Queries in `avoid`
  // are chosen only if nothing else is left.
  Step next(const Queries& pending, const Queries& avoid, const Queries& before, Fantasy& fantasy,
            const Queries& shown = {}) {
    if (options_.custom && !options_.custom->is_known())
      refuse("policy", missing_score(),
             "to be asked where it was written: in Python, Study(location, acquisition=" + options_.custom->name + ")");
    if (!pending.empty()) require_columns(pending.dimension(), domain().dimension(), "pending");
    if (!avoid.empty()) require_columns(avoid.dimension(), domain().dimension(), "avoid");
    const Purse purse = spending_.purse(answers_, pending.joined(before));
    Step out = choose(pending.joined(avoid).joined(before), avoid, purse, fantasy, shown);
    if (out.chosen || avoid.empty()) return out;
    out = choose(pending.joined(before), {}, purse, fantasy, shown);
    out.avoided = true;
    if (out.chosen) out.why.emplace_back("no other query is left, so one that was to be avoided is asked");
    return out;
  }

  // `avoid` are among `pending`.
  Step choose(const Queries& pending, const Queries& avoid, const Purse& purse, Fantasy& fantasy,
              const Queries& shown) {
    if (auto initial = from_initial_design(pending, purse)) return *std::move(initial);
    const bool spots = by_spots_now();
    Model& model = plain_ ? current_plain() : current(model_);
    Candidates open;
    const Payable payable = domain().is_continuum() ? spending_.payable(purse) : Payable();
    if (domain().is_continuum()) {
      if (purse && payable.some.empty()) return unaffordable(*purse);
    } else {
      open = candidates(model, pending);
      for (Index i = 0; i < avoid.size(); ++i)
        if (const auto row = model.open().find(avoid.row(i))) open.allowed[static_cast<std::size_t>(*row)] = false;
      if (!any(open.allowed)) return {.used = options_.policy, .why = {model.open().exhausted()}};
      for (std::size_t i = 0; i < open.allowed.size(); ++i)
        if (!affords(purse, open.cost[static_cast<Index>(i)])) open.allowed[i] = false;
      if (!any(open.allowed)) return unaffordable(*purse);
    }
    if (spots)
      if (auto step = by_spots(open, pending)) return *std::move(step);
    return decided(model, std::move(open), payable, pending, fantasy, shown);
  }

  // Not where f = exp(eta) explains the answers better, as high values then need no spots; nor where the stationary belief
  // does.
  bool by_spots_now() {
    if (!spots_ || !spots_->update(answers_)) return false;
    Model& model = current(model_);
    return !model.is_linked() && spots_->lead(model) > PolicySpots::kBehind;
  }

  // The search for rare spots, in units of f per cost. Empty if a query is no rectangle.
  std::optional<Step> by_spots(const Candidates& open, const Queries& pending) {
    const auto worth = spots_->worth(open.queries, pending);
    if (!worth) return std::nullopt;
    Step out{.used = PolicyKind::kCkg, .allowed = open.allowed};
    out.scores = {open.queries, per_cost(worth->score, false, open.cost), false};
    Rng rng(seed_, {kDecision, answers_.size(), static_cast<std::uint64_t>(pending.size())});
    const Index row = best_row(out.scores.score, open, rng);
    out.chosen = Chosen{open.queries.slice(row, 1), row, out.scores.score[row]};
    out.why = {"auto: ckg and a search for rare spots; " + std::to_string(worth->found) +
               (worth->found == 1 ? " was" : " were") + " found, and a further one exists with a probability of " +
               chance_text(worth->spot_probability)};
    return out;
  }

  Step unaffordable(const Budget& purse) const {
    return {.used = options_.policy,
            .why = {"no query is affordable: " +
                    (purse.left() < 0.0
                         ? readable(-purse.left()) + " more than the budget of " + readable(purse.total()) +
                               " has been spent"
                         : readable(purse.left()) + " is left of the budget of " + readable(purse.total()))}};
  }

  Step decided(Model& model, Candidates open, const Payable& payable, const Queries& pending, Fantasy& fantasy,
               const Queries& shown) {
    Step out{.used = options_.policy, .allowed = open.allowed};
    if (out.used == PolicyKind::kAuto) {
      const AutoChoice choice = auto_choice(model, answers_);
      out.used = choice.kind;
      out.why.push_back(choice.why);
    } else {
      out.why.push_back("policy " + to_string(out.used) + (options_.custom ? ":" + options_.custom->name : ""));
    }
    const auto scene = make_scene(model, answers_, std::move(open), payable, fantasy);
    if (!pending.empty()) scene->fantasise(pending);
    scene->look_at(shown);
    Rng rng(seed_, {kDecision, answers_.size(), static_cast<std::uint64_t>(pending.size())});
    out.chosen = decide(out.used, options_, *scene, kQueryFloor * model.amplitude_var(), rng);
    out.why.insert(out.why.end(), scene->notes().begin(), scene->notes().end());
    if (const std::string exposure = model.assumed_exposure(); !exposure.empty()) out.why.push_back(exposure);
    out.scores = scene->scores();
    return out;
  }

  PolicyOptions options_;
  std::uint64_t seed_;
  Answers answers_;
  Model model_;  // recommends, and chooses unless the policy is a plain one
  Spending spending_;
  std::unique_ptr<PolicySpots> spots_;                          // null where spots are never searched for
  std::optional<Model> plain_;                                  // the plain GP on (a, z)
  std::optional<std::pair<std::size_t, Recommendation>> best_;  // after so many answers
  Queries initial_;
};

Policy::Policy(Setting setting, PolicyOptions options, std::uint64_t seed)
    : state_(std::make_unique<State>(std::move(setting), std::move(options), seed)) {}
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

void Policy::observe(const Queries& a, const Vector& z, const AnswerNoise& noise) {
  require_columns(a.dimension(), state_->domain().dimension(), QuerySpace::kName);
  // Refuses now what would be refused at every later step; the laws of listed queries are computed anyway.
  for (Index i = 0; i < a.size(); ++i)
    if (!state_->domain().find(a.row(i))) {
      state_->setting().conditional->laws(a);
      break;
    }
  state_->observe(a, z, noise);
}

void Policy::observe(const Inputs& x, const Vector& z, const AnswerNoise& noise) {
  require_columns(x.dimension(), dimension(state_->setting().targets), InputSpace::kName);
  state_->observe(x, z, noise);
}

void Policy::observe(const Queries& a, const std::vector<Count>& counts) {
  require_columns(a.dimension(), state_->setting().queries->dimension(), QuerySpace::kName);
  state_->observe(a, counts);
}

void Policy::observe(const Inputs& x, const std::vector<Count>& counts) {
  require_columns(x.dimension(), dimension(state_->setting().targets), InputSpace::kName);
  state_->observe(x, counts);
}

Suggestion Policy::suggest(Index count, const Queries& pending, const Queries& avoid) {
  return state_->suggest(count, pending, avoid);
}
Recommendation Policy::best() { return state_->best(); }
Chances Policy::chances(const Inputs& x, const ChanceOptions& options) {
  require_columns(x.dimension(), dimension(state_->setting().targets), InputSpace::kName);
  return state_->chances(x, options);
}
Chances Policy::chances(const Queries& a, const ChanceOptions& options) {
  require_columns(a.dimension(), state_->domain().dimension(), QuerySpace::kName);
  return state_->chances(a, options);
}
Stopping Policy::stopping() { return state_->stopping(); }
Marginals Policy::f(const Inputs& x) { return state_->marginals(x); }
Marginals Policy::g(const Queries& a) { return state_->marginals(a); }
std::optional<Vector> Policy::mean_with_spots(const Inputs& x) {
  require_columns(x.dimension(), dimension(state_->setting().targets), InputSpace::kName);
  return state_->mean_with_spots(x);
}
std::vector<Index> Policy::fit_sizes() const { return state_->fit_sizes(); }

Survey Policy::survey(const Queries& shown, const Queries& pending, const Queries& avoid) {
  return state_->survey(shown, pending, avoid);
}
std::string Policy::foreseen_spots() { return state_->foreseen_spots(); }
Candidates Policy::opened(const Queries& pending) { return state_->opened(pending); }
Marginals Policy::forecasts(Index begin) {
  if (begin < 0 || begin > size()) refuse("begin", std::to_string(begin), "0 to " + std::to_string(size()));
  return state_->model().forecasts(static_cast<std::size_t>(begin));
}
const Ensemble& Policy::belief() { return state_->model().belief(); }
Marginals Policy::rates_f(const Inputs& x) { return state_->model().rates_f(x); }
Marginals Policy::rates_g(const Queries& a) { return state_->model().rates_g(a); }
Band Policy::f_interval(const Inputs& x, double probability) { return state_->interval(x, probability); }
Band Policy::g_interval(const Queries& a, double probability) { return state_->interval(a, probability); }
Band Policy::within_range(const Band& rates) { return state_->model().within_range(rates); }
Vector Policy::f_widening(const Inputs& x, const Marginals& f) {
  require_columns(x.dimension(), dimension(state_->setting().targets), InputSpace::kName);
  require_rows(f.mean.size(), x.size(), "f");
  return state_->f_widening(x, f);
}
Vector Policy::g_widening(const Marginals& g) { return state_->g_widening(g); }
CountForecast Policy::predict_counts(const Queries& a, const Vector& exposure, double probability) {
  if (exposure.size() > 0) {
    require_rows(exposure.size(), a.size(), "exposure");
    require_positive(exposure, "exposure");
  }
  return state_->model().count_forecast(a, exposure, probability);
}
Matrix Policy::rates_f_cov(const Inputs& x) {
  return rescaled(belief().f_cov(x), rates_f(x).var, link() == Link::kIdentity);
}
Matrix Policy::rates_g_cov(const Queries& a) {
  return rescaled(belief().g_cov(a), rates_g(a).var, link() == Link::kIdentity);
}
Link Policy::link() { return state_->model().link(); }
std::vector<std::pair<Link, double>> Policy::links() { return state_->model().links(); }
const Posterior& Policy::posterior() { return state_->model().posterior(); }
const Posterior& Policy::prior() { return state_->model().prior(); }
const Fit* Policy::fit() { return state_->model().fit(); }
void Policy::remember(const Hyperparameters& values) { state_->remember(values); }
void Policy::remember_plain(const Hyperparameters& values) { state_->remember_plain(values); }
std::optional<Hyperparameters> Policy::plain_hyperparameters() { return state_->plain_hyperparameters(); }
const std::optional<Hyperparameters>& Policy::hyperparameters() { return state_->model().hyperparameters(); }
const FiniteEnsemble* Policy::finite() {
  Model& model = state_->model();
  return model.is_finite() ? &model.finite() : nullptr;
}
Index Policy::size() const { return static_cast<Index>(state_->answers().size()); }

}  // namespace iqbo
