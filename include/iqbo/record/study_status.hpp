// How far a study is.
#pragma once

#include <cstdint>
#include <optional>

namespace iqbo {

struct StudyStatus {
  std::int64_t told = 0;
  std::int64_t pending = 0;
  std::int64_t failed = 0;
  std::int64_t imported = 0;   // answers
  std::int64_t values = 0;     // of f
  std::int64_t pairs = 0;      // besides those of the spec
  double spent = 0;            // costs of told and pending trials and of imported answers
  std::optional<double> left;  // of the budget
  std::int64_t last_event = 0;
  bool operator==(const StudyStatus&) const = default;
};

}  // namespace iqbo
