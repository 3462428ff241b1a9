#pragma once

#include <soci/soci.h>

#include "backend.hpp"
#include "steady_clock.hpp"

namespace iqbo {

class SqlRows final : public StorageRows {
 public:
  struct Clocks {
    std::function<double()> wall;
    const SteadyClock* steady = nullptr;  // null: leases go by `wall`, which all readers share
  };

  // `version`: of the schema. A study of version 1 can only be read.
  SqlRows(soci::session& sql, std::int64_t study, std::int64_t version, Clocks clocks)
      : sql_(sql), study_(study), version_(version), clocks_(std::move(clocks)) {}

  std::vector<EventRow> events(std::int64_t after, std::int64_t to) override;
  std::vector<EventRow> events_of(const TrialRow& trial) override;
  std::vector<EventRow> last_events(const LogHead& head) override;
  bool asked_since(std::int64_t seq) override;
  void append(const EventRow& row) override;
  LogHead head() override;
  void set_head(const LogHead& head) override;
  std::optional<TrialRow> trial(std::int64_t number) override;
  std::vector<TrialRow> trials(bool only_pending) override;
  std::int64_t trial_count(bool only_pending) override;
  void insert(const TrialRow& row) override;
  void update(const TrialRow& row) override;
  double now() override { return clocks_.wall(); }

 private:
  struct Lease {
    double until = 0;
    std::string boot = {};
    double steady_until = 0;
  };
  Lease stored(double lease_until);
  double lease_of(const Lease& lease);

  std::vector<EventRow> chained(const std::string& condition, std::int64_t first, std::int64_t second);
  std::vector<TrialRow> select_trials(const std::string& condition, std::int64_t argument);

  soci::session& sql_;
  std::int64_t study_;
  std::int64_t version_;
  Clocks clocks_;
};

}  // namespace iqbo
