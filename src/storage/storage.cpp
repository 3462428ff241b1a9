#include "iqbo/storage/storage.hpp"

#include <cmath>
#include <mutex>

#include "backend.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/json.hpp"
#include "location.hpp"

namespace iqbo {
namespace {

// Reports a row that iqbo cannot have written: one that is missing, or was changed by hand.
template <class Work>
auto undamaged(const StorageLocation& location, const std::string& row, const Work& work) {
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    throw StorageError(StorageError::Kind::kDamaged, location.shown + ": " + row + " is damaged (" + error.what() +
                                                         "); restore the study from a backup");
  }
}

Trial trial_of(const TrialRow& row) {
  auto trial = from_json<Trial>(row.body);
  trial.state = static_cast<TrialState>(row.state);
  trial.worker = row.worker;
  trial.lease_until = row.lease_until;
  trial.handouts = row.handouts;
  return trial;
}

TrialRow row_of(const Trial& trial) {
  return {trial.number,         static_cast<std::int64_t>(trial.state), trial.worker, trial.lease_until, trial.handouts,
          to_json<Trial>(trial)};
}

// Refuses to write what could not be read back: infinities, and whatever else the reader of records refuses.
std::int64_t log(StorageRows& rows, const EventBody& body) {
  const std::string text = body_to_json(body);
  body_from_json(event_kind(body), text);
  const std::int64_t seq = rows.last_event() + 1;
  rows.append({seq, rows.now(), event_kind(body), text});
  return seq;
}

Trial trial_in(StorageRows& rows, std::int64_t number) {
  const auto row = rows.trial(number);
  if (row) return trial_of(*row);
  const std::int64_t count = rows.trial_count();
  refuse("trial", "there is no trial " + std::to_string(number),
         count == 0 ? "one that was handed out; none was yet" : "a number from 0 to " + std::to_string(count - 1));
}

void require_answer(const Answer& answer) {
  require_finite(answer.value, "value");
  if (answer.noise_sd && !(std::isfinite(*answer.noise_sd) && *answer.noise_sd >= 0))
    refuse("noise_sd", "is " + readable(*answer.noise_sd), "a finite number >= 0");
  if (answer.replicates < 1) refuse("replicates", "is " + std::to_string(answer.replicates), "at least 1");
}

void require_lease(double seconds) {
  if (!(std::isfinite(seconds) && seconds > 0))
    refuse("lease_seconds", "is " + readable(seconds), "a finite number > 0");
}

// JSON would replace invalid bytes, and the worker would not recognise its own name.
void require_name(std::string_view worker) {
  if (!is_utf8(worker) || worker.find('\0') != std::string_view::npos) refuse("worker", "is not text", "UTF-8");
}

std::string text_of(const Answer& answer) {
  std::string text = readable(answer.value);
  if (answer.noise_sd) text += " (noise sd " + readable(*answer.noise_sd) + ")";
  return text;
}

std::string named(const Trial& trial) { return "trial " + std::to_string(trial.number); }

Settled settle(StorageRows& rows, Trial trial, const EventBody& body) {
  log(rows, body);
  trial.lease_until = 0;
  rows.update(row_of(trial));
  return {Settled::Verdict::kStored, trial, ""};
}

Settled told(StorageRows& rows, Trial trial, const Answer& answer, std::string_view worker) {
  trial.state = TrialState::kTold;
  trial.answer = answer;
  if (!worker.empty()) trial.worker = worker;
  return settle(rows, trial, Told{trial.number, answer, std::string(worker)});
}

Settled amended(StorageRows& rows, Trial trial, const Answer& answer, std::string_view worker) {
  const std::optional<Answer> before = trial.answer;
  trial.state = TrialState::kTold;
  trial.answer = answer;
  trial.reason.clear();
  if (!worker.empty()) trial.worker = worker;
  return settle(rows, trial, Amended{trial.number, before, answer, std::string(worker)});
}

void check_bundle(const SpecBundle& bundle) {
  parse_spec(bundle.text);
  for (const auto& [name, text] : bundle.files)
    if (!is_utf8(text) || text.find('\0') != std::string::npos) refuse(name, "is not text", "UTF-8 without zero bytes");
}

template <class... Kinds>
bool is_any_of(const EventBody& body) {
  return (std::holds_alternative<Kinds>(body) || ...);
}

}  // namespace

class Storage::State {
 public:
  State(StorageLocation location, Access access, BackendPointer backend)
      : location_(std::move(location)), access_(access), backend_(std::move(backend)), bundle_(backend_->bundle()) {}

  const StorageLocation& location() const { return location_; }
  const SpecBundle& bundle() const { return bundle_; }

  template <class Work>
  auto read(const Work& work) {
    return run(work, [this](const StorageBackend::Work& w) { backend_->read(w); });
  }
  template <class Work>
  auto write(const Work& work) {
    if (access_ == Access::kReadOnly)
      throw StorageError(StorageError::Kind::kReadOnly, location_.shown + ": was opened for reading only");
    return run(work, [this](const StorageBackend::Work& w) { backend_->write(w); });
  }

 private:
  template <class Work, class Through>
  auto run(const Work& work, const Through& through) {
    const std::lock_guard lock(mutex_);
    std::optional<std::invoke_result_t<Work, StorageRows&>> result;
    through([&](StorageRows& rows) { result.emplace(work(rows)); });
    return std::move(*result);
  }

  StorageLocation location_;
  Access access_;
  std::mutex mutex_;
  BackendPointer backend_;
  SpecBundle bundle_;
};

Storage::Storage(std::unique_ptr<State> state) : state_(std::move(state)) {}
Storage::Storage(Storage&&) noexcept = default;
Storage& Storage::operator=(Storage&&) noexcept = default;
Storage::~Storage() = default;

Storage Storage::create(const std::string& location, const SpecBundle& bundle, const StorageOptions& options) {
  check_bundle(bundle);
  const StorageLocation at(location);
  BackendPointer backend = at.kind == StorageLocation::Kind::kMemory ? create_memory(at.place, bundle, options)
                           : at.kind == StorageLocation::Kind::kFile ? create_sqlite(at.place, bundle, options)
                                                                     : create_postgresql(location, bundle, options);
  return Storage(std::make_unique<State>(at, Access::kReadWrite, std::move(backend)));
}

Storage Storage::open(const std::string& location, Access access, const StorageOptions& options) {
  const StorageLocation at(location);
  BackendPointer backend = at.kind == StorageLocation::Kind::kMemory ? open_memory(at.place, options)
                           : at.kind == StorageLocation::Kind::kFile ? open_sqlite(at.place, access, options)
                                                                     : open_postgresql(location, access, options);
  return Storage(std::make_unique<State>(at, access, std::move(backend)));
}

const SpecBundle& Storage::bundle() const { return state_->bundle(); }
const std::string& Storage::location() const { return state_->location().shown; }

std::vector<Event> Storage::events(std::int64_t after) const {
  const auto rows = state_->read([&](StorageRows& r) { return r.events(std::max<std::int64_t>(after, 0)); });
  std::vector<Event> out;
  out.reserve(rows.size());
  std::int64_t expected = std::max<std::int64_t>(after, 0);
  for (const EventRow& row : rows)
    out.push_back(undamaged(state_->location(), "event " + std::to_string(++expected), [&] {
      if (row.seq != expected) refuse("seq", std::to_string(row.seq), "no gap in the log");
      return Event{row.seq, row.time, body_from_json(row.kind, row.body)};
    }));
  return out;
}

std::int64_t Storage::last_event() const {
  return state_->read([](StorageRows& rows) { return rows.last_event(); });
}

std::vector<Trial> Storage::trials() const {
  std::vector<Trial> out;
  for (const TrialRow& row : state_->read([](StorageRows& rows) { return rows.trials(false); }))
    out.push_back(undamaged(state_->location(), "trial " + std::to_string(row.number), [&] { return trial_of(row); }));
  return out;
}

std::vector<Trial> Storage::pending() const {
  std::vector<Trial> out;
  for (const TrialRow& row : state_->read([](StorageRows& rows) { return rows.trials(true); }))
    out.push_back(undamaged(state_->location(), "trial " + std::to_string(row.number), [&] { return trial_of(row); }));
  return out;
}

Trial Storage::trial(std::int64_t number) const {
  return state_->read([&](StorageRows& rows) { return trial_in(rows, number); });
}

double Storage::now() const {
  return state_->read([](StorageRows& rows) { return rows.now(); });
}

std::optional<std::vector<Trial>> Storage::claim(const std::vector<Trial>& drafts, std::int64_t seen,
                                                 std::string_view worker, double lease_seconds) {
  require_lease(lease_seconds);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> std::optional<std::vector<Trial>> {
    const std::int64_t last = rows.last_event();
    if (seen < 0 || seen > last)
      refuse("seen", "is " + std::to_string(seen), "an event from 0 to " + std::to_string(last));
    if (rows.asked_since(seen)) return {};
    std::vector<Trial> out = drafts;
    std::int64_t number = rows.trial_count();
    const double until = rows.now() + lease_seconds;
    for (Trial& trial : out) {
      trial.number = number++;
      trial.seen = seen;
      trial.state = TrialState::kPending;
      trial.answer.reset();
      trial.reason.clear();
      trial.worker = worker;
      trial.handouts = 1;
      trial.lease_until = 0;  // leases are not in the log
    }
    std::int64_t seq = last;
    for (Trial& trial : out) {
      const Asked asked{trial};
      const std::string text = body_to_json(asked);
      body_from_json("asked", text);
      rows.append({++seq, rows.now(), "asked", text});
      trial.lease_until = until;
      rows.insert(row_of(trial));
    }
    return out;
  });
}

std::optional<Trial> Storage::take(std::int64_t number, std::string_view worker, double lease_seconds) {
  require_lease(lease_seconds);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> std::optional<Trial> {
    Trial trial = trial_in(rows, number);
    const double now = rows.now();
    const bool own = trial.worker == worker;
    if (trial.state != TrialState::kPending || (!own && trial.lease_until > now)) return {};
    if (!own) {
      log(rows, Taken{number, std::string(worker), trial.worker});
      trial.worker = worker;
      ++trial.handouts;
    }
    trial.lease_until = now + lease_seconds;
    rows.update(row_of(trial));
    return trial;
  });
}

bool Storage::heartbeat(std::int64_t number, std::string_view worker, double lease_seconds) {
  require_lease(lease_seconds);
  return state_->write([&](StorageRows& rows) {
    Trial trial = trial_in(rows, number);
    if (trial.state != TrialState::kPending || trial.worker != worker) return false;
    trial.lease_until = rows.now() + lease_seconds;
    rows.update(row_of(trial));
    return true;
  });
}

Settled Storage::tell(std::int64_t number, const Answer& answer, std::string_view worker) {
  require_answer(answer);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> Settled {
    const Trial trial = trial_in(rows, number);
    if (trial.state == TrialState::kPending) return told(rows, trial, answer, worker);
    if (trial.state == TrialState::kFailed)
      return {Settled::Verdict::kRefused, trial,
              named(trial) + " has failed (" + trial.reason + "); amend it (iqbo tell --amend) to overrule that"};
    if (*trial.answer == answer) return {Settled::Verdict::kRepeated, trial, ""};
    return {Settled::Verdict::kRefused, trial,
            named(trial) + " was told " + text_of(*trial.answer) + ", not " + text_of(answer) +
                "; amend it (iqbo tell --amend) to replace that"};
  });
}

Settled Storage::amend(std::int64_t number, const Answer& answer, std::string_view worker) {
  require_answer(answer);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> Settled {
    const Trial trial = trial_in(rows, number);
    if (trial.state == TrialState::kPending) return told(rows, trial, answer, worker);
    if (trial.answer == answer) return {Settled::Verdict::kRepeated, trial, ""};
    return amended(rows, trial, answer, worker);
  });
}

Settled Storage::fail(std::int64_t number, std::string_view reason, std::string_view worker) {
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> Settled {
    Trial trial = trial_in(rows, number);
    if (trial.state == TrialState::kFailed) return {Settled::Verdict::kRepeated, trial, ""};
    if (trial.state == TrialState::kTold)
      return {Settled::Verdict::kRefused, trial,
              named(trial) + " was told " + text_of(*trial.answer) + " and has not failed"};
    if (!worker.empty() && trial.worker != worker)
      return {Settled::Verdict::kRefused, trial, named(trial) + " is held by " + trial.worker + " now"};
    trial.state = TrialState::kFailed;
    trial.reason = reason;
    return settle(rows, trial, Failed{number, std::string(reason), trial.worker});
  });
}

std::int64_t Storage::append(const EventBody& body) {
  if (is_any_of<Asked, Taken, Told, Amended, Failed>(body))
    refuse("event", "is \"" + event_kind(body) + "\"",
           "an import or a refit; claim, take, tell, ... log events of the other kinds");
  return state_->write([&](StorageRows& rows) { return log(rows, body); });
}

bool study_exists(const std::string& location) {
  try {
    Storage::open(location, Access::kReadOnly);
    return true;
  } catch (const StorageError& error) {
    using Kind = StorageError::Kind;
    if (error.kind() == Kind::kNotFound || error.kind() == Kind::kNotAStudy) return false;
    throw;
  }
}

}  // namespace iqbo
