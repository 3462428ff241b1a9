#include "sql_rows.hpp"

#include <cmath>

namespace iqbo {

using soci::into;
using soci::use;

std::vector<EventRow> SqlRows::events(std::int64_t after, std::int64_t to) {
  std::vector<EventRow> out;
  EventRow row{};
  const std::string digest = version_ < 2 ? "''" : "digest";
  soci::statement each =
      (sql_.prepare << "SELECT seq, time, kind, body, " + digest +
                           " FROM iqbo_event WHERE study = :study AND seq > :after AND seq <= :to ORDER BY seq",
       into(row.seq), into(row.time), into(row.kind), into(row.body), into(row.digest), use(study_), use(after),
       use(to));
  each.execute();
  while (each.fetch()) out.push_back(row);
  return out;
}

std::vector<EventRow> SqlRows::chained(const std::string& condition, std::int64_t first, std::int64_t second) {
  std::vector<EventRow> out;
  EventRow row{};
  soci::statement each =
      (sql_.prepare << "SELECT e.seq, e.time, e.kind, e.body, e.digest, COALESCE((SELECT p.digest FROM iqbo_event p "
                       "WHERE p.study = e.study AND p.seq = e.seq - 1), (SELECT h.origin FROM iqbo_head h WHERE "
                       "h.study = e.study)) FROM iqbo_event e WHERE e.study = :study AND " +
                           condition + " ORDER BY e.seq",
       into(row.seq), into(row.time), into(row.kind), into(row.body), into(row.digest), into(row.before), use(study_),
       use(first), use(second));
  each.execute();
  while (each.fetch()) out.push_back(row);
  return out;
}

std::vector<EventRow> SqlRows::events_of(const TrialRow& trial) {
  return chained("e.seq IN (:asked, :latest)", trial.asked, trial.latest);
}

std::vector<EventRow> SqlRows::last_events(const LogHead& head) {
  return chained("e.seq >= :first AND e.seq >= :second", head.events, std::int64_t{1});
}

bool SqlRows::asked_since(std::int64_t seq) {
  std::int64_t found = 0;
  sql_ << "SELECT COUNT(*) FROM iqbo_event WHERE study = :study AND seq > :seq AND kind = 'asked'", into(found),
      use(study_), use(seq);
  return found > 0;
}

void SqlRows::append(const EventRow& row) {
  sql_ << "INSERT INTO iqbo_event (study, seq, time, kind, body, digest) VALUES (:study, :seq, :time, :kind, :body, "
          ":digest)",
      use(study_), use(row.seq), use(row.time), use(row.kind), use(row.body), use(row.digest);
}

LogHead SqlRows::head() {
  LogHead out;
  if (version_ < 2) {
    sql_ << "SELECT COALESCE(MAX(seq), 0) FROM iqbo_event WHERE study = :study", into(out.events), use(study_);
    sql_ << "SELECT COALESCE(MAX(number), -1) + 1 FROM iqbo_trial WHERE study = :study", into(out.trials), use(study_);
    return out;
  }
  sql_ << "SELECT events, trials, origin, digest FROM iqbo_head WHERE study = :study", into(out.events),
      into(out.trials), into(out.origin), into(out.digest), use(study_);
  if (!sql_.got_data()) out.events = -1;  // which no log has
  return out;
}

void SqlRows::set_head(const LogHead& head) {
  sql_ << "UPDATE iqbo_head SET events = :events, trials = :trials, digest = :digest WHERE study = :study",
      use(head.events), use(head.trials), use(head.digest), use(study_);
}

// --- trials ---

SqlRows::Lease SqlRows::stored(double lease_until) {
  if (clocks_.steady == nullptr || lease_until == 0) return {lease_until};
  return {lease_until, clocks_.steady->boot(), SteadyClock::now() + (lease_until - now())};
}

// A lease of an earlier start of the machine is held by no process any more, but perhaps by a person: only the wall clock
// says how long ago that was.
double SqlRows::lease_of(const Lease& lease) {
  if (clocks_.steady == nullptr || lease.boot.empty() || lease.boot != clocks_.steady->boot()) return lease.until;
  constexpr double kSame = 1e-3;  // seconds: as long as nobody sets the wall clock, it says the same for all readers
  const double until = now() + (lease.steady_until - SteadyClock::now());
  return std::abs(until - lease.until) < kSame ? lease.until : until;
}

std::vector<TrialRow> SqlRows::select_trials(const std::string& condition, std::int64_t argument) {
  std::vector<TrialRow> out;
  TrialRow row{};
  Lease lease;
  const std::string more = version_ < 2 ? "'', 0, 0, 0" : "boot, steady_until, asked, latest";
  soci::statement each =
      (sql_.prepare << "SELECT number, state, worker, lease_until, handouts, " + more +
                           " FROM iqbo_trial WHERE study = :study AND " + condition + " ORDER BY number",
       into(row.number), into(row.state), into(row.worker), into(lease.until), into(row.handouts), into(lease.boot),
       into(lease.steady_until), into(row.asked), into(row.latest), use(study_), use(argument));
  each.execute();
  while (each.fetch()) {
    row.lease_until = lease_of(lease);
    out.push_back(row);
  }
  return out;
}

std::optional<TrialRow> SqlRows::trial(std::int64_t number) {
  const auto found = select_trials("number = :number", number);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<TrialRow> SqlRows::trials(bool only_pending) {
  constexpr std::int64_t kAll = 0;
  return only_pending ? select_trials("state = :state", 0) : select_trials("number >= :least", kAll);
}

std::int64_t SqlRows::trial_count(bool only_pending) {
  std::int64_t out = 0;
  const std::string all = "SELECT COUNT(*) FROM iqbo_trial WHERE study = :study";
  sql_ << (only_pending ? all + " AND state = 0" : all), into(out), use(study_);
  return out;
}

void SqlRows::insert(const TrialRow& row) {
  const Lease lease = stored(row.lease_until);
  sql_ << "INSERT INTO iqbo_trial (study, number, state, worker, lease_until, boot, steady_until, handouts, asked, "
          "latest) VALUES (:study, :number, :state, :worker, :lease, :boot, :steady, :handouts, :asked, :latest)",
      use(study_), use(row.number), use(row.state), use(row.worker), use(lease.until), use(lease.boot),
      use(lease.steady_until), use(row.handouts), use(row.asked), use(row.latest);
}

void SqlRows::update(const TrialRow& row) {
  const Lease lease = stored(row.lease_until);
  sql_ << "UPDATE iqbo_trial SET state = :state, worker = :worker, lease_until = :lease, boot = :boot, "
          "steady_until = :steady, handouts = :handouts, latest = :latest WHERE study = :study AND number = :number",
      use(row.state), use(row.worker), use(lease.until), use(lease.boot), use(lease.steady_until), use(row.handouts),
      use(row.latest), use(study_), use(row.number);
}

}  // namespace iqbo
