#include "state.hpp"

#include <algorithm>

#include "answer_scale.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/errors.hpp"
#include "iqbo/core/lists.hpp"
#include "observe.hpp"
#include "policy/chances.hpp"
#include "setup/logged_pairs.hpp"
#include "setup/snapshot_of.hpp"

namespace iqbo {

using namespace internal;

void Study::State::read() {
  for (const Event& event : storage_.events(ledger_.seq())) {
    ledger_.add(event);
    timeline_.add(event, ledger_);
  }
}

Policy& Study::State::policy() {
  const double level = answer_level(ledger_.answers());
  if (!policy_ || epoch_ != ledger_.epoch() || level != level_) {
    level_ = level;
    begin();
  }
  const std::string wrong = setup_->is_fitted() ? unworkable_scale(ledger_.answers()) : "";
  if (!wrong.empty()) throw NumericalError(wrong + "; iqbo tell --amend replaces an answer");
  for (const auto& [observations, record] : ledger_.fits())
    if (observations > remembered_) {
      policy_->remember(setup_->policy_fit(record));
      remembered_ = observations;
    }
  for (const auto& [observations, record] : ledger_.plain_fits())
    if (observations > remembered_plain_) {
      policy_->remember_plain(setup_->policy_fit(record));
      remembered_plain_ = observations;
    }
  for (; observed_ < ledger_.answers().size(); ++observed_) observe(*setup_, ledger_.answers()[observed_], *policy_);
  return *policy_;
}

void Study::State::require_workable(const CsvTable& table, const std::vector<Observation>& fresh, bool values) const {
  if (!setup_->is_fitted()) return;
  std::vector<LoggedObservation> all = ledger_.answers();
  for (const Observation& each : fresh) all.push_back({values, each});
  if (const std::string wrong = unworkable_scale(all); !wrong.empty())
    throw std::invalid_argument(table.name + ": " + wrong);
}

void Study::State::begin() {
  const bool learns = !setup_ || pairs_ != ledger_.pair_x().size();
  past_.reset();
  if (learns) setup_.emplace(shared_data(), pairs(), options_.score, ledger_.learned());
  pairs_ = ledger_.pair_x().size();
  setup_->set_level(level_);
  policy_.emplace(setup_->policy());
  epoch_ = ledger_.epoch();
  observed_ = 0;
  remembered_ = 0;
  remembered_plain_ = 0;
}

PairTable Study::State::pairs() const { return {rows_of(ledger_.pair_x()), rows_of(ledger_.pair_a())}; }

std::optional<LearnedRecord> Study::State::learned_with(const PairTable& fresh, const CsvTable& table) {
  const PairTable before = pairs();
  const PairTable all{stacked(before.x, fresh.x), stacked(before.a, fresh.a)};
  require_learnable(data(), all, table);
  StudySetup with(shared_data(), all, options_.score);
  with.set_level(level_);
  Policy would_be = with.policy();
  for (const LoggedObservation& each : ledger_.answers()) observe(with, each, would_be);
  return with.learned();
}

const StudySetup& Study::State::setup() {
  policy();
  return *setup_;
}

std::optional<Hyperparameters> Study::State::fit() {
  const auto& found = policy().hyperparameters();
  return found ? std::optional(setup_->user_fit(*found)) : std::nullopt;
}

std::vector<Trial> Study::State::drafts(const Suggestion& said) {
  std::vector<Trial> out;
  const auto fitted = fit();
  auto plain = policy_->plain_hyperparameters();
  if (plain) plain = setup_->user_fit(*plain);
  for (Index i = 0; i < said.queries.size(); ++i) {
    const Queries one = said.queries.slice(i, 1);
    Trial trial;
    trial.query = lists_of(setup_->user_query(one))[0];
    trial.name = setup_->query_name(one);
    if (const auto level = setup_->level(one)) trial.level = *level;
    trial.cost = setup_->cost(one);
    const Reason& reason = said.reasons[static_cast<std::size_t>(i)];
    trial.policy = reason.used == PolicyKind::kCustom ? setup_->spec().policy.name : to_string(reason.used);
    trial.why = reason.why;
    trial.score = said.scores[i];
    trial.fit = fitted;
    trial.plain_fit = plain;
    out.push_back(std::move(trial));
  }
  return out;
}

Queries Study::State::queries_of(const std::vector<std::vector<double>>& points) {
  return points.empty() ? Queries() : setup().policy_query(rows_of(points));
}

Queries Study::State::pending() { return queries_of(ledger_.pending()); }
Queries Study::State::left_aside() { return queries_of(ledger_.left_aside()); }

RecommendationRecord Study::State::best() {
  RecommendationRecord out = recommendation_record(setup(), policy().best());
  if (ledger_.answers().empty()) out.notes.emplace_back("nothing has been told yet: these are the prior assumptions");
  for (std::string& each : warnings()) out.notes.push_back(std::move(each));
  return out;
}

Stopping Study::State::stopping() {
  Stopping out = policy().stopping();
  out.regret = setup().user_difference(out.regret);
  out.regret_error = setup().user_difference(out.regret_error);
  out.bound = setup().user_difference(out.bound);
  out.tolerance = setup().user_difference(out.tolerance);
  if (!out.reached) return out;
  const StopSpec& rule = *setup().spec().stop;  // in the user's units, so that the words are, too
  judge({rule.regret, rule.probability}, setup().options().policy == PolicyKind::kLevelSet, out);
  return out;
}

Snapshot Study::State::snapshot(const ShownPoints& shown, bool scores) {
  std::vector<std::vector<double>> asked;
  for (const LoggedObservation& each : ledger_.answers())
    if (!each.is_value) asked.push_back(each.observation.point);
  SnapshotOptions options;
  options.asked = queries_of(asked);
  options.pending = pending();
  options.avoid = left_aside();
  options.scores = scores;
  Snapshot out = snapshot_of(setup(), policy(), shown, options);
  out.seq = ledger_.seq();
  if (out.best)
    for (std::string& each : warnings()) out.best->notes.push_back(std::move(each));
  return out;
}

}  // namespace iqbo
