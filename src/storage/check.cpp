#include "check.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "digest.hpp"
#include "log.hpp"

namespace iqbo {
namespace {

class Check {
 public:
  Check(StorageBackend& backend, const SpecBundle& bundle, const StorageLocation& location)
      : backend_(backend), bundle_(bundle), location_(location) {}

  StorageCheck run() {
    attempt("the database", [&] {
      for (const std::string& each : backend_.broken_pages()) problem("the database reports: " + each);
    });
    LogHead head;
    attempt("the head of the log", [&] { backend_.read([&](StorageRows& rows) { head = rows.head(); }); });
    if (head.events < 0) problem("the study does not say how its log ends");
    out_.digests = !head.digest.empty();
    if (out_.digests && origin_digest(bundle_) != head.origin)
      problem("the spec or one of its files was changed after the study was made");
    look_at_events(head);
    look_at_trials(head);
    return out_;
  }

 private:
  void problem(const std::string& text) { out_.problems.push_back(text); }

  template <class Work>
  void attempt(const std::string& what, const Work& work) {
    try {
      work();
    } catch (const StorageError& error) {
      problem(what + " cannot be read: " + error.what());
    }
  }

  // All rows at once; where that fails one by one, so that one broken page does not hide the others.
  std::map<std::int64_t, EventRow> rows_of(const LogHead& head) {
    std::map<std::int64_t, EventRow> out;
    const auto add = [&](std::int64_t after, std::int64_t to) {
      backend_.read([&](StorageRows& rows) {
        for (EventRow& row : rows.events(after, to)) out.emplace(row.seq, row);
      });
    };
    try {
      add(0, std::numeric_limits<std::int64_t>::max());
    } catch (const StorageError&) {
      for (std::int64_t seq = 1, last = 0; seq <= plausible(head.events, last); ++seq) try {
          add(seq - 1, seq);
          if (!out.empty()) last = out.rbegin()->first;
        } catch (const StorageError&) {  // it is missing, then
        }
    }
    return out;
  }

  // A count may be damaged itself, and nobody could wait for all the events that it promises.
  static std::int64_t plausible(std::int64_t said, std::int64_t found) {
    constexpr std::int64_t kMostMissing = 100'000;
    return said > kMostMissing && said - kMostMissing > found ? found : said;
  }

  // The largest number before a gap that no log has: a number may be damaged, too.
  static std::int64_t last_of(const std::map<std::int64_t, EventRow>& rows) {
    std::int64_t out = 0;
    for (const auto& [seq, row] : rows)
      if (plausible(seq, out) == seq) out = std::max(out, seq);
    return out;
  }

  void look_at_events(const LogHead& head) {
    const std::map<std::int64_t, EventRow> rows = rows_of(head);
    const std::int64_t last = last_of(rows);
    out_.events = std::max(plausible(head.events, last), last);
    if (out_.events < head.events)
      problem("the study says that it has " + std::to_string(head.events) +
              " events, and the last that can be read is " + named_event(last));
    std::string before = head.origin;
    for (std::int64_t seq = 1; seq <= out_.events; ++seq) {
      const auto found = rows.find(seq);
      if (found == rows.end()) {
        bad(seq, "is missing or cannot be read");
        before.clear();
        continue;
      }
      // After a gap the digest before is unknown; then only the next but one can be checked again.
      const bool known = !before.empty() || !out_.digests;
      try {
        const Event event = event_of(location_, without_digest_if(found->second, !known), before);
        if (!known) bad(seq, "cannot be checked, because the event before it is missing");
        if (const auto* asked = std::get_if<Asked>(&event.body); known && asked != nullptr)
          asked_.insert(asked->trial.number);
      } catch (const StorageError&) {
        bad(seq, "was changed after it was written");
      }
      before = found->second.digest;
    }
    if (out_.digests && head.events >= 0 && out_.events > head.events)
      problem("the log goes on after event " + std::to_string(head.events) + ", where it should end");
    else if (out_.digests && out_.events > 0 && !before.empty() && before != head.digest)
      problem("the log does not end with the event that the study names as its last");
  }

  static EventRow without_digest_if(EventRow row, bool drop) {
    if (drop) row.digest.clear();
    return row;
  }

  void bad(std::int64_t seq, const std::string& why) {
    problem(named_event(seq) + " " + why);
    out_.bad_events.push_back(seq);
  }

  void look_at_trials(const LogHead& head) {
    std::vector<TrialRow> rows;
    attempt("the table of trials", [&] {
      backend_.read([&](StorageRows& all) { rows = all.trials(false); });
      for (const TrialRow& row : rows) look_at(row);
    });
    const auto listed_count = static_cast<std::int64_t>(rows.size());
    out_.trials =
        std::max({listed_count, plausible(head.trials, listed_count), plausible(largest(asked_) + 1, listed_count)});
    if (out_.trials < head.trials)
      problem("the study says that it has " + std::to_string(head.trials) + " trials, and its table of trials has " +
              std::to_string(listed_count));
    std::set<std::int64_t> listed;
    for (const TrialRow& row : rows) listed.insert(row.number);
    for (std::int64_t number = 0; number < out_.trials; ++number) {
      if (listed.count(number) == 0) {
        problem("the row of " + named_trial(number) + " is missing in the table of trials");
        doubtful_.insert(number);
      }
      const bool trusted = asked_.count(number) > 0 && doubtful_.count(number) == 0;
      (trusted ? out_.good_trials : out_.bad_trials).push_back(number);
    }
  }

  void look_at(const TrialRow& row) {
    if (row.asked == 0) return;
    try {
      backend_.read([&](StorageRows& rows) { read_trial(rows, location_, row); });
    } catch (const StorageError& error) {
      doubtful_.insert(row.number);
      const auto is_bad = [&](std::int64_t seq) {
        return std::count(out_.bad_events.begin(), out_.bad_events.end(), seq) > 0;
      };
      if (!is_bad(row.asked) && !is_bad(row.latest)) problem(error.what());  // else that is known of the event
    }
  }

  static std::int64_t largest(const std::set<std::int64_t>& of) { return of.empty() ? -1 : *of.rbegin(); }

  StorageBackend& backend_;
  const SpecBundle& bundle_;
  const StorageLocation& location_;
  StorageCheck out_;
  std::set<std::int64_t> asked_;     // trials whose first event is as it was written
  std::set<std::int64_t> doubtful_;  // trials of which something is not
};

}  // namespace

StorageCheck check_study(StorageBackend& backend, const SpecBundle& bundle, const StorageLocation& location) {
  return Check(backend, bundle, location).run();
}

}  // namespace iqbo
