// What a backend must offer to store a study: rows, and transactions around them. storage.cpp gives the rows their
// meaning, once for all backends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/storage/storage.hpp"

namespace iqbo {

struct EventRow {
  std::int64_t seq;
  double time;
  std::string kind;
  std::string body;
  std::string digest = {};  // digest.hpp; "": written by a version that had none
  std::string before = {};  // the digest of the event before; only where it is said to be read
};

// The state of a pending trial's lease, and where the log has the trial. Everything else about it is in the log alone.
struct TrialRow {
  std::int64_t number;
  std::int64_t state;  // TrialState
  std::string worker;
  double lease_until;  // by the clock now() of whoever reads it
  std::int64_t handouts;
  std::int64_t asked;   // the event that handed it out; 0: written by a version that did not keep it
  std::int64_t latest;  // the last event about it
};

// What the log must end with.
struct LogHead {
  std::int64_t events = 0;
  std::int64_t trials = 0;
  std::string origin = {};  // the digest of the spec and its files; "": written by a version that had none
  std::string digest = {};  // of the last event; of the origin if there is none
};

// The rows of one study.
class StorageRows {
 public:
  virtual ~StorageRows() = default;

  virtual std::vector<EventRow> events(std::int64_t after, std::int64_t to) = 0;  // after < seq <= to
  virtual std::vector<EventRow> events_of(const TrialRow& trial) = 0;             // asked and latest, with `before`
  virtual std::vector<EventRow> last_events(const LogHead& head) = 0;             // seq >= head.events, with `before`
  virtual bool asked_since(std::int64_t seq) = 0;
  virtual void append(const EventRow& row) = 0;

  virtual LogHead head() = 0;
  virtual void set_head(const LogHead& head) = 0;

  virtual std::optional<TrialRow> trial(std::int64_t number) = 0;
  virtual std::vector<TrialRow> trials(bool only_pending) = 0;
  virtual std::int64_t trial_count(bool only_pending) = 0;
  virtual void insert(const TrialRow& row) = 0;
  virtual void update(const TrialRow& row) = 0;

  virtual double now() = 0;
};

class StorageBackend {
 public:
  using Work = std::function<void(StorageRows&)>;

  virtual ~StorageBackend() = default;
  virtual SpecBundle bundle() = 0;
  virtual void read(const Work& work) = 0;   // all of `work` sees one moment
  virtual void write(const Work& work) = 0;  // one transaction: all of `work`, or an exception and no change
  virtual std::vector<std::string> broken_pages() { return {}; }  // what the database itself finds wrong
};

using BackendPointer = std::unique_ptr<StorageBackend>;

// `begin` writes the first events, in the transaction that creates the study.
BackendPointer create_memory(const std::string& name, const SpecBundle& bundle, const StorageOptions& options,
                             const StorageBackend::Work& begin);
BackendPointer open_memory(const std::string& name, const StorageOptions& options);
BackendPointer create_sqlite(const std::string& file, const SpecBundle& bundle, const StorageOptions& options,
                             const StorageBackend::Work& begin);
BackendPointer open_sqlite(const std::string& file, Access access, const StorageOptions& options);
BackendPointer create_postgresql(const std::string& url, const SpecBundle& bundle, const StorageOptions& options,
                                 const StorageBackend::Work& begin);
BackendPointer open_postgresql(const std::string& url, Access access, const StorageOptions& options);

double machine_clock();

}  // namespace iqbo
