// The state of a study: a fold over its events.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "iqbo/record/event.hpp"

namespace iqbo {

class Ledger {
 public:
  void add(const Event& event);

  std::int64_t seq() const { return seq_; }      // the last event
  std::int64_t epoch() const { return epoch_; }  // the last event that changed earlier observations or pairs
  const std::vector<LoggedObservation>& answers() const { return answers_; }
  const std::vector<Trial>& trials() const { return trials_; }  // without leases
  const std::vector<std::vector<double>>& pair_x() const { return pair_x_; }
  const std::vector<std::vector<double>>& pair_a() const { return pair_a_; }

  // Imports of the same rows from the same source: pairs of events, the earlier one first.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& repeated_imports() const { return repeated_imports_; }
  const std::string& source(std::int64_t import) const { return source_.at(import); }

  // Queries that are treated as if they had returned their predicted mean: pending ones, and for a while failed ones.
  std::vector<std::vector<double>> pending() const;
  std::vector<std::vector<double>> left_aside() const;

  // The fits that trials of this epoch used, by number of observations.
  const std::map<std::int64_t, Hyperparameters>& fits() const { return fits_; }
  const std::map<std::int64_t, Hyperparameters>& plain_fits() const { return plain_fits_; }

  const std::vector<LearnedRecord>& learned() const { return learned_; }  // p(x given a), from fewer or more pairs

 private:
  struct Failure {
    std::vector<double> query;
    std::int64_t times = 0;
    std::size_t answers = 0;  // how many there were at the last failure
  };

  void handle(const Asked& event);
  void handle(const Taken& event);
  void handle(const Told& event);
  void handle(const Amended& event);
  void handle(const Failed& event);
  void handle(const ImportedObservations& event);
  void handle(const ImportedValues& event);
  void handle(const ImportedPairs& event);
  void handle(const Refit& event);
  void compare_import(const Event& event);
  void begin_epoch();
  void add_answer(const Trial& told);
  Trial& at(std::int64_t trial) { return trials_.at(static_cast<std::size_t>(trial)); }

  std::int64_t seq_ = 0;
  std::int64_t epoch_ = 0;
  std::vector<Trial> trials_;
  std::vector<LoggedObservation> answers_;
  std::vector<std::vector<double>> pair_x_;
  std::vector<std::vector<double>> pair_a_;
  std::vector<Failure> failures_;
  std::vector<Event> imports_;
  std::map<std::int64_t, std::string> source_;
  std::vector<std::pair<std::int64_t, std::int64_t>> repeated_imports_;
  std::map<std::int64_t, Hyperparameters> fits_;
  std::map<std::int64_t, Hyperparameters> plain_fits_;
  std::vector<LearnedRecord> learned_;
};

}  // namespace iqbo
