#include "iqbo/storage/storage.hpp"

#include <cmath>
#include <mutex>

#include "backend.hpp"
#include "check.hpp"
#include "iqbo/core/check.hpp"
#include "location.hpp"
#include "log.hpp"
#include "record/trial_events.hpp"

namespace iqbo {

using internal::apply;

namespace {

// A trial as it stands, within a transaction that may change it.
struct Held {
  TrialRow row;
  Trial trial;
};

Held held(StorageRows& rows, const StorageLocation& location, std::int64_t number) {
  const auto row = rows.trial(number);
  if (row) return {*row, read_trial(rows, location, *row)};
  const std::int64_t count = rows.head().trials;
  if (number >= 0 && number < count)
    report_damage(location, "the table of trials", "the row of " + named_trial(number) + " is missing");
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

// The one check of names, for every door. JSON would replace invalid bytes, and the worker would not recognise its own
// name; terminals obey control characters.
void require_name(std::string_view worker) {
  constexpr std::size_t kLongest = 200;
  if (!is_utf8(worker)) refuse("worker", "is not text", "UTF-8");
  if (has_control_character(worker)) refuse("worker", "has a control character", "a name without");
  if (worker.size() > kLongest)
    refuse("worker", "has " + std::to_string(worker.size()) + " bytes", "at most " + std::to_string(kLongest));
}

std::string text_of(const Answer& answer) {
  std::string text = readable(answer.value);
  if (answer.noise_sd) text += " (noise sd " + readable(*answer.noise_sd) + ")";
  return text;
}

// Logs what became of a trial, and ends its lease.
template <class Body>
Settled settle(StorageRows& rows, const StorageLocation& location, Held it, const Body& body) {
  LogWriter log(rows, location);
  it.row.latest = log.append(body);
  log.finish();
  apply(body, it.trial);
  it.trial.lease_until = it.row.lease_until = 0;
  it.row.state = static_cast<std::int64_t>(it.trial.state);
  it.row.worker = it.trial.worker;
  rows.update(it.row);
  return {Settled::Verdict::kStored, it.trial, ""};
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

void require_appendable(const EventBody& body) {
  if (is_any_of<Asked, Taken, Told, Amended, Failed>(body))
    refuse("event", "is \"" + event_kind(body) + "\"",
           "an import or a refit; claim, take, tell, ... log events of the other kinds");
}

}  // namespace

class Storage::State {
 public:
  State(StorageLocation location, Access access, BackendPointer backend)
      : location_(std::move(location)), access_(access), backend_(std::move(backend)), bundle_(backend_->bundle()) {}

  const StorageLocation& location() const { return location_; }
  const SpecBundle& bundle() const { return bundle_; }
  LogMark& mark() { return mark_; }
  StorageCheck check() {
    const std::lock_guard lock(mutex_);
    return check_study(*backend_, bundle_, location_);
  }

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
  LogMark mark_;
};

Storage::Storage(std::unique_ptr<State> state) : state_(std::move(state)) {}
Storage::Storage(Storage&&) noexcept = default;
Storage& Storage::operator=(Storage&&) noexcept = default;
Storage::~Storage() = default;

Storage Storage::create(const std::string& location, const SpecBundle& bundle, const StorageOptions& options,
                        const std::vector<EventBody>& first) {
  check_bundle(bundle);
  for (const EventBody& body : first) require_appendable(body);
  const StorageLocation at(location);
  const StorageBackend::Work begin = [&](StorageRows& rows) {
    LogWriter log(rows, at);
    for (const EventBody& body : first) log.append(body);
    log.finish();
  };
  using Kind = StorageLocation::Kind;
  BackendPointer backend = at.kind == Kind::kMemory ? create_memory(at.place, bundle, options, begin)
                           : at.kind == Kind::kFile ? create_sqlite(at.place, bundle, options, begin)
                                                    : create_postgresql(location, bundle, options, begin);
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
  return state_->read([&](StorageRows& rows) {
    return read_log(rows, state_->location(), bundle(), std::max<std::int64_t>(after, 0), state_->mark());
  });
}

std::int64_t Storage::last_event() const {
  return state_->read([](StorageRows& rows) { return rows.head().events; });
}

std::vector<Trial> Storage::trials() const {
  return state_->read([&](StorageRows& rows) {
    return trials_of(read_log(rows, state_->location(), bundle(), 0, state_->mark()), rows.trials(false),
                     state_->location());
  });
}

std::vector<Trial> Storage::pending() const {
  const auto found = state_->read([&](StorageRows& rows) -> std::optional<std::vector<Trial>> {
    std::vector<Trial> out;
    for (const TrialRow& row : rows.trials(true)) {
      if (row.asked == 0) return {};  // version 1 did not keep where its events are
      out.push_back(read_trial(rows, state_->location(), row));
    }
    return out;
  });
  if (found) return *found;
  std::vector<Trial> out = trials();
  std::erase_if(out, [](const Trial& trial) { return trial.state != TrialState::kPending; });
  return out;
}

Trial Storage::trial(std::int64_t number) const {
  return state_->read([&](StorageRows& rows) { return held(rows, state_->location(), number).trial; });
}

StorageCheck Storage::check() const { return state_->check(); }

double Storage::now() const {
  return state_->read([](StorageRows& rows) { return rows.now(); });
}

std::optional<std::vector<Trial>> Storage::claim(const std::vector<Trial>& drafts, std::int64_t seen,
                                                 std::string_view worker, double lease_seconds) {
  require_lease(lease_seconds);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> std::optional<std::vector<Trial>> {
    LogWriter log(rows, state_->location());
    const std::int64_t last = log.head().events;
    if (seen < 0 || seen > last)
      refuse("seen", "is " + std::to_string(seen), "an event from 0 to " + std::to_string(last));
    if (rows.asked_since(seen)) return {};
    std::vector<Trial> out = drafts;
    const double until = rows.now() + lease_seconds;
    for (Trial& trial : out) {
      trial.number = log.head().trials;
      trial.seen = seen;
      trial.state = TrialState::kPending;
      trial.answer.reset();
      trial.reason.clear();
      trial.worker = worker;
      trial.handouts = 1;
      trial.lease_until = 0;  // leases are not in the log
      const std::int64_t seq = log.append_asked(trial);
      trial.lease_until = until;
      rows.insert({trial.number, static_cast<std::int64_t>(trial.state), trial.worker, until, 1, seq, seq});
    }
    log.finish();
    return out;
  });
}

std::optional<Trial> Storage::take(std::int64_t number, std::string_view worker, double lease_seconds) {
  require_lease(lease_seconds);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> std::optional<Trial> {
    Held it = held(rows, state_->location(), number);
    const double now = rows.now();
    const bool own = it.trial.worker == worker;
    if (it.trial.state != TrialState::kPending || (!own && it.trial.lease_until > now)) return {};
    if (!own) {
      const Taken body{number, std::string(worker), it.trial.worker};
      LogWriter log(rows, state_->location());
      it.row.latest = log.append(body);
      log.finish();
      apply(body, it.trial);
      it.row.worker = it.trial.worker;
      it.row.handouts = it.trial.handouts;
    }
    it.trial.lease_until = it.row.lease_until = now + lease_seconds;
    rows.update(it.row);
    return it.trial;
  });
}

bool Storage::heartbeat(std::int64_t number, std::string_view worker, double lease_seconds) {
  require_lease(lease_seconds);
  return state_->write([&](StorageRows& rows) {
    Held it = held(rows, state_->location(), number);
    if (it.trial.state != TrialState::kPending || it.trial.worker != worker) return false;
    it.row.lease_until = rows.now() + lease_seconds;
    rows.update(it.row);
    return true;
  });
}

Settled Storage::tell(std::int64_t number, const Answer& answer, std::string_view worker) {
  require_answer(answer);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> Settled {
    const Held it = held(rows, state_->location(), number);
    const Trial& trial = it.trial;
    if (trial.state == TrialState::kPending)
      return settle(rows, state_->location(), it, Told{number, answer, std::string(worker)});
    if (trial.state == TrialState::kFailed)
      return {Settled::Verdict::kRefused, trial,
              named_trial(number) + " has failed (" + trial.reason +
                  "); amend it (iqbo tell --amend, or amend() in Python) to overrule that"};
    if (*trial.answer == answer) return {Settled::Verdict::kRepeated, trial, ""};
    return {Settled::Verdict::kRefused, trial,
            named_trial(number) + " was told " + text_of(*trial.answer) + ", not " + text_of(answer) +
                "; amend it (iqbo tell --amend, or amend() in Python) to replace that"};
  });
}

Settled Storage::amend(std::int64_t number, const Answer& answer, std::string_view worker) {
  require_answer(answer);
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> Settled {
    const Held it = held(rows, state_->location(), number);
    if (it.trial.state == TrialState::kPending)
      return settle(rows, state_->location(), it, Told{number, answer, std::string(worker)});
    if (it.trial.answer == answer) return {Settled::Verdict::kRepeated, it.trial, ""};
    return settle(rows, state_->location(), it, Amended{number, it.trial.answer, answer, std::string(worker)});
  });
}

Settled Storage::fail(std::int64_t number, std::string_view reason, std::string_view worker) {
  require_name(worker);
  return state_->write([&](StorageRows& rows) -> Settled {
    const Held it = held(rows, state_->location(), number);
    const Trial& trial = it.trial;
    if (trial.state == TrialState::kFailed) return {Settled::Verdict::kRepeated, trial, ""};
    if (trial.state == TrialState::kTold)
      return {Settled::Verdict::kRefused, trial,
              named_trial(number) + " was told " + text_of(*trial.answer) + " and has not failed"};
    if (!worker.empty() && trial.worker != worker)
      return {Settled::Verdict::kRefused, trial, named_trial(number) + " is held by " + trial.worker + " now"};
    return settle(rows, state_->location(), it, Failed{number, std::string(reason), trial.worker});
  });
}

std::int64_t Storage::append(const EventBody& body) {
  require_appendable(body);
  return state_->write([&](StorageRows& rows) {
    LogWriter log(rows, state_->location());
    const std::int64_t seq = log.append(body);
    log.finish();
    return seq;
  });
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
