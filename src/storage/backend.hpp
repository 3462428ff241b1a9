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
};

struct TrialRow {
  std::int64_t number;
  std::int64_t state;  // TrialState
  std::string worker;
  double lease_until;
  std::int64_t handouts;
  std::string body;  // the trial as JSON; the columns above override it
};

// The rows of one study.
class StorageRows {
 public:
  virtual ~StorageRows() = default;

  virtual std::vector<EventRow> events(std::int64_t after) = 0;
  virtual std::int64_t last_event() = 0;
  virtual bool asked_since(std::int64_t seq) = 0;
  virtual void append(const EventRow& row) = 0;

  virtual std::int64_t trial_count() = 0;  // numbers are 0 .. count - 1
  virtual std::optional<TrialRow> trial(std::int64_t number) = 0;
  virtual std::vector<TrialRow> trials(bool only_pending) = 0;
  virtual void insert(const TrialRow& row) = 0;
  virtual void update(const TrialRow& row) = 0;

  virtual double now() = 0;
};

class StorageBackend {
 public:
  using Work = std::function<void(StorageRows&)>;

  virtual ~StorageBackend() = default;
  virtual SpecBundle bundle() = 0;
  virtual void read(const Work& work) = 0;
  virtual void write(const Work& work) = 0;  // one transaction: all of `work`, or an exception and no change
};

using BackendPointer = std::unique_ptr<StorageBackend>;

// `study`: the name of the study there.
BackendPointer create_memory(const std::string& name, const SpecBundle& bundle, const StorageOptions& options);
BackendPointer open_memory(const std::string& name, const StorageOptions& options);
BackendPointer create_sqlite(const std::string& file, const SpecBundle& bundle, const StorageOptions& options);
BackendPointer open_sqlite(const std::string& file, Access access, const StorageOptions& options);
BackendPointer create_postgresql(const std::string& url, const SpecBundle& bundle, const StorageOptions& options);
BackendPointer open_postgresql(const std::string& url, Access access, const StorageOptions& options);

double machine_clock();

}  // namespace iqbo
