#include "iqbo/policy/policy.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "auto_rule.hpp"
#include "core/nearest.hpp"
#include "decide.hpp"
#include "initial_design.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"
#include "recommend.hpp"
#include "scene.hpp"
#include "spending.hpp"

namespace iqbo {

using namespace internal;

namespace {

// What the seed is used for.
enum Purpose : std::uint64_t { kInitialDesign = 1, kDecision, kRecommending, kPlainPoints };

constexpr double kQueryFloor = 1e-12;  // of the prior variance of f

Index row_of(const AskSpace& a, const Queries& query) {
  const auto* list = std::get_if<QuerySet>(&a);
  return list == nullptr ? -1 : list->find(query.row(0)).value_or(-1);
}

}  // namespace

class Policy::State {
 public:
  State(Setting setting, PolicyOptions options, std::uint64_t seed)
      : options_(std::move(options)),
        seed_(seed),
        model_((require_consistent(setting), std::move(setting)), options_, seed),
        spending_(model_.setting(), options_) {
    if (options_.samples < 1) refuse("samples", std::to_string(options_.samples), "at least 1");
    if (options_.recommend_paths < 0) refuse("recommend_paths", std::to_string(options_.recommend_paths), "at least 0");
    if (options_.fit.noise == FitOptions::Noise::kKnown && !this->setting().noise_var)
      refuse("noise_var", "none", "a number, as fit.noise is kKnown");
    if (options_.initial < 0) refuse("initial", std::to_string(options_.initial), "at least 0");
    if (options_.kind == PolicyKind::kMfmes && !this->setting().finest && tree() == nullptr)
      refuse("finest", "none", "a map from a query to its finest partner, for mfmes");
    if ((options_.kind == PolicyKind::kCustom) != options_.custom.has_value())
      refuse("custom", options_.custom ? "given for policy " + to_string(options_.kind) : "none",
             options_.custom ? "none" : "a score, as the policy is custom");
    const Index given = tree() != nullptr ? 0 : 2;
    const Index usual = this->setting().kernel != nullptr ? given : dimension(this->setting().x) + 3;
    initial_ =
        initial_design(this->setting().a, options_.initial > 0 ? options_.initial : usual, Rng(seed, {kInitialDesign}));
    if (!is_plain(options_.kind)) return;
    Rng rng(seed, {kPlainPoints});
    plain_.emplace(plain_setting(this->setting(), rng), options_, seed);
  }

  const Setting& setting() const { return model_.setting(); }

  // `survey`: where the scores go, if they are wanted.
  Suggestion suggest(Index count, const Queries& pending, Queries avoid, Survey* survey = nullptr) {
    if (count < 1) refuse("count", std::to_string(count), "at least 1");
    if (options_.custom && !options_.custom->score)
      refuse("policy", missing_score(),
             "to be asked where it was written: in Python, Study(location, acquisition=" + options_.custom->name + ")");
    if (!pending.empty()) require_columns(pending.dimension(), dimension(setting().a), "pending");
    if (!avoid.empty()) require_columns(avoid.dimension(), dimension(setting().a), "avoid");
    Suggestion out;
    out.used = options_.kind;
    for (Index j = 0; j < count; ++j) {
      stop_point();
      auto chosen = next(pending, avoid, out, survey);
      if (!chosen && !avoid.empty()) {
        avoid = {};
        out.why.pop_back();  // something is left, after all
        chosen = next(pending, avoid, out, survey);
        if (chosen) out.why.emplace_back("nothing else is left: what was to be avoided may be asked");
      }
      if (!chosen) break;
      out.queries = out.queries.joined(chosen->query);
      out.reasons.push_back({out.used, out.why});
      if (tree() != nullptr)
        out.nodes.push_back(*tree()->find(chosen->query.row(0)));
      else if (chosen->row >= 0)
        out.rows.push_back(chosen->row);
      out.scores.conservativeResize(j + 1);
      out.scores[j] = chosen->score;
    }
    const Purse after = spending_.purse(answers_, pending.joined(out.queries));
    out.left = after ? after->left() : std::numeric_limits<double>::infinity();
    return out;
  }

  std::vector<Index> fit_sizes() const { return iqbo::fit_sizes(answers_); }

  std::string missing_score() const {
    return in_quotes("custom:" + options_.custom->name) + " is a score that this program does not have";
  }

  Survey survey(const Queries& shown, const Queries& pending, const Queries& avoid) {
    Survey out{};
    if (options_.custom && !options_.custom->score) {  // it can be shown without what it would ask
      out.next.used = options_.kind;
      out.next.why = {missing_score() + ": what it would ask next is not shown"};
      return out;
    }
    out.queries = shown;
    out.next = suggest(1, pending, avoid, &out);
    if (out.scores.size() == 0) out.queries = {};
    if (out.open.empty()) out.open.assign(static_cast<std::size_t>(out.queries.size()), true);
    return out;
  }

  std::vector<OpenedNode> opened(const Queries& pending) {
    std::vector<OpenedNode> out;
    if (tree() == nullptr) return out;
    const Frontier frontier = ahead(current(model_), pending);
    for (Index i = 0; i < frontier.size(); ++i)
      out.push_back({frontier.opened()[static_cast<std::size_t>(i)], frontier.is_candidate(i)});
    return out;
  }

  Recommendation recommend() {
    Rng rng(seed_, {kRecommending, answers_.size()});
    return iqbo::recommend(current(model_), options_.recommend_paths, rng);
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

  void remember(const Hyperparameters& values) { model_.remember(values); }
  void remember_plain(const Hyperparameters& values) {
    if (plain_) plain_->remember(values);
  }
  std::optional<Hyperparameters> plain_hyperparameters() {
    return plain_ ? current_plain().hyperparameters() : std::nullopt;
  }
  Model& model() { return current(model_); }
  const Answers& answers() const { return answers_; }

  template <class Space>
  void observe(const Points<Space>& at, const Vector& z, const AnswerNoise& noise) {
    require_not_empty(at.size(), Space::kName);
    require_rows(z.size(), at.size(), "z");
    require_finite(z, "z");
    if (noise.var) require_non_negative(Vector(Vector::Constant(1, *noise.var)), "noise.var");
    require_positive(noise.replicates, "noise.replicates");
    Answers more;  // all or none: the noise of a node may be a function that throws
    for (Index i = 0; i < at.size(); ++i) {
      std::optional<double> var = noise.var;
      if (const auto usual = noise_var(at.slice(i, 1)); !var && usual) var = *usual / noise.replicates;
      more.push_back({at.slice(i, 1), z[i], var, 1.0 / noise.replicates});
    }
    answers_.insert(answers_.end(), more.begin(), more.end());
  }

 private:
  const QueryTree* tree() const { return std::get_if<QueryTree>(&setting().a); }

  std::optional<double> noise_var(const Inputs& /*x*/) const { return std::nullopt; }
  std::optional<double> noise_var(const Queries& a) const {
    const auto node = tree() == nullptr ? std::nullopt : tree()->find(a.row(0));
    return node ? tree()->noise_var(*node) : std::nullopt;
  }

  // --- what may be asked ---

  // Once `pending` have been selected too.
  Frontier ahead(Model& model, const Queries& pending) const {
    Frontier out = model.frontier();
    for (Index i = 0; i < pending.size(); ++i)
      if (const auto node = tree()->find(pending.row(i))) out.select(*node);
    return out;
  }

  // The nodes of the tree that are open then.
  Candidates open_nodes(Model& model, const Queries& pending, const Purse& purse) const {
    const Frontier frontier = ahead(model, pending);
    Candidates out{tree()->queries(frontier.opened()), {}, Vector(frontier.size()), Vector(frontier.size())};
    for (Index i = 0; i < frontier.size(); ++i) {
      const Node& node = frontier.opened()[static_cast<std::size_t>(i)];
      out.cost[i] = tree()->cost(node);
      out.noise_var[i] = tree()->noise_var(node).value_or(model.noise_var());
      out.allowed.push_back(frontier.is_candidate(i) && affords(purse, out.cost[i]));
    }
    return out;
  }

  Candidates candidates(Model& model, const Queries& pending, const Purse& purse) const {
    if (tree() != nullptr) return open_nodes(model, pending, purse);
    const auto* list = std::get_if<QuerySet>(&setting().a);
    if (list == nullptr) return spending_.payable(purse);
    Candidates out{list->points(), allowed(pending), cost_of(setting(), list->points()), {}};
    if (!purse) return out;
    const Vector price = spending_.cost(list->points());
    if (out.allowed.empty()) out.allowed.assign(static_cast<std::size_t>(list->size()), true);
    for (Index i = 0; i < list->size(); ++i)
      if (!affords(purse, price[i])) out.allowed[static_cast<std::size_t>(i)] = false;
    return out;
  }

  std::string nothing_left(const Purse& purse, bool unaffordable) const {
    if (unaffordable)
      return "nothing affordable is left: " + readable(std::max(purse->left(), 0.0)) + " of the budget of " +
             readable(purse->total());
    if (tree() == nullptr) return "every query has been asked, or is out, and none may be repeated";
    return "nothing is left to ask: every node of the tree has been asked or passed over";
  }

  // What has been asked so far, pending ones included.
  Index asked(const Queries& pending) const { return asked_in(answers_) + pending.size(); }

  bool is_asked(const Queries& query, const Queries& pending) const {
    for (Index i = 0; i < pending.size(); ++i)
      if (pending.row(i) == query.row(0)) return true;
    return std::any_of(answers_.begin(), answers_.end(), [&](const Datum& answer) {
      const auto* a = std::get_if<Queries>(&answer.at);
      return a != nullptr && a->row(0) == query.row(0);
    });
  }

  // Rows of a list that may be asked; empty: all of them.
  std::vector<bool> allowed(const Queries& pending) const {
    const auto* list = std::get_if<QuerySet>(&setting().a);
    if (list == nullptr || options_.repeats) return {};
    std::vector<bool> out(static_cast<std::size_t>(list->size()), true);
    const auto strike = [&](const Queries& a) {
      for (Index i = 0; i < a.size(); ++i)
        if (const auto row = list->find(a.row(i))) out[static_cast<std::size_t>(*row)] = false;
    };
    strike(pending);
    for (const auto& answer : answers_)
      if (const auto* a = std::get_if<Queries>(&answer.at)) strike(*a);
    return out;
  }

  // After those in `said`, which are out too by then.
  std::optional<Chosen> next(const Queries& paid, const Queries& avoid, Suggestion& said, Survey* survey) {
    const Purse budget = spending_.purse(answers_, paid.joined(said.queries));
    const Queries pending = paid.joined(avoid).joined(said.queries);
    if (asked(pending) < initial_.size())
      for (Index i = 0; i < initial_.size(); ++i) {
        const Queries query = initial_.slice(i, 1);
        if (is_asked(query, pending)) continue;
        if (!affords(budget, spending_.cost(query)[0])) break;
        said.used = options_.kind;
        said.why = {"initial design: query " + std::to_string(i + 1) + " of " + std::to_string(initial_.size())};
        return Chosen{query, row_of(setting().a, query), 0.0};
      }
    Model& model = plain_ ? current_plain() : current(model_);
    Candidates open = candidates(model, pending, budget);
    if (!open.allowed.empty() && std::none_of(open.allowed.begin(), open.allowed.end(), std::identity())) {
      const auto at_any_price = candidates(model, pending, std::nullopt).allowed;  // empty: all
      const bool unaffordable =
          at_any_price.empty() || std::any_of(at_any_price.begin(), at_any_price.end(), std::identity());
      said.why.push_back(nothing_left(budget, unaffordable));
      return std::nullopt;
    }
    PolicyKind kind = options_.kind;
    std::vector<std::string> why;
    if (kind == PolicyKind::kAuto) {
      const AutoChoice choice = auto_choice(model, answers_);
      kind = choice.kind;
      why.push_back(choice.why);
    } else {
      why.push_back("policy " + to_string(kind) + (options_.custom ? ":" + options_.custom->name : ""));
    }
    const std::vector<bool> may_be_asked = open.allowed;
    const auto scene = make_scene(model, answers_, std::move(open));
    if (!pending.empty()) scene->fantasise(pending);
    if (survey != nullptr) scene->look_at(survey->queries);
    Rng rng(seed_, {kDecision, answers_.size(), static_cast<std::uint64_t>(pending.size())});
    Chosen chosen = decide(kind, options_, *scene, kQueryFloor * model.amplitude_var(), rng);
    why.insert(why.end(), scene->notes().begin(), scene->notes().end());
    said.used = kind;
    said.why = std::move(why);
    if (survey != nullptr) {
      const Scene::Scores& all = scene->scores();
      *survey = {{}, all.at, all.score, {}, all.logarithmic};
      if (static_cast<Index>(may_be_asked.size()) == all.score.size()) survey->open = may_be_asked;
    }
    return chosen;
  }

  PolicyOptions options_;
  std::uint64_t seed_;
  Answers answers_;
  Model model_;  // recommends, and chooses unless the policy is a plain one
  Spending spending_;
  std::optional<Model> plain_;  // the plain GP on (a, z)
  Queries initial_;
};

Policy::Policy(Setting setting, PolicyOptions options, std::uint64_t seed)
    : state_(std::make_unique<State>(std::move(setting), std::move(options), seed)) {}
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

void Policy::observe(const Queries& a, const Vector& z, const AnswerNoise& noise) {
  require_columns(a.dimension(), dimension(state_->setting().a), QuerySpace::kName);
  state_->setting().conditional->laws(a);  // refuses here what it would refuse ever after
  state_->observe(a, z, noise);
}

void Policy::observe(const Inputs& x, const Vector& z, const AnswerNoise& noise) {
  require_columns(x.dimension(), dimension(state_->setting().x), InputSpace::kName);
  state_->observe(x, z, noise);
}

Suggestion Policy::suggest(Index count, const Queries& pending, const Queries& avoid) {
  return state_->suggest(count, pending, avoid);
}
Recommendation Policy::recommend() { return state_->recommend(); }
std::vector<Index> Policy::fit_sizes() const { return state_->fit_sizes(); }

Survey Policy::survey(const Queries& shown, const Queries& pending, const Queries& avoid) {
  return state_->survey(shown, pending, avoid);
}
std::vector<OpenedNode> Policy::opened(const Queries& pending) { return state_->opened(pending); }
Marginals Policy::forecasts(Index begin) {
  if (begin < 0 || begin > size()) refuse("begin", std::to_string(begin), "0 to " + std::to_string(size()));
  return state_->model().forecasts(static_cast<std::size_t>(begin));
}
const Posterior& Policy::posterior() { return state_->model().posterior(); }
const Posterior& Policy::prior() { return state_->model().prior(); }
const Fit* Policy::fit() { return state_->model().fit(); }
void Policy::remember(const Hyperparameters& values) { state_->remember(values); }
void Policy::remember_plain(const Hyperparameters& values) { state_->remember_plain(values); }
std::optional<Hyperparameters> Policy::plain_hyperparameters() { return state_->plain_hyperparameters(); }
const std::optional<Hyperparameters>& Policy::hyperparameters() { return state_->model().hyperparameters(); }
const FiniteBelief* Policy::finite() {
  Model& model = state_->model();
  return model.is_finite() ? &model.finite() : nullptr;
}
Index Policy::size() const { return static_cast<Index>(state_->answers().size()); }

}  // namespace iqbo
