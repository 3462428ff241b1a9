#pragma once

#include <soci/soci.h>

#include "backend.hpp"

namespace iqbo {

class SqlRows final : public StorageRows {
 public:
  SqlRows(soci::session& sql, std::int64_t study, std::function<double()> clock)
      : sql_(sql), study_(study), clock_(std::move(clock)) {}

  std::vector<EventRow> events(std::int64_t after) override;
  std::int64_t last_event() override;
  bool asked_since(std::int64_t seq) override;
  void append(const EventRow& row) override;
  std::int64_t trial_count() override;
  std::optional<TrialRow> trial(std::int64_t number) override;
  std::vector<TrialRow> trials(bool only_pending) override;
  void insert(const TrialRow& row) override;
  void update(const TrialRow& row) override;
  double now() override { return clock_(); }

 private:
  std::int64_t count(const char* statement);

  soci::session& sql_;
  std::int64_t study_;
  std::function<double()> clock_;
};

}  // namespace iqbo
