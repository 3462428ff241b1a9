// Studies that live as long as the process: for tests, and for runs that are never resumed.
#include <chrono>
#include <map>
#include <mutex>

#include "backend.hpp"
#include "digest.hpp"

namespace iqbo {
namespace {

struct MemoryStudy {
  std::mutex mutex;
  SpecBundle bundle;
  LogHead head;
  std::vector<EventRow> events;
  std::vector<TrialRow> trials;
};

class MemoryRegistry {
 public:
  void add(const std::string& name, const std::shared_ptr<MemoryStudy>& study) {
    const std::lock_guard lock(mutex_);
    if (!studies_.emplace(name, study).second)
      throw StorageError(StorageError::Kind::kExists, "memory:" + name + ": there is a study already");
  }
  std::shared_ptr<MemoryStudy> find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = studies_.find(name);
    if (found == studies_.end())
      throw StorageError(StorageError::Kind::kNotFound, "memory:" + name + ": there is no such study");
    return found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<MemoryStudy>> studies_;
};

MemoryRegistry& registry() {
  static MemoryRegistry all;
  return all;
}

// Changes are kept aside until commit().
class MemoryRows final : public StorageRows {
 public:
  MemoryRows(MemoryStudy& study, const StorageOptions& options) : study_(study), options_(options) {}

  std::vector<EventRow> events(std::int64_t after, std::int64_t to) override {
    const auto last = std::min(to, static_cast<std::int64_t>(study_.events.size()));
    return {study_.events.begin() + std::min(after, last), study_.events.begin() + last};
  }
  std::vector<EventRow> events_of(const TrialRow& trial) override {
    std::vector<EventRow> out{with_before(trial.asked)};
    if (trial.latest != trial.asked) out.push_back(with_before(trial.latest));
    return out;
  }
  std::vector<EventRow> last_events(const LogHead& head) override {
    return head.events == 0 ? std::vector<EventRow>{} : std::vector<EventRow>{with_before(head.events)};
  }
  bool asked_since(std::int64_t seq) override {
    for (const EventRow& row : events(seq, study_.head.events))
      if (row.kind == "asked") return true;
    return false;
  }
  void append(const EventRow& row) override { events_.push_back(row); }

  LogHead head() override { return study_.head; }
  void set_head(const LogHead& head) override { head_ = head; }

  std::optional<TrialRow> trial(std::int64_t number) override {
    if (number < 0 || number >= static_cast<std::int64_t>(study_.trials.size())) return {};
    return study_.trials[static_cast<std::size_t>(number)];
  }
  std::vector<TrialRow> trials(bool only_pending) override {
    std::vector<TrialRow> out;
    for (const TrialRow& row : study_.trials)
      if (!only_pending || row.state == 0) out.push_back(row);
    return out;
  }
  std::int64_t trial_count(bool only_pending) override {
    return static_cast<std::int64_t>(trials(only_pending).size());
  }
  void insert(const TrialRow& row) override { trials_.push_back(row); }
  void update(const TrialRow& row) override { updates_.push_back(row); }

  double now() override { return options_.clock ? options_.clock() : machine_clock(); }

  void commit() {
    study_.events.insert(study_.events.end(), events_.begin(), events_.end());
    study_.trials.insert(study_.trials.end(), trials_.begin(), trials_.end());
    for (const TrialRow& row : updates_) study_.trials[static_cast<std::size_t>(row.number)] = row;
    if (head_) study_.head = *head_;
  }

 private:
  EventRow with_before(std::int64_t seq) const {
    EventRow out = study_.events[static_cast<std::size_t>(seq - 1)];
    out.before = seq == 1 ? study_.head.origin : study_.events[static_cast<std::size_t>(seq - 2)].digest;
    return out;
  }

  MemoryStudy& study_;
  const StorageOptions& options_;
  std::optional<LogHead> head_;
  std::vector<EventRow> events_;
  std::vector<TrialRow> trials_;
  std::vector<TrialRow> updates_;
};

class MemoryBackend final : public StorageBackend {
 public:
  MemoryBackend(std::shared_ptr<MemoryStudy> study, StorageOptions options)
      : study_(std::move(study)), options_(std::move(options)) {}

  SpecBundle bundle() override {
    const std::lock_guard lock(study_->mutex);
    return study_->bundle;
  }
  void read(const Work& work) override { write(work); }
  void write(const Work& work) override {
    const std::lock_guard lock(study_->mutex);
    MemoryRows rows(*study_, options_);
    work(rows);
    rows.commit();
  }

 private:
  std::shared_ptr<MemoryStudy> study_;
  StorageOptions options_;
};

}  // namespace

double machine_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

BackendPointer create_memory(const std::string& name, const SpecBundle& bundle, const StorageOptions& options,
                             const StorageBackend::Work& begin) {
  const auto study = std::make_shared<MemoryStudy>();
  study->bundle = bundle;
  study->head.origin = study->head.digest = origin_digest(bundle);
  auto backend = std::make_unique<MemoryBackend>(study, options);
  backend->write(begin);
  registry().add(name, study);
  return backend;
}

BackendPointer open_memory(const std::string& name, const StorageOptions& options) {
  return std::make_unique<MemoryBackend>(registry().find(name), options);
}

}  // namespace iqbo
