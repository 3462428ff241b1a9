#include "log.hpp"

#include <algorithm>
#include <limits>

#include "digest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/json.hpp"
#include "record/trial_events.hpp"

namespace iqbo {

using internal::apply;

namespace {

constexpr const char* kChanged = "it was changed after it was written: its digest differs";

std::string counted(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// The counts that must agree with each other when a log is read from its beginning.
struct Counts {
  std::int64_t trials = 0;
  std::int64_t pending = 0;

  void add(const EventRow& row) {
    trials += row.kind == "asked";
    pending += static_cast<std::int64_t>(row.kind == "asked") - (row.kind == "told") - (row.kind == "failed");
  }
  void check(StorageRows& rows, const LogHead& head, const StorageLocation& location) const {
    const auto compare = [&](std::int64_t found, const char* what, std::int64_t expected) {
      if (found != expected)
        report_damage(location, "the table of trials",
                      "it has " + std::to_string(found) + what + ", and the log has " + std::to_string(expected));
    };
    compare(rows.trial_count(false), " trials", trials);
    compare(rows.trial_count(true), " pending trials", pending);
    if (!head.digest.empty()) compare(head.trials, " trials, says the study", trials);
  }
};

// The digest before the first of `rows`, which start with event `after` itself if `after` > 0.
std::string before_first(std::vector<EventRow>& rows, std::int64_t after, const LogHead& head,
                         const StorageLocation& location, const LogMark& mark) {
  if (after == 0) return head.origin;
  const bool found = !rows.empty() && rows.front().seq == after;
  if (!found) report_damage(location, named_event(after), "it is missing");
  const std::string digest = rows.front().digest;
  if (mark.seq == after && mark.digest != digest)
    report_damage(location, named_event(after), "it is not the one that was read before");
  rows.erase(rows.begin());
  return digest;
}

// The trial that an event is about, if there is one.
std::optional<std::int64_t> trial_of(const EventBody& body) {
  return std::visit(
      [](const auto& each) -> std::optional<std::int64_t> {
        if constexpr (requires { each.trial.number; })
          return each.trial.number;
        else if constexpr (requires { each.trial; })
          return each.trial;
        else
          return std::nullopt;
      },
      body);
}

}  // namespace

std::string named_event(std::int64_t seq) { return "event " + std::to_string(seq); }
std::string named_trial(std::int64_t number) { return "trial " + std::to_string(number); }

void report_damage(const StorageLocation& location, const std::string& what, const std::string& why) {
  throw StorageError(StorageError::Kind::kDamaged,
                     location.shown + ": " + what + " is damaged (" + why +
                         "); iqbo check says what is still good; restore the study from a backup");
}

Event event_of(const StorageLocation& location, const EventRow& row, std::string_view before) {
  const bool chained = !row.digest.empty() || !before.empty();  // version 1 has no digests at all
  if (chained && event_digest(before, row) != row.digest) report_damage(location, named_event(row.seq), kChanged);
  try {
    return {row.seq, row.time, body_from_json(row.kind, row.body)};
  } catch (const std::invalid_argument& error) {
    report_damage(location, named_event(row.seq), error.what());
  }
}

// --- writing ---

LogWriter::LogWriter(StorageRows& rows, const StorageLocation& location) : rows_(rows), head_(rows.head()) {
  if (head_.events < 0) report_damage(location, "the study", "it does not say how its log ends");
  const std::vector<EventRow> last = rows.last_events(head_);
  if (head_.events == 0 && last.empty()) return;
  if (last.size() != 1 || last[0].seq != head_.events)
    report_damage(location, "the log",
                  "it should end with " + named_event(head_.events) + ", and that one is " +
                      (last.empty() || last[0].seq != head_.events ? "missing" : "not the last"));
  if (last[0].digest != head_.digest || event_digest(last[0].before, last[0]) != head_.digest)
    report_damage(location, named_event(head_.events), kChanged);
}

// Refuses to write what could not be read back: infinities, and whatever else the reader of records refuses.
std::int64_t LogWriter::append(const EventBody& body) {
  EventRow row{head_.events + 1, rows_.now(), event_kind(body), body_to_json(body)};
  body_from_json(row.kind, row.body);
  row.digest = event_digest(head_.digest, row);
  rows_.append(row);
  head_.events = row.seq;
  head_.digest = row.digest;
  return row.seq;
}

std::int64_t LogWriter::append_asked(const Trial& trial) {
  ++head_.trials;
  return append(Asked{trial});
}

void LogWriter::finish() { rows_.set_head(head_); }

// --- reading ---

std::vector<Event> read_log(StorageRows& rows, const StorageLocation& location, const SpecBundle& bundle,
                            std::int64_t after, LogMark& mark) {
  const LogHead head = rows.head();
  if (head.events < 0) report_damage(location, "the study", "it does not say how its log ends");
  if (after > head.events) return {};
  std::vector<EventRow> found =
      rows.events(std::max<std::int64_t>(after - 1, 0), std::numeric_limits<std::int64_t>::max());
  std::string digest = before_first(found, after, head, location, mark);
  if (after == 0 && !head.origin.empty() && origin_digest(bundle) != head.origin)
    report_damage(location, "the spec or one of its files", kChanged);
  std::vector<Event> out;
  out.reserve(found.size());
  Counts counts;
  std::int64_t seq = after;
  for (EventRow& row : found) {
    if (row.seq != ++seq) report_damage(location, named_event(seq), "it is missing: expected no gap in the log");
    out.push_back(event_of(location, row, digest));
    digest = row.digest;
    counts.add(row);
    const std::int64_t known = after == 0 ? counts.trials : head.trials;
    if (const auto trial = trial_of(out.back().body); trial && (*trial < 0 || *trial >= known))
      report_damage(location, named_event(seq), "there is no " + named_trial(*trial));
  }
  if (seq != head.events)
    report_damage(location, "the log",
                  "it has " + counted(seq, "event") + ", and should have " + std::to_string(head.events));
  if (digest != head.digest) report_damage(location, named_event(seq), kChanged);
  if (after == 0) counts.check(rows, head, location);
  mark = {seq, digest};
  return out;
}

namespace {

struct Folded {
  Trial trial;
  std::int64_t asked = 0;
  std::int64_t latest = 0;
};

std::vector<Folded> folded(const std::vector<Event>& log, const StorageLocation& location) {
  std::vector<Folded> out;
  for (const Event& event : log)
    std::visit(
        [&](const auto& body) {
          if constexpr (requires { body.trial.number; }) {
            if (body.trial.number != static_cast<std::int64_t>(out.size()))
              report_damage(
                  location, named_event(event.seq),
                  "it hands out trial " + std::to_string(body.trial.number) + ", not " + std::to_string(out.size()));
            out.push_back({body.trial, event.seq, event.seq});
          } else if constexpr (requires { body.trial; }) {
            Folded& one = out[static_cast<std::size_t>(body.trial)];
            apply(body, one.trial);
            one.latest = event.seq;
          }
        },
        event.body);
  return out;
}

// The trial with the lease that its row has; the rest of the row must agree with the log.
Trial leased(Trial trial, const TrialRow& row, const StorageLocation& location) {
  const auto compare = [&](bool same, const char* what) {
    if (!same)
      report_damage(location, "the row of " + named_trial(row.number),
                    std::string(what) + " of the trial is not what the log says");
  };
  compare(trial.number == row.number, "the number");
  compare(static_cast<std::int64_t>(trial.state) == row.state, "the state");
  trial.lease_until = row.lease_until;
  return trial;
}

}  // namespace

Trial read_trial(StorageRows& rows, const StorageLocation& location, const TrialRow& row) {
  const std::vector<EventRow> found = rows.events_of(row);
  const bool one = row.asked == row.latest;
  if (found.size() != (one ? 1U : 2U) || found[0].kind != "asked")
    report_damage(location, "the row of " + named_trial(row.number), "its events are not in the log");
  Trial trial = std::get<Asked>(event_of(location, found[0], found[0].before).body).trial;
  if (!one)
    std::visit(
        [&](const auto& body) {
          if constexpr (requires { apply(body, trial); })
            if (body.trial == trial.number) return apply(body, trial);
          report_damage(location, "the row of " + named_trial(row.number),
                        named_event(row.latest) + " is about something else");
        },
        event_of(location, found[1], found[1].before).body);
  if (trial.state == TrialState::kPending && trial.worker != row.worker)
    report_damage(location, "the row of " + named_trial(row.number), "the log says that another worker holds it");
  trial.worker = row.worker;  // these two also follow from events in between, which are not read here
  trial.handouts = row.handouts;
  return leased(std::move(trial), row, location);
}

std::vector<Trial> trials_of(const std::vector<Event>& log, const std::vector<TrialRow>& rows,
                             const StorageLocation& location) {
  std::vector<Folded> all = folded(log, location);
  if (all.size() != rows.size())
    report_damage(location, "the table of trials",
                  "it has " + counted(static_cast<std::int64_t>(rows.size()), "trial") + ", and the log has " +
                      std::to_string(all.size()));
  std::vector<Trial> out;
  out.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TrialRow& row = rows[i];
    Folded& one = all[i];
    const bool placed = row.asked == 0 || (row.asked == one.asked && row.latest == one.latest);
    if (!placed || row.worker != one.trial.worker || row.handouts != one.trial.handouts)
      report_damage(location, "the row of " + named_trial(static_cast<std::int64_t>(i)),
                    "it does not agree with the log");
    out.push_back(leased(std::move(one.trial), row, location));
  }
  return out;
}

}  // namespace iqbo
