// What an open study keeps: its storage, what has been read of it, and the policy that was told this.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/posterior/contradiction.hpp"
#include "iqbo/study/study.hpp"
#include "ledger.hpp"
#include "past.hpp"
#include "setup/snapshot_of.hpp"
#include "timeline.hpp"

namespace iqbo {

class Study::State {
 public:
  // An opened study: its tables are read when they are needed, which is never if it only tells.
  State(Storage storage, StudyOptions options)
      : storage_(std::move(storage)),
        options_(std::move(options)),
        names_(load_names(storage_.bundle(), internal::policy_names(), SpecAge::kStored)) {}
  // A study that was just created.
  State(Storage storage, StudyOptions options, std::shared_ptr<const SpecData> data, internal::StudySetup setup)
      : storage_(std::move(storage)), options_(std::move(options)), data_(std::move(data)), setup_(std::move(setup)) {}

  Storage& storage() { return storage_; }
  const SpecData& data() { return *shared_data(); }
  const SpecData& names() const { return data_ ? *data_ : names_; }
  const StudyOptions& options() const { return options_; }
  const Ledger& ledger() const { return ledger_; }

  void read();

  // The policy, told all observations of the ledger.
  Policy& policy();
  const internal::StudySetup& setup();
  std::optional<Hyperparameters> fit();

  std::vector<Trial> drafts(const Suggestion& said);
  RecommendationRecord best();
  Stopping stopping();
  bool noise_is_told();                 // src/study/history.cpp
  std::vector<std::string> warnings();  // src/study/warnings.cpp

  // Does what needs predictions. If the observations contradict each other, what is thrown names the trials, and what to
  // do about them.
  template <class Work>
  auto predicting(const Work& work) {
    try {
      return work();
    } catch (const Contradiction& error) {
      throw NumericalError(words_for(error.observed()));
    }
  }

  PairTable pairs() const;
  // Learns from all pairs so far and these. Refuses pairs from which nothing can be learned, by row and column.
  std::optional<LearnedRecord> learned_with(const PairTable& fresh, const CsvTable& table);

  // Refuses rows of a table with which the study could not be computed any more.
  void require_workable(const CsvTable& table, const std::vector<Observation>& fresh, bool values) const;

  Queries pending();
  Queries left_aside();

  Snapshot snapshot(const internal::ShownPoints& shown, bool scores);
  History history(const StudyStatus& status);  // src/study/history.cpp

 private:
  void begin();
  const std::shared_ptr<const SpecData>& shared_data() {
    if (!data_)
      data_ = std::make_shared<const SpecData>(load(storage_.bundle(), internal::policy_names(), SpecAge::kStored));
    return data_;
  }
  std::string words_for(const Contradiction::Observed& it);  // src/study/warnings.cpp
  Queries queries_of(const std::vector<std::vector<double>>& points);
  std::map<std::int64_t, Hyperparameters> fits_for_the_past();
  ChanceRecord chances_of(const internal::ShownPoints& shown);

  Storage storage_;
  StudyOptions options_;
  SpecData names_;  // unused once there is data_
  std::shared_ptr<const SpecData> data_;
  Ledger ledger_;
  Timeline timeline_;
  std::optional<internal::StudySetup> setup_;
  std::optional<Policy> policy_;
  std::optional<Past> past_;
  std::size_t observed_ = 0;
  std::size_t pairs_ = 0;
  std::int64_t remembered_ = 0;
  std::int64_t remembered_plain_ = 0;
  std::int64_t epoch_ = 0;
  double level_ = 0;  // answer_scale.hpp
};

}  // namespace iqbo
