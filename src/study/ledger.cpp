#include "ledger.hpp"

#include <algorithm>

#include "record/trial_events.hpp"

namespace iqbo {

using internal::apply;

void Ledger::add(const Event& event) {
  seq_ = event.seq;
  std::visit([&](const auto& body) { handle(body); }, event.body);
  std::visit(
      [&](const auto& body) {
        if constexpr (requires { body.source; }) {
          source_[event.seq] = body.source;
          compare_import(event);
        }
      },
      event.body);
}

void Ledger::compare_import(const Event& event) {
  const auto same = [&](const Event& before) { return before.body == event.body; };
  const auto found = std::find_if(imports_.begin(), imports_.end(), same);
  if (found == imports_.end())
    imports_.push_back(event);
  else
    repeated_imports_.emplace_back(found->seq, event.seq);
}

void Ledger::handle(const Asked& event) {
  trials_.push_back(event.trial);
  if (event.trial.seen >= epoch_) {
    if (const auto& fit = event.trial.fit) fits_[fit->observations] = *fit;
    if (const auto& fit = event.trial.plain_fit) plain_fits_[fit->observations] = *fit;
  }
  trials_.back().fit.reset();  // fits_ has it; thousands of copies would waste memory
  trials_.back().plain_fit.reset();
}

void Ledger::handle(const Taken& event) { apply(event, at(event.trial)); }

void Ledger::add_answer(const Trial& one) {
  answers_.push_back({false, {one.query, one.name, *one.answer}, one.number});
  std::erase_if(failures_, [&](const Failure& failure) { return failure.query == one.query; });
}

void Ledger::handle(const Told& event) {
  apply(event, at(event.trial));
  add_answer(at(event.trial));
}

// An amended failure is a new answer. An amended answer changes what all later choices were based on.
void Ledger::handle(const Amended& event) {
  const bool told = at(event.trial).state == TrialState::kTold;
  apply(event, at(event.trial));
  if (!told) return add_answer(at(event.trial));
  const auto found =
      std::find_if(answers_.begin(), answers_.end(), [&](const auto& logged) { return logged.trial == event.trial; });
  found->observation.answer = event.after;
  begin_epoch();
}

void Ledger::begin_epoch() {
  epoch_ = seq_;
  fits_.clear();
  plain_fits_.clear();
}

void Ledger::handle(const Failed& event) {
  Trial& one = at(event.trial);
  apply(event, one);
  auto found = std::find_if(failures_.begin(), failures_.end(),
                            [&](const Failure& failure) { return failure.query == one.query; });
  if (found == failures_.end()) found = failures_.insert(found, {one.query, 0, 0});
  ++found->times;
  found->answers = answers_.size();
}

void Ledger::handle(const ImportedObservations& event) {
  for (const Observation& each : event.observations) answers_.push_back({false, each});
}

void Ledger::handle(const ImportedValues& event) {
  for (const Observation& each : event.values) answers_.push_back({true, each});
}

void Ledger::handle(const ImportedPairs& event) {
  pair_x_.insert(pair_x_.end(), event.x.begin(), event.x.end());
  pair_a_.insert(pair_a_.end(), event.a.begin(), event.a.end());
  if (event.learned) learned_.push_back(*event.learned);
  begin_epoch();
}

void Ledger::handle(const Refit& event) {
  if (event.fit.observations > 0) fits_[event.fit.observations] = event.fit;
  if (event.learned) learned_.push_back(*event.learned);
}

std::vector<std::vector<double>> Ledger::pending() const {
  std::vector<std::vector<double>> out;
  for (const Trial& trial : trials_)
    if (trial.state == TrialState::kPending) out.push_back(trial.query);
  return out;
}

std::vector<std::vector<double>> Ledger::left_aside() const {
  constexpr std::int64_t kLongest = 20;  // longest pause: 2^20 - 1 answers
  std::vector<std::vector<double>> out;
  for (const Failure& failure : failures_) {
    const std::size_t pause = (std::size_t{1} << std::min(failure.times, kLongest)) - 1;
    if (answers_.size() < failure.answers + pause) out.push_back(failure.query);
  }
  return out;
}

}  // namespace iqbo
