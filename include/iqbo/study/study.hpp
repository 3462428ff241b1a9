// A campaign that survives crashes: ask what to measure, tell the answer, stop and continue at any time and place.
//
//   Study study = Study::create("study.db", read_bundle("study.json"));
//   const AskResult asked = study.ask();
//   for (const Trial& trial : asked.trials) study.tell(trial.number, {measure(trial.query)});
//   study.best().x;
//
// What ask() chooses depends only on the spec, its seed and the log of events (storage/storage.hpp): whoever opens the
// study, after any crash, gets the same query, bit for bit. The log is folded (src/study/ledger.hpp). Told trials and
// imports are observations in the order of their events. A pending query is treated as if it had returned its predicted
// mean; a failed one likewise, for a while (1, 3, 7, ... answers after its first, second, third, ... failure, or until
// nothing else is left), so that a campaign does not insist on it. An amended answer and newly logged pairs change the
// past: then everything is fitted anew. Otherwise the trials hold the fits that they used, and the log the learned
// p(x given a). recommend, predict and snapshot never write: a fit that is due is made, and made again by the next ask.
//
// Values are in the user's units and signs throughout; so are queries, in the order of coordinate_names().
//
// Not for concurrent calls: each process and each thread opens its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/core/matrix.hpp"
#include "iqbo/policy/custom_score.hpp"
#include "iqbo/policy/policy.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/history.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/storage/storage.hpp"

namespace iqbo {

struct StudyOptions {
  std::string worker = "worker";  // who asks: a worker gets its own unfinished trials back at once
  double lease_seconds = 300;     // a trial without a heartbeat for this long goes to another worker
  StorageOptions storage = {};
  std::optional<CustomScore> score = {};  // implements the spec's policy "custom:<name>"; without it ask() refuses
};

struct AskOptions {
  Index count = 1;
  std::vector<std::int64_t> holding = {};  // own trials that are being measured: not to be handed out again
  std::optional<std::int64_t> most = {};   // limit of trials told or pending, over all workers
  bool beyond = false;                     // also after the spec's stop rule is met
};

struct AskResult {
  std::vector<Trial> trials;     // fewer than asked for, or none, if there is nothing more to ask: `why` says so
  std::vector<std::string> why;  // why the last query was chosen
  bool stopped = false;          // the spec's stop rule is met: nothing new was chosen, and `why` says by how much
};

struct Prediction {
  Vector mean;
  Vector sd;         // of f or g, without the noise of an answer
  Vector low, high;  // 95 % interval
};

// Who gives up a trial: the worker that holds it, or a person, who may give up any trial.
enum class FailedBy { kWorker, kPerson };

namespace internal {
class StudySetup;
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

  // Returns kStored or kRepeated; an answer that contradicts the log throws std::invalid_argument that says what to do.
  // Where answers are counts, `count` is told and the value follows; the exposure may be left out if the spec gives it.
  Settled tell(std::int64_t trial, const Answer& told);
  // The answer of a listed query, by its name, whether or not it was asked: of a pending trial if there is one, else it becomes a
  // trial of its own. Telling it again makes another trial.
  Settled tell_query(const std::string& name, const Answer& told);
  Settled amend(std::int64_t trial, const Answer& told);
  Settled fail(std::int64_t trial, const std::string& reason, FailedBy by = FailedBy::kWorker);
  bool heartbeat(std::int64_t trial);  // false: this worker no longer holds it

  // Tables as load_observations(), load_values(), load_pairs() read them; returns the number of rows. All or none: a
  // row that is refused (outside X or A, off the list or the tree, an implausible number) is named, with its column.
  std::size_t import_observations(const CsvTable& table, const std::string& source);
  std::size_t import_values(const CsvTable& table, const std::string& source);
  std::size_t import_pairs(const CsvTable& table, const std::string& source);

  RecommendationRecord best();
  Prediction predict_f(const Rows& x);
  Vector mean_f(const Rows& x);  // of predict_f(); in less time where rare spots are searched for
  Prediction predict_g(const Rows& a);

  // Where answers are counts: the next count at each query among these exposures; without any, among those of the spec, or the
  // median of those told.
  CountForecast predict_counts(const Rows& a, const Vector& exposure = {});

  // What joint draws say about these inputs or queries (policy/chances.hpp), in the units of the spec; `best` are the largest or
  // the smallest, as the goal is.
  Chances chances_f(const Rows& x, const ChanceOptions& options = {});
  Chances chances_g(const Rows& a, const ChanceOptions& options = {});
  Stopping stopping();  // by the rule of the spec

  // The rectangle of X that a query averages over evenly; none if it is no such query.
  std::optional<TileRecord> tile(const std::vector<double>& query);
  StudyStatus status();
  std::optional<Hyperparameters> fit();  // in use
  Link link();                           // in use: f = h(eta)
  bool noise_is_told();                  // with every answer, or by the spec for its query: then none was fitted
  std::string learned();                 // summary of the learned p(x given a); "" if it is not learned
  PairTable pairs();                     // logged after those of the spec
  const internal::StudySetup& setup();   // the spec as objects; valid until the next call on the study

  // Probable mistakes in the log: one import made twice, answers that differ although there is no noise. The notes of
  // best() and snapshot() contain them too.
  std::vector<std::string> warnings();

  // Which rare spots the budget could find, in one sentence; "" where these are not searched for, or there is no budget.
  std::string foreseen_spots();

  // What is believed now; with `scores` also the scores of queries, which cost as much as an ask.
  Snapshot snapshot(bool scores = true);

  // The whole past, with the fits that trials used: nothing is fitted again, and writers are not disturbed. Results are
  // kept, so that another call after one more answer is cheap.
  History history();

  const SpecData& data() const;   // the spec and its tables, read at the first call
  const SpecData& names() const;  // the spec, and the names of its queries (load_names): available without the tables
  const Storage& storage() const;

 private:
  std::vector<double> queried(std::int64_t trial) const;
  Answer completed(Answer answer, const std::vector<double>& query, const std::string& where);

  class State;
  explicit Study(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace iqbo
