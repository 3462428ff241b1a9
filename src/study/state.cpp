#include "state.hpp"

#include <algorithm>

#include "iqbo/core/check.hpp"
#include "iqbo/model/snapshot_of.hpp"
#include "observe.hpp"
#include "rows.hpp"

namespace iqbo {

void Study::State::read() {
  for (const Event& event : storage_.events(ledger_.seq())) {
    ledger_.add(event);
    timeline_.add(event, ledger_);
  }
}

Policy& Study::State::policy() {
  if (!policy_ || epoch_ != ledger_.epoch()) begin();
  for (const auto& [observations, record] : ledger_.fits())
    if (observations > remembered_) {
      policy_->remember(hyperparameters_of(*model_, record));
      remembered_ = observations;
    }
  for (const auto& [observations, record] : ledger_.plain_fits())
    if (observations > remembered_plain_) {
      policy_->remember_plain(plain_hyperparameters_of(*model_, record));
      remembered_plain_ = observations;
    }
  for (; observed_ < ledger_.answers().size(); ++observed_) observe(*model_, ledger_.answers()[observed_], *policy_);
  return *policy_;
}

void Study::State::begin() {
  const bool learns = !model_ || pairs_ != ledger_.pair_x().size();
  past_.reset();
  if (learns) model_.emplace(data_, pairs(), options_.score, ledger_.learned());
  pairs_ = ledger_.pair_x().size();
  policy_.emplace(model_->policy());
  epoch_ = ledger_.epoch();
  observed_ = 0;
  remembered_ = 0;
  remembered_plain_ = 0;
}

PairTable Study::State::pairs() const { return {rows_of(ledger_.pair_x()), rows_of(ledger_.pair_a())}; }

std::optional<LearnedRecord> Study::State::learned_with(const PairTable& fresh, const CsvTable& table) {
  PairTable all = pairs();
  const Index before = data_.pairs.x.rows() + all.x.rows();
  all = all.x.rows() == 0 ? fresh : PairTable{stacked(all.x, fresh.x), stacked(all.a, fresh.a)};
  if (const auto fault = model().fault(all)) {
    if (fault->row < before)
      refuse(table.name, "with it, pair " + std::to_string(fault->row + 1) + " of those before " + fault->found,
             fault->expected);
    const auto names =
        fault->in_x ? coordinate_names(data_.spec.target) : coordinate_names(data_.spec.query, data_.spec.target);
    const std::string& name = names.at(static_cast<std::size_t>(fault->column));
    const std::string prefixed = (fault->in_x ? "x." : "a.") + name;
    table.refuse_cell(static_cast<std::size_t>(fault->row - before),
                      table.position(table.has(prefixed) ? prefixed : name), fault->found, fault->expected);
  }
  const StudyModel with(data_, all, options_.score);
  Policy would_be = with.policy();
  for (const Ledger::Answer& answer : ledger_.answers()) observe(with, answer, would_be);
  return with.learned();
}

const StudyModel& Study::State::model() {
  policy();
  return *model_;
}

std::optional<FitRecord> Study::State::fit() {
  const auto& values = policy().hyperparameters();
  const auto known = values ? ledger_.fits().find(values->observations) : ledger_.fits().end();
  return fit_record(*model_, *policy_, known == ledger_.fits().end() ? nullptr : &known->second);
}

std::vector<Trial> Study::State::drafts(const Suggestion& said) {
  std::vector<Trial> out;
  const auto fitted = fit();
  const auto plain = plain_fit_record(*model_, *policy_);
  for (Index i = 0; i < said.queries.size(); ++i) {
    const Queries one = said.queries.slice(i, 1);
    Trial trial;
    trial.query = lists_of(model_->user_query(one))[0];
    trial.name = model_->query_name(one);
    if (const auto level = model_->level(one)) trial.level = *level;
    trial.cost = model_->cost(one);
    const Reason& reason = said.reasons[static_cast<std::size_t>(i)];
    trial.policy = reason.used == PolicyKind::kCustom ? data_.spec.policy.name : to_string(reason.used);
    trial.why = reason.why;
    trial.score = said.scores[i];
    trial.fit = fitted;
    trial.plain_fit = plain;
    out.push_back(std::move(trial));
  }
  return out;
}

Queries Study::State::queries_of(const std::vector<std::vector<double>>& points) {
  return points.empty() ? Queries() : model().policy_query(rows_of(points));
}

Queries Study::State::pending() { return queries_of(ledger_.pending()); }
Queries Study::State::left_aside() { return queries_of(ledger_.left_aside()); }

RecommendationRecord Study::State::recommend() {
  RecommendationRecord out = recommendation_record(model(), policy().recommend());
  for (std::string& each : warnings()) out.notes.push_back(std::move(each));
  return out;
}

Snapshot Study::State::snapshot(bool scores) {
  std::vector<std::vector<double>> asked;
  for (const auto& answer : ledger_.answers())
    if (!answer.is_value) asked.push_back(answer.point);
  SnapshotOptions options;
  options.asked = queries_of(asked);
  options.pending = pending();
  options.avoid = left_aside();
  options.scores = scores;
  Snapshot out = snapshot_of(model(), policy(), options);
  out.seq = ledger_.seq();
  out.fit = fit();
  if (out.best)
    for (std::string& each : warnings()) out.best->notes.push_back(std::move(each));
  return out;
}

}  // namespace iqbo
