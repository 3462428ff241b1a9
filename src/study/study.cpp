#include "iqbo/study/study.hpp"

#include <algorithm>
#include <cmath>

#include "answer_scale.hpp"
#include "core/activity.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/lists.hpp"
#include "record/mistakes.hpp"
#include "setup/counts.hpp"
#include "setup/footprints.hpp"
#include "setup/logged_pairs.hpp"
#include "setup/snapshot_of.hpp"
#include "setup/study_setup.hpp"
#include "state.hpp"

namespace iqbo {

using namespace internal;

Study::Study(std::unique_ptr<State> state) : state_(std::move(state)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

Study Study::create(const std::string& location, const SpecBundle& bundle, const StudyOptions& options) {
  const auto data = std::make_shared<const SpecData>(load(bundle, policy_names()));
  require_learnable(*data, bundle);
  StudySetup setup(data, {}, options.score);
  setup.policy();
  std::vector<EventBody> first;  // learning takes seconds, so the result is logged
  if (const auto learned = setup.learned()) first.emplace_back(Refit{{}, learned});
  Storage storage = Storage::create(location, bundle, options.storage, first);
  return Study(std::make_unique<State>(std::move(storage), options, data, std::move(setup)));
}

Study Study::open(const std::string& location, Access access, const StudyOptions& options) {
  return Study(std::make_unique<State>(Storage::open(location, access, options.storage), options));
}

// --- asking ---

AskResult Study::ask(const AskOptions& options) {
  if (options.count < 1) refuse("count", std::to_string(options.count), "at least 1");
  const Activity activity("choosing the next query");
  state_->read();  // a log that is damaged is noticed even if a trial is only handed out again
  Storage& storage = state_->storage();
  const std::string& worker = state_->options().worker;
  const double lease = state_->options().lease_seconds;
  const auto wanted = static_cast<std::size_t>(options.count);
  AskResult out;
  const auto take = [&](const Trial& trial) {
    if (out.trials.size() >= wanted) return;
    if (auto taken = storage.take(trial.number, worker, lease)) out.trials.push_back(std::move(*taken));
  };
  std::vector<Trial> others;
  const double now = storage.now();
  for (const Trial& trial : storage.pending()) {
    const auto& held = options.holding;
    if (std::find(held.begin(), held.end(), trial.number) != held.end()) continue;
    if (trial.worker == worker)
      take(trial);
    else if (trial.lease_until < now)
      others.push_back(trial);
  }
  for (const Trial& trial : others) take(trial);
  while (out.trials.size() < wanted) {
    state_->read();
    std::int64_t room = options.count - static_cast<std::int64_t>(out.trials.size());
    if (options.most) {
      const auto& trials = state_->ledger().trials();
      const auto live = std::count_if(trials.begin(), trials.end(),
                                      [](const Trial& trial) { return trial.state != TrialState::kFailed; });
      room = std::min(room, *options.most - live);
    }
    if (room <= 0) {
      out.why = {"as many trials as were requested are told or pending"};
      break;
    }
    if (names().spec.stop && !options.beyond) {
      const Stopping judged = stopping();
      if (judged.reached) {
        out.why = {judged.why};
        out.stopped = true;
        break;
      }
    }
    const Suggestion said =
        state_->predicting([&] { return state_->policy().suggest(room, state_->pending(), state_->left_aside()); });
    out.why = said.why;
    if (said.queries.empty()) break;
    const auto claimed = storage.claim(state_->drafts(said), state_->ledger().seq(), worker, lease);
    if (claimed) out.trials.insert(out.trials.end(), claimed->begin(), claimed->end());
    if (claimed && said.queries.size() < room) break;
  }
  return out;
}

// --- telling ---

namespace {

Settled accepted(Settled settled) {
  if (settled.verdict == Settled::Verdict::kRefused) throw std::invalid_argument(settled.why);
  return settled;
}

// `where`: the trial, or the row of a table.
void require_answer(const Answer& answer, const std::string& where) {
  const std::string size = " of size at most " + readable(Study::kLargest);
  if (!(std::abs(answer.value) <= Study::kLargest))
    refuse(where, "value is " + readable(answer.value), "a number" + size);
  if (const auto& sd = answer.noise_sd; sd && !(*sd >= 0.0 && *sd <= Study::kLargest))
    refuse(where, "noise_sd is " + readable(*sd), "a number >= 0" + size);
  if (answer.replicates < 1 || answer.replicates > Study::kMostReplicates)
    refuse(where, "replicates is " + std::to_string(answer.replicates),
           "a whole number from 1 to " + std::to_string(Study::kMostReplicates));
}

std::string named(std::int64_t trial) { return "trial " + std::to_string(trial); }

// Of answers that are told one by one; a table is judged as a whole (State::require_workable).
const Answer& workable(const Answer& answer, const Spec& spec, const std::string& where) {
  const bool is_fitted = !spec.kernel && !is_count(spec.answers) && spec.link != LinkKind::kLog;
  if (const std::string wrong = is_fitted ? unworkable_value(answer.value) : ""; !wrong.empty())
    throw std::invalid_argument(where + ": " + wrong);
  return answer;
}

// "value 1, not 2; replicates 1, not 5"
std::string difference(const Answer& before, const Answer& now) {
  std::string out;
  const auto compare = [&](const char* what, const std::string& was, const std::string& is) {
    if (was != is) out += std::string(out.empty() ? "" : "; ").append(what) + " " + was + ", not " + is;
  };
  const auto sd = [](const Answer& answer) { return answer.noise_sd ? readable(*answer.noise_sd) : "none"; };
  if (!before.count || !now.count) compare("value", readable(before.value), readable(now.value));
  compare("noise sd", sd(before), sd(now));
  compare("replicates", std::to_string(before.replicates), std::to_string(now.replicates));
  const auto count = [](const Answer& answer) { return answer.count ? std::to_string(*answer.count) : "none"; };
  const auto exposure = [](const Answer& answer) { return answer.exposure ? readable(*answer.exposure) : "none"; };
  compare("count", count(before), count(now));
  compare("exposure", exposure(before), exposure(now));
  return out;
}

}  // namespace

// A count without its exposure has that of its query, if the spec gives it.
Answer Study::completed(Answer answer, const std::vector<double>& query, const std::string& where) {
  const Spec& spec = names().spec;
  if (answer.count && !answer.exposure && spec.queries.exposure) {
    const ExposureSpec& s = *spec.queries.exposure;
    if (!s.choices.empty())
      answer.exposure = query.back();
    else if (s.column.empty())
      answer.exposure = s.value;
    else if (const double known = setup().usual_exposure(setup().policy_query(rows_of({query}))); known > 0.0)
      answer.exposure = known;
  }
  require_counted(spec, answer, where);
  answer = with_rate(spec, answer);
  require_answer(answer, where);
  return answer;
}

// Where it matters: telling a measured average reads nothing.
std::vector<double> Study::queried(std::int64_t trial) const {
  return is_count(names().spec.answers) ? state_->storage().trial(trial).query : std::vector<double>();
}

Settled Study::tell(std::int64_t trial, const Answer& told) {
  const Answer answer = completed(workable(told, names().spec, named(trial)), queried(trial), named(trial));
  Settled settled = state_->storage().tell(trial, answer, state_->options().worker);
  if (settled.verdict == Settled::Verdict::kRefused && settled.trial.answer)
    settled.why = named(trial) + " was told " + difference(*settled.trial.answer, answer) +
                  "; amend it (iqbo tell --amend, or amend() in Python) to replace that";
  return accepted(std::move(settled));
}

Settled Study::tell_query(const std::string& name, const Answer& told) {
  const PointTable& list = data().queries;
  const auto found = std::find(list.ids.begin(), list.ids.end(), name);
  if (found == list.ids.end())
    refuse("query", "is " + in_quotes(name),
           list.ids.empty() ? "the number of a trial: queries have no names here" : expected_names(name, list.ids));
  for (const Trial& trial : state_->storage().pending())
    if (trial.name == name) return tell(trial.number, told);
  Rows point = list.coordinates.row(found - list.ids.begin());
  if (chooses_exposure(names().spec.queries)) {
    if (!told.exposure)
      refuse("query " + in_quotes(name), "no exposure", "what the events were counted among: 12/2000");
    point.conservativeResize(1, point.cols() + 1);
    point(0, point.cols() - 1) = *told.exposure;
  }
  Trial draft;
  while (true) {
    state_->read();
    const StudySetup& setup = state_->setup();
    const Queries query = setup.measured_query(point);
    draft.query = lists_of(setup.user_query(query))[0];
    completed(workable(told, names().spec, in_quotes(name)), draft.query,
              in_quotes(name));  // refuses before anything is stored
    draft.name = name;
    if (const auto level = setup.level(query)) draft.level = *level;
    draft.cost = setup.cost(query);
    draft.why = {"told without being asked"};
    const auto claimed = state_->storage().claim({draft}, state_->ledger().seq(), state_->options().worker,
                                                 state_->options().lease_seconds);
    if (claimed) return tell(claimed->front().number, told);
  }
}

Settled Study::amend(std::int64_t trial, const Answer& told) {
  const Answer answer = completed(workable(told, names().spec, named(trial)), queried(trial), named(trial));
  return accepted(state_->storage().amend(trial, answer, state_->options().worker));
}

Settled Study::fail(std::int64_t trial, const std::string& reason, FailedBy by) {
  const std::string& worker = state_->options().worker;
  if (by == FailedBy::kWorker) return accepted(state_->storage().fail(trial, reason, worker));
  const bool own = state_->storage().trial(trial).worker == worker;
  return accepted(state_->storage().fail(trial, own ? reason : reason + " (says " + worker + ")"));
}

bool Study::heartbeat(std::int64_t trial) {
  return state_->storage().heartbeat(trial, state_->options().worker, state_->options().lease_seconds);
}

// --- imports: checked before they are logged, as the log keeps everything ---

namespace {

// Adds the number of the row, as a spreadsheet shows it, to what is refused.
template <class Make>
auto at_row(const CsvTable& table, std::size_t row, const Make& make) {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(table.name + ": row " + std::to_string(row + 2) + ": " + error.what());
  }
}

// Moves each observation to the exact point that is meant, and checks it.
template <class Meant, class Complete>
std::vector<Observation> checked(std::vector<Observation> all, const CsvTable& table, const Meant& meant,
                                 const Complete& complete) {
  Mistakes mistakes(table);
  mistakes.each_row(table, [&](std::size_t i) {
    Observation& one = all[i];
    const Rows point = at_row(table, i, [&] { return meant(rows_of({one.point})); });
    one.point = lists_of(point)[0];
    one.answer = complete(one, table.name + ": row " + std::to_string(i + 2));
  });
  mistakes.refuse_any();
  return all;
}

}  // namespace

std::size_t Study::import_observations(const CsvTable& table, const std::string& source) {
  std::vector<Observation> all = load_observations(data(), table);
  state_->read();
  const StudySetup& setup = state_->setup();
  all = checked(
      std::move(all), table, [&](const Rows& a) { return setup.user_query(setup.measured_query(a)); },
      [&](const Observation& one, const std::string& row) { return completed(one.answer, one.point, row); });
  state_->require_workable(table, all, false);
  if (!all.empty()) state_->storage().append(ImportedObservations{all, source});
  return all.size();
}

std::size_t Study::import_values(const CsvTable& table, const std::string& source) {
  std::vector<Observation> all = load_values(data(), table);
  state_->read();
  const StudySetup& setup = state_->setup();
  all = checked(
      std::move(all), table, [&](const Rows& x) { return setup.measured_input(x).coordinates(); },
      [&](const Observation& one, const std::string& row) {
        require_counted(names().spec, one.answer, row);
        const Answer answer = with_rate(names().spec, one.answer);
        require_answer(answer, row);
        return answer;
      });
  state_->require_workable(table, all, true);
  if (!all.empty()) state_->storage().append(ImportedValues{all, source});
  return all.size();
}

std::size_t Study::import_pairs(const CsvTable& table, const std::string& source) {
  if (names().spec.conditional.kind != ConditionalSpec::Kind::kLearned)
    refuse("pairs", "given", "a study whose conditional is learned");
  const PairTable pairs = load_pairs(data(), table);
  if (pairs.x.rows() == 0) return 0;
  state_->read();
  auto learned = state_->learned_with(pairs, table);
  state_->storage().append(ImportedPairs{lists_of(pairs.x), lists_of(pairs.a), source, std::move(learned)});
  return static_cast<std::size_t>(pairs.x.rows());
}

// --- reading; predictions are in predictions.cpp ---

std::optional<TileRecord> Study::tile(const std::vector<double>& query) {
  state_->read();
  const StudySetup& setup = state_->setup();
  const auto found = tiles(setup, setup.policy_query(rows_of({query})));
  return found ? std::optional(found->front()) : std::nullopt;
}

StudyStatus Study::status() {
  state_->read();
  const Ledger& ledger = state_->ledger();
  StudyStatus out;
  out.last_event = ledger.seq();
  for (const Trial& trial : ledger.trials()) {
    out.told += trial.state == TrialState::kTold;
    out.pending += trial.state == TrialState::kPending;
    out.failed += trial.state == TrialState::kFailed;
    if (trial.state != TrialState::kFailed) out.spent += trial.cost;
  }
  for (const auto& [is_value, observation, trial] : ledger.answers()) {
    if (trial) continue;
    ++(is_value ? out.values : out.imported);
    if (!is_value) out.spent += state_->setup().cost(state_->setup().policy_query(rows_of({observation.point})));
  }
  out.pairs = static_cast<std::int64_t>(ledger.pair_x().size());
  if (const auto& budget = names().spec.budget) out.left = *budget - out.spent;
  return out;
}

std::optional<Hyperparameters> Study::fit() {
  state_->read();
  return state_->fit();
}

bool Study::noise_is_told() {
  state_->read();
  return state_->noise_is_told();
}

PairTable Study::pairs() {
  state_->read();
  return state_->pairs();
}

Link Study::link() {
  state_->read();
  return state_->policy().link();
}

std::vector<std::string> Study::warnings() {
  state_->read();
  return state_->warnings();
}

std::string Study::foreseen_spots() {
  state_->read();
  return state_->policy().foreseen_spots();
}

std::string Study::learned() {
  state_->read();
  return learned_summary(state_->setup());
}

const StudySetup& Study::setup() {
  state_->read();
  return state_->setup();
}

Snapshot Study::snapshot(bool scores) {
  state_->read();
  return state_->predicting([&] { return state_->snapshot(shown_points(state_->setup(), state_->policy()), scores); });
}

History Study::history() {
  state_->read();
  return state_->predicting([&] { return state_->history(status()); });
}

const SpecData& Study::data() const { return state_->data(); }
const SpecData& Study::names() const { return state_->names(); }
const Storage& Study::storage() const { return state_->storage(); }

}  // namespace iqbo
