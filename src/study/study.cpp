#include "iqbo/study/study.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/model/snapshot_of.hpp"
#include "iqbo/model/study_model.hpp"
#include "ledger.hpp"

namespace iqbo {
namespace {

Rows rows_of(const std::vector<std::vector<double>>& points) {
  Rows out(static_cast<Index>(points.size()), points.empty() ? 0 : static_cast<Index>(points[0].size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points[i].size(); ++j) out(static_cast<Index>(i), static_cast<Index>(j)) = points[i][j];
  return out;
}

AnswerNoise noise_of(const Outcome& outcome) {
  AnswerNoise out;
  if (outcome.noise_sd) out.var = *outcome.noise_sd * *outcome.noise_sd;
  out.replicates = static_cast<double>(outcome.replicates);
  return out;
}

std::vector<std::vector<double>> lists_of(const Rows& rows) {
  std::vector<std::vector<double>> out;
  for (Index i = 0; i < rows.rows(); ++i) out.emplace_back(rows.row(i).begin(), rows.row(i).end());
  return out;
}

}  // namespace

class Study::State {
 public:
  State(Storage storage, SpecData data, StudyOptions options)
      : storage_(std::move(storage)), options_(std::move(options)), data_(std::move(data)) {}

  Storage& storage() { return storage_; }
  const SpecData& data() const { return data_; }
  const StudyOptions& options() const { return options_; }
  const Ledger& ledger() const { return ledger_; }

  void read() {
    for (const Event& event : storage_.events(ledger_.seq())) ledger_.add(event);
  }

  // The policy that has seen what the ledger holds.
  Policy& policy() {
    if (!policy_ || epoch_ != ledger_.epoch()) begin();
    for (const auto& [observations, record] : ledger_.fits())
      if (observations > remembered_) {
        policy_->remember(hyperparameters_of(*model_, record));
        remembered_ = observations;
      }
    for (; observed_ < ledger_.answers().size(); ++observed_) observe(ledger_.answers()[observed_]);
    return *policy_;
  }

  const StudyModel& model() {
    policy();
    return *model_;
  }

  std::optional<FitRecord> fit() {
    const auto& values = policy().hyperparameters();
    const auto known = values ? ledger_.fits().find(values->observations) : ledger_.fits().end();
    return fit_record(*model_, *policy_, known == ledger_.fits().end() ? nullptr : &known->second);
  }

  std::vector<Trial> drafts(const Suggestion& said) {
    std::vector<Trial> out;
    const auto fitted = fit();
    for (Index i = 0; i < said.queries.size(); ++i) {
      const Queries one = said.queries.slice(i, 1);
      Trial trial;
      trial.query = lists_of(model_->user_query(one))[0];
      trial.name = model_->query_name(one);
      if (const auto level = model_->level(one)) trial.level = *level;
      trial.cost = model_->cost(one);
      trial.policy = to_string(said.used);
      trial.why = said.why;
      trial.score = said.scores[i];
      trial.fit = fitted;
      out.push_back(std::move(trial));
    }
    return out;
  }

  Queries expected() {
    const auto points = ledger_.expected();
    return points.empty() ? Queries() : model().policy_query(rows_of(points));
  }

  // Lists without repeats come to an end.
  bool exhausted(const Queries& out) {
    const auto* list = std::get_if<QuerySet>(&model().setting().a);
    if (list == nullptr || model_->options().repeats) return false;
    std::vector<bool> asked(static_cast<std::size_t>(list->size()), false);
    const auto strike = [&](const Queries& a) {
      for (Index i = 0; i < a.size(); ++i)
        if (const auto row = list->find(a.row(i))) asked[static_cast<std::size_t>(*row)] = true;
    };
    strike(out);
    for (const auto& answer : ledger_.answers())
      if (!answer.is_value) strike(model_->policy_query(rows_of({answer.point})));
    return std::all_of(asked.begin(), asked.end(), [](bool yes) { return yes; });
  }

 private:
  void begin() {
    const bool learns = !model_ || pairs_ != ledger_.pair_x().size();
    if (learns) model_.emplace(data_, PairTable{rows_of(ledger_.pair_x()), rows_of(ledger_.pair_a())});
    pairs_ = ledger_.pair_x().size();
    policy_.emplace(model_->policy());
    epoch_ = ledger_.epoch();
    observed_ = 0;
    remembered_ = 0;
  }

  void observe(const Ledger::Answer& answer) {
    const Vector z = model_->policy_value(Vector(Vector::Constant(1, answer.outcome.value)));
    if (answer.is_value)
      policy_->observe(Inputs(rows_of({answer.point})), z, noise_of(answer.outcome));
    else
      policy_->observe(model_->policy_query(rows_of({answer.point})), z, noise_of(answer.outcome));
  }

  Storage storage_;
  StudyOptions options_;
  SpecData data_;
  Ledger ledger_;
  std::optional<StudyModel> model_;
  std::optional<Policy> policy_;
  std::size_t observed_ = 0;
  std::size_t pairs_ = 0;
  std::int64_t remembered_ = 0;
  std::int64_t epoch_ = 0;
};

Study::Study(std::unique_ptr<State> state) : state_(std::move(state)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

Study Study::create(const std::string& location, const SpecBundle& bundle, const StudyOptions& options) {
  SpecData data = load(bundle, policy_names());
  StudyModel(data).policy();
  Storage storage = Storage::create(location, bundle, options.storage);
  return Study(std::make_unique<State>(std::move(storage), std::move(data), options));
}

Study Study::open(const std::string& location, Access access, const StudyOptions& options) {
  Storage storage = Storage::open(location, access, options.storage);
  SpecData data = load(storage.bundle(), policy_names());
  return Study(std::make_unique<State>(std::move(storage), std::move(data), options));
}

// --- asking ---

Asking Study::ask(const AskOptions& options) {
  if (options.count < 1) refuse("count", std::to_string(options.count), "at least 1");
  Storage& storage = state_->storage();
  const std::string& worker = state_->options().worker;
  const double lease = state_->options().lease_seconds;
  const auto wanted = static_cast<std::size_t>(options.count);
  Asking out;
  const auto take = [&](const Trial& trial) {
    if (out.trials.size() >= wanted) return;
    if (auto taken = storage.take(trial.number, worker, lease)) out.trials.push_back(std::move(*taken));
  };
  std::vector<Trial> others;
  for (const Trial& trial : storage.pending()) {
    const auto& held = options.holding;
    if (std::find(held.begin(), held.end(), trial.number) != held.end()) continue;
    if (trial.worker == worker)
      take(trial);
    else if (trial.lease_until < storage.now())
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
      out.why = {"all trials that were wanted are told or out"};
      break;
    }
    const Queries expected = state_->expected();
    if (state_->exhausted(expected)) {
      out.why = {"every query has been asked, or is out, and none may be repeated"};
      break;
    }
    const Suggestion said = state_->policy().suggest(room, expected);
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

void require_outcome(const Outcome& outcome) {
  require_finite(outcome.value, "value");
  if (outcome.noise_sd && !(*outcome.noise_sd >= 0.0 && std::isfinite(*outcome.noise_sd)))
    refuse("noise_sd", readable(*outcome.noise_sd), "a finite number >= 0");
  if (outcome.replicates < 1) refuse("replicates", std::to_string(outcome.replicates), "at least 1");
}

}  // namespace

Settled Study::tell(std::int64_t trial, const Outcome& outcome) {
  require_outcome(outcome);
  return accepted(state_->storage().tell(trial, outcome, state_->options().worker));
}

Settled Study::amend(std::int64_t trial, const Outcome& outcome) {
  require_outcome(outcome);
  return accepted(state_->storage().amend(trial, outcome, state_->options().worker));
}

Settled Study::fail(std::int64_t trial, const std::string& reason) {
  return accepted(state_->storage().fail(trial, reason, state_->options().worker));
}

bool Study::heartbeat(std::int64_t trial) {
  return state_->storage().heartbeat(trial, state_->options().worker, state_->options().lease_seconds);
}

// --- imports: refused before they are logged, as the log keeps everything ---

std::size_t Study::import_observations(const CsvTable& table, const std::string& source) {
  const std::vector<Observation> all = load_observations(data(), table);
  state_->read();
  const StudyModel& model = state_->model();
  for (const Observation& one : all) {
    const Queries a = model.policy_query(rows_of({one.point}));
    model.setting().conditional->laws(a);
    if (model.spec().query.kind == QuerySpec::Kind::kPoints) std::get<QuerySet>(model.setting().a).positions(a);
  }
  if (!all.empty()) state_->storage().append(ImportedObservations{all, source});
  return all.size();
}

std::size_t Study::import_values(const CsvTable& table, const std::string& source) {
  const std::vector<Observation> all = load_values(data(), table);
  if (!all.empty()) state_->storage().append(ImportedValues{all, source});
  return all.size();
}

std::size_t Study::import_pairs(const CsvTable& table, const std::string& source) {
  if (data().spec.conditional.kind != ConditionalSpec::Kind::kLearned)
    refuse("pairs", "given", "a study whose conditional is learned");
  const PairTable pairs = load_pairs(data(), table);
  if (pairs.x.rows() > 0) state_->storage().append(ImportedPairs{lists_of(pairs.x), lists_of(pairs.a), source});
  return static_cast<std::size_t>(pairs.x.rows());
}

// --- looking ---

RecommendationRecord Study::recommend() {
  state_->read();
  Policy& policy = state_->policy();
  return recommendation_record(state_->model(), policy.recommend());
}

Prediction Study::predict_f(const Rows& x) {
  state_->read();
  const StudyModel& model = state_->model();
  require_columns(x.cols(), dimension(model.setting().x), "x");
  const Marginals belief = believed_f(model, state_->policy(), Inputs(x));
  return {model.user_value(belief.mean), belief.var.cwiseMax(0.0).cwiseSqrt()};
}

Prediction Study::predict_g(const Rows& a) {
  state_->read();
  const StudyModel& model = state_->model();
  const Marginals belief = believed_g(model, state_->policy(), model.policy_query(a));
  return {model.user_value(belief.mean), belief.var.cwiseMax(0.0).cwiseSqrt()};
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
  for (const auto& answer : ledger.answers()) {
    if (answer.trial) continue;
    ++(answer.is_value ? out.values : out.imported);
    if (!answer.is_value) out.spent += state_->model().cost(state_->model().policy_query(rows_of({answer.point})));
  }
  out.pairs = static_cast<std::int64_t>(ledger.pair_x().size());
  if (data().spec.budget) out.left = *data().spec.budget - out.spent;
  return out;
}

std::optional<FitRecord> Study::fit() {
  state_->read();
  return state_->fit();
}

std::string Study::learned() {
  state_->read();
  return learned_summary(state_->model());
}

Snapshot Study::snapshot() {
  state_->read();
  std::vector<std::vector<double>> asked;
  for (const auto& answer : state_->ledger().answers())
    if (!answer.is_value) asked.push_back(answer.point);
  const StudyModel& model = state_->model();
  Snapshot out = snapshot_of(model, state_->policy(), asked.empty() ? Queries() : model.policy_query(rows_of(asked)));
  out.seq = state_->ledger().seq();
  out.fit = state_->fit();
  return out;
}

const SpecData& Study::data() const { return state_->data(); }
const Storage& Study::storage() const { return state_->storage(); }

}  // namespace iqbo
