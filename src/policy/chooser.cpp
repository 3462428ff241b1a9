#include "chooser.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "auto_rule.hpp"
#include "core/chance.hpp"
#include "core/nearest.hpp"
#include "decide.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kQueryFloor = 1e-12;  // of the prior variance of f

bool any(const std::vector<bool>& flags) { return std::any_of(flags.begin(), flags.end(), std::identity()); }

void require_meaningful(const PolicyOptions& options, const Setting& setting) {
  if (options.samples < 1) refuse("samples", std::to_string(options.samples), "at least 1");
  if (options.recommend_paths < 0) refuse("recommend_paths", std::to_string(options.recommend_paths), "at least 0");
  require_positive(options.recommend_error, "recommend_error");
  if (options.fit.noise == FitOptions::Noise::kKnown && !setting.noise_var)
    refuse("noise_var", "none", "a number, as fit.noise is kKnown");
  if (options.members < 1) refuse("members", std::to_string(options.members), "at least 1");
  if (options.members > 1 && !options.fit.priors)
    refuse("members", std::to_string(options.members),
           "1, as fit.priors is false: without priors there is nothing to draw from");
  if (options.initial < 0) refuse("initial", std::to_string(options.initial), "at least 0");
  if (options.policy == PolicyKind::kMfmes && !setting.queries->has_finest())
    refuse("finest", "none", "a map from a query to its finest partner, for mfmes");
  if ((options.policy == PolicyKind::kCustom) != options.custom.has_value())
    refuse("custom", options.custom ? "given for policy " + to_string(options.policy) : "none",
           options.custom ? "none" : "a score, as the policy is custom");
  if (options.policy == PolicyKind::kLevelSet && !options.above)
    refuse("above", "none", "the threshold, as the policy is level-set");
  if (options.above && !std::isfinite(*options.above)) refuse("above", readable(*options.above), "a finite number");
  if (options.stop.regret) require_positive(*options.stop.regret, "stop.regret");
  if (options.stop.bound) require_positive(*options.stop.bound, "stop.bound");
  if (const auto& p = options.stop.probability; p && !(*p > 0.0 && *p < 1.0))
    refuse("stop.probability", readable(*p), "more than 0 and less than 1");
}

// How many queries, if the options do not say.
Index usual_design(const Beliefs& beliefs) {
  if (beliefs.setting().kernel == nullptr) return dimension(beliefs.setting().targets) + 3;
  return beliefs.grows() ? 0 : 2;
}

// The candidates once `pending` have been selected too, at any cost; those in `avoid` are not allowed.
Candidates candidates(Model& model, const Queries& pending, const Queries& avoid) {
  const auto open = model.open().clone();
  for (Index i = 0; i < pending.size(); ++i) open->select(pending.row(i));
  Candidates out = open->candidates(model.noise_var());
  if (model.is_linked()) out.noise_var = model.noise_var(out.queries);
  for (Index i = 0; i < avoid.size(); ++i)
    if (const auto row = open->find(avoid.row(i))) out.allowed[static_cast<std::size_t>(*row)] = false;
  return out;
}

std::string missing_score(const PolicyOptions& options) {
  return in_quotes("custom:" + options.custom->name) + " is a score that this program does not have";
}

}  // namespace

Chooser::Chooser(Beliefs& beliefs, const PolicyOptions& options, std::uint64_t seed)
    : beliefs_(beliefs), options_(options), seed_(seed), spending_(domain(), options) {
  require_meaningful(options_, beliefs_.setting());
  Rng design(seed, {kInitialDesign});
  initial_ = domain().initial_design(options_.initial > 0 ? options_.initial : usual_design(beliefs_), design);
  if (!is_plain(options_.policy)) return;
  Rng rng(seed, {kPlainPoints});
  PolicyOptions single = options_;
  single.members = 1;
  single.fit.units = {};  // those of X
  plain_.emplace(plain_setting(beliefs_.setting(), rng), single, seed);
}

Suggestion Chooser::suggest(Index count, const Queries& pending, Queries avoid) {
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

Survey Chooser::survey(const Queries& shown, const Queries& pending, const Queries& avoid) {
  Survey out{nothing_yet()};
  if (options_.custom && !options_.custom->is_known()) {  // all but the next query can be shown
    out.next.why = {missing_score(options_) + ": what it would ask next is not shown"};
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

Candidates Chooser::opened(const Queries& pending) {
  return domain().is_continuum() ? Candidates() : candidates(beliefs_.model(), pending, {});
}

void Chooser::remember_plain(const Hyperparameters& values) {
  if (plain_) plain_->remember(values);
}

std::optional<Hyperparameters> Chooser::plain_hyperparameters() {
  return plain_ ? current_plain().hyperparameters() : std::nullopt;
}

// The plain GP knows queries only.
Model& Chooser::current_plain() {
  Answers queries;
  for (const auto& answer : beliefs_.answers())
    if (std::holds_alternative<Queries>(answer.at)) queries.push_back(answer);
  plain_->update(queries);
  return *plain_;
}

Rng Chooser::rng_for(const Queries& pending) const {
  return Rng(seed_, {kDecision, beliefs_.answers().size(), static_cast<std::uint64_t>(pending.size())});
}

Suggestion Chooser::nothing_yet() const {
  Suggestion out;
  out.used = options_.policy;
  return out;
}

double Chooser::left_after(const Queries& pending) const {
  const Purse after = spending_.purse(beliefs_.answers(), pending);
  return after ? after->left() : std::numeric_limits<double>::infinity();
}

// Returns false if only reasons could be added.
bool Chooser::add(const Step& step, Suggestion& out) const {
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

bool Chooser::is_asked(const Queries& query, const Queries& pending) const {
  for (Index i = 0; i < pending.size(); ++i)
    if (pending.row(i) == query.row(0)) return true;
  const Answers& answers = beliefs_.answers();
  return std::any_of(answers.begin(), answers.end(), [&](const Datum& answer) {
    const auto* a = std::get_if<Queries>(&answer.at);
    return a != nullptr && a->row(0) == query.row(0);
  });
}

// The choice after those in `before`, which are pending too by then; `shown` are scored as well. Queries in `avoid`
// are chosen only if nothing else is left.
Chooser::Step Chooser::next(const Queries& pending, const Queries& avoid, const Queries& before, Fantasy& fantasy,
                            const Queries& shown) {
  if (options_.custom && !options_.custom->is_known())
    refuse("policy", missing_score(options_),
           "to be asked where it was written: in Python, Study(location, acquisition=" + options_.custom->name + ")");
  if (!pending.empty()) require_columns(pending.dimension(), domain().dimension(), "pending");
  if (!avoid.empty()) require_columns(avoid.dimension(), domain().dimension(), "avoid");
  const Purse purse = spending_.purse(beliefs_.answers(), pending.joined(before));
  Step out = choose(pending.joined(avoid).joined(before), avoid, purse, fantasy, shown);
  if (out.chosen || avoid.empty()) return out;
  out = choose(pending.joined(before), {}, purse, fantasy, shown);
  out.avoided = true;
  if (out.chosen) out.why.emplace_back("no other query is left, so one that was to be avoided is asked");
  return out;
}

// `avoid` are among `pending`.
Chooser::Step Chooser::choose(const Queries& pending, const Queries& avoid, const Purse& purse, Fantasy& fantasy,
                              const Queries& shown) {
  if (auto initial = from_initial_design(pending, purse)) return *std::move(initial);
  PolicySpots* spots = beliefs_.spots();
  Model& model = plain_ ? current_plain() : beliefs_.model();
  Candidates open;
  const Payable payable = domain().is_continuum() ? spending_.payable(purse) : Payable();
  if (domain().is_continuum()) {
    if (purse && payable.some.empty()) return unaffordable(*purse);
  } else {
    open = candidates(model, pending, avoid);
    if (!any(open.allowed)) return {.used = options_.policy, .why = {model.open().exhausted()}};
    for (std::size_t i = 0; i < open.allowed.size(); ++i)
      if (!affords(purse, open.cost[static_cast<Index>(i)])) open.allowed[i] = false;
    if (!any(open.allowed)) return unaffordable(*purse);
  }
  if (spots != nullptr)
    if (auto step = by_spots(*spots, open, pending)) return *std::move(step);
  return by_score(model, std::move(open), payable, pending, fantasy, shown);
}

std::optional<Chooser::Step> Chooser::from_initial_design(const Queries& pending, const Purse& purse) const {
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

// In units of f per cost. Empty if a query is no rectangle.
std::optional<Chooser::Step> Chooser::by_spots(PolicySpots& spots, const Candidates& open,
                                               const Queries& pending) const {
  const auto worth = spots.worth(open.queries, pending);
  if (!worth) return std::nullopt;
  Step out{.used = PolicyKind::kCkg, .allowed = open.allowed};
  out.scores = {open.queries, per_cost(worth->score, false, open.cost), false};
  Rng rng = rng_for(pending);
  const Index row = best_row(out.scores.score, open, rng);
  out.chosen = Chosen{open.queries.slice(row, 1), row, out.scores.score[row]};
  out.why = {"auto: ckg and a search for rare spots; " + std::to_string(worth->found) +
             (worth->found == 1 ? " was" : " were") + " found, and a further one exists with a probability of " +
             chance_text(worth->spot_probability)};
  return out;
}

Chooser::Step Chooser::by_score(Model& model, Candidates open, const Payable& payable, const Queries& pending,
                                Fantasy& fantasy, const Queries& shown) const {
  Step out{.used = options_.policy, .allowed = open.allowed};
  if (out.used == PolicyKind::kAuto) {
    const AutoChoice choice = auto_choice(model, beliefs_.answers());
    out.used = choice.kind;
    out.why.push_back(choice.why);
  } else {
    out.why.push_back("policy " + to_string(out.used) + (options_.custom ? ":" + options_.custom->name : ""));
  }
  const auto scene = make_scene(model, beliefs_.answers(), std::move(open), payable, fantasy);
  if (!pending.empty()) scene->fantasise(pending);
  scene->look_at(shown);
  Rng rng = rng_for(pending);
  out.chosen = decide(out.used, options_, *scene, kQueryFloor * model.amplitude_var(), rng);
  out.why.insert(out.why.end(), scene->notes().begin(), scene->notes().end());
  if (const std::string exposure = model.assumed_exposure(); !exposure.empty()) out.why.push_back(exposure);
  out.scores = scene->scores();
  return out;
}

Chooser::Step Chooser::unaffordable(const Budget& purse) const {
  const std::string budget = "the budget of " + readable(purse.total());
  return {.used = options_.policy,
          .why = {"no query is affordable: " +
                  (purse.left() < 0.0 ? readable(-purse.left()) + " more than " + budget + " has been spent"
                                      : "none that may still be asked costs at most " + readable(purse.left()) +
                                            ", which is left of " + budget)}};
}

}  // namespace iqbo
