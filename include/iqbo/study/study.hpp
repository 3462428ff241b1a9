// A campaign that survives: ask what to measure, tell what came out, stop and go on whenever and wherever.
//
//   Study study = Study::create("study.db", read_bundle("study.json"));
//   const AskResult asked = study.ask();
//   for (const Trial& trial : asked.trials) study.tell(trial.number, {measure(trial.query)});
//   study.recommend().x;
//
// What ask() chooses depends on the spec, its seed and the log of events (storage/storage.hpp) and on nothing else: whoever
// opens the study, after whatever crash, gets the same answer, bit for bit. The log is folded (src/study/ledger.hpp): told
// trials and imports are answers in the order of their events; trials that are out count as answered by what is expected of
// them; so does a query that failed, for a while (1, 3, 7, ... answers after its first, second, third, ... failure, or until
// nothing else is left), so that a campaign does not insist on it. An amended answer and newly logged pairs change the past:
// then everything is fitted anew. Otherwise fits are taken from the trials that used them, and a learned p(x given a) from the
// log. Looking (recommend, predict, snapshot) never writes: where a fit is due it is made, and made again by whoever asks next.
//
// Values are in the user's units and signs throughout; so are queries, in the order of coordinate_names().
//
// Not for concurrent calls; processes, and threads, open their own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/core/matrix.hpp"
#include "iqbo/policy/custom_score.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/history.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/storage/storage.hpp"

namespace iqbo {

struct StudyOptions {
  std::string worker = "worker";  // who asks: an unfinished trial is given back to its own worker at once
  double lease_seconds = 300;     // without a heartbeat for so long, a trial is handed to another
  StorageOptions storage = {};
  std::optional<CustomScore> score = {};  // what the spec's policy "custom:<name>" means; without it ask() refuses
};

struct AskOptions {
  Index count = 1;
  std::vector<std::int64_t> holding = {};  // own trials that are being worked on: not to be given back
  std::optional<std::int64_t> most = {};   // trials told or out, all workers together
};

struct AskResult {
  std::vector<Trial> trials;     // fewer than asked for, or none, if there is nothing more to ask: `why` says so
  std::vector<std::string> why;  // of the last choice
};

struct Prediction {
  Vector mean;
  Vector sd;  // of f or g, without the noise of an answer
};

// Who gives a trial up: the worker that holds it, or a person, who may give up anyone's.
enum class FailedBy { kWorker, kPerson };

namespace internal {
class StudyModel;
}

class Study {
 public:
  // Values, noise sds and coordinates beyond this are refused: squares of what is computed from them must stay finite.
  static constexpr double kLargest = kLargestNumber;
  static constexpr std::int64_t kMostReplicates = 2147483647;

  // Refuses a spec from which no policy can be made, before anything is written.
  static Study create(const std::string& location, const SpecBundle& bundle, const StudyOptions& options = {});
  // Reads the spec, but neither its tables nor the log: telling needs none of them.
  static Study open(const std::string& location, Access access = Access::kReadWrite, const StudyOptions& options = {});

  Study(Study&&) noexcept;
  Study& operator=(Study&&) noexcept;
  ~Study();

  // First own unfinished trials, then those whose lease has run out, then new ones.
  AskResult ask(const AskOptions& options = {});

  // kStored or kRepeated; what contradicts the log throws std::invalid_argument that says what to do.
  Settled tell(std::int64_t trial, const Answer& answer);
  Settled amend(std::int64_t trial, const Answer& answer);
  Settled fail(std::int64_t trial, const std::string& reason, FailedBy by = FailedBy::kWorker);
  bool heartbeat(std::int64_t trial);  // false: it is no longer this worker's

  // Tables as load_observations(), load_values(), load_pairs() read them; how many rows were taken. All or none: a row that
  // is refused (outside X or A, off the list or the tree, a number that cannot be meant) is named, with its column.
  std::size_t import_observations(const CsvTable& table, const std::string& source);
  std::size_t import_values(const CsvTable& table, const std::string& source);
  std::size_t import_pairs(const CsvTable& table, const std::string& source);

  RecommendationRecord recommend();
  Prediction predict_f(const Rows& x);
  Prediction predict_g(const Rows& a);
  StudyStatus status();
  std::optional<Hyperparameters> fit();  // in use
  std::string learned();                 // what the learned p(x given a) is worth; "" if it is not learned
  PairTable pairs();                     // logged after those of the spec
  const internal::StudyModel& model();   // the spec as objects; until the study is used again

  // What in the log is probably a mistake: one import made twice, answers that differ although there is no noise. The notes
  // of recommend() and snapshot() say so too.
  std::vector<std::string> warnings();

  // What is believed now; with `scores` also what the next query is worth, which costs as much as an ask.
  Snapshot snapshot(bool scores = true);

  // The whole past, with the fits that trials used: nothing is fitted again, and nobody who writes is disturbed. What was
  // looked at once is kept, so that looking again after another answer is cheap.
  History history();

  const SpecData& data() const;   // the spec and its tables, read when first asked for
  const SpecData& names() const;  // the spec, and what its queries are called (load_names): at hand without the tables
  const Storage& storage() const;

 private:
  class State;
  explicit Study(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace iqbo
