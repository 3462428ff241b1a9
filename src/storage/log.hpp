// The log of a study, as a chain of digests (digest.hpp): written link by link, and checked wherever it is read.
#pragma once

#include <vector>

#include "backend.hpp"
#include "iqbo/record/event.hpp"
#include "location.hpp"

namespace iqbo {

// Throws StorageError::kDamaged: says that `what` is damaged, `why`, and what to do.
[[noreturn]] void report_damage(const StorageLocation& location, const std::string& what, const std::string& why);

std::string named_event(std::int64_t seq);
std::string named_trial(std::int64_t number);

// The event of a row whose digest fits.
Event event_of(const StorageLocation& location, const EventRow& row, std::string_view before);

// Appends events within one transaction. The last event before them is checked first.
class LogWriter {
 public:
  LogWriter(StorageRows& rows, const StorageLocation& location);

  const LogHead& head() const { return head_; }
  std::int64_t append(const EventBody& body);     // its seq
  std::int64_t append_asked(const Trial& trial);  // the same, and one more trial
  void finish();                                  // writes the head: to be called last

 private:
  StorageRows& rows_;
  LogHead head_;
};

// Where the last reading ended: the next one goes on from there, and notices if the log is another by then.
struct LogMark {
  std::int64_t seq = 0;
  std::string digest = {};
};

// The events with seq > after. Checks each of them, and that the log ends where its head says; from the beginning also
// that it agrees with the spec and with the rows of trials.
std::vector<Event> read_log(StorageRows& rows, const StorageLocation& location, const SpecBundle& bundle,
                            std::int64_t after, LogMark& mark);

// One trial, from its events.
Trial read_trial(StorageRows& rows, const StorageLocation& location, const TrialRow& row);

// All trials, from the events of a whole log and the rows, which must agree.
std::vector<Trial> trials_of(const std::vector<Event>& log, const std::vector<TrialRow>& rows,
                             const StorageLocation& location);

}  // namespace iqbo
