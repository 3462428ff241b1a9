// What a check of a stored study found (Storage::check): what is wrong, and what is still as iqbo wrote it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace iqbo {

struct StorageCheck {
  bool digests = true;                    // false: written by a version without; only what cannot be read is found
  std::int64_t events = 0;                // that the log should have
  std::int64_t trials = 0;                // that were handed out, as far as can be read
  std::vector<std::string> problems;      // one sentence each; none: all is well
  std::vector<std::int64_t> bad_events;   // changed, missing or unreadable
  std::vector<std::int64_t> good_trials;  // all events about them are as they were written
  std::vector<std::int64_t> bad_trials;   // an event about them is not, or may be missing
};

}  // namespace iqbo
