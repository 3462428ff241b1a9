// Studies that live as long as the process: for tests, and for runs that are never resumed.
#include <chrono>
#include <map>
#include <mutex>

#include "backend.hpp"

namespace iqbo {
namespace {

struct MemoryStudy {
  std::mutex mutex;
  SpecBundle bundle;
  std::vector<EventRow> events;
  std::vector<TrialRow> trials;
};

class MemoryRegistry {
 public:
  std::shared_ptr<MemoryStudy> create(const std::string& name) {
    const std::lock_guard lock(mutex_);
    auto [place, fresh] = studies_.emplace(name, nullptr);
    if (!fresh) throw StorageError(StorageError::Kind::kExists, "memory:" + name + ": there is a study already");
    return place->second = std::make_shared<MemoryStudy>();
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

  std::vector<EventRow> events(std::int64_t after) override {
    return {study_.events.begin() + std::min(after, static_cast<std::int64_t>(study_.events.size())),
            study_.events.end()};
  }
  std::int64_t last_event() override { return static_cast<std::int64_t>(study_.events.size() + events_.size()); }
  bool asked_since(std::int64_t seq) override {
    for (const EventRow& row : events(seq))
      if (row.kind == "asked") return true;
    return false;
  }
  void append(const EventRow& row) override { events_.push_back(row); }

  std::int64_t trial_count() override { return static_cast<std::int64_t>(study_.trials.size() + trials_.size()); }
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
  void insert(const TrialRow& row) override { trials_.push_back(row); }
  void update(const TrialRow& row) override { updates_.push_back(row); }

  double now() override { return options_.clock ? options_.clock() : machine_clock(); }

  void commit() {
    study_.events.insert(study_.events.end(), events_.begin(), events_.end());
    study_.trials.insert(study_.trials.end(), trials_.begin(), trials_.end());
    for (const TrialRow& row : updates_) study_.trials[static_cast<std::size_t>(row.number)] = row;
  }

 private:
  MemoryStudy& study_;
  const StorageOptions& options_;
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

BackendPointer create_memory(const std::string& name, const SpecBundle& bundle, const StorageOptions& options) {
  const auto study = registry().create(name);
  const std::lock_guard lock(study->mutex);
  study->bundle = bundle;
  return std::make_unique<MemoryBackend>(study, options);
}

BackendPointer open_memory(const std::string& name, const StorageOptions& options) {
  return std::make_unique<MemoryBackend>(registry().find(name), options);
}

}  // namespace iqbo
