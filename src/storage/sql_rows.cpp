#include "sql_rows.hpp"

namespace iqbo {

using soci::into;
using soci::use;

std::vector<EventRow> SqlRows::events(std::int64_t after) {
  std::vector<EventRow> out;
  EventRow row{};
  soci::statement each = (sql_.prepare << "SELECT seq, time, kind, body FROM iqbo_event WHERE study = :study AND "
                                          "seq > :after ORDER BY seq",
                          into(row.seq), into(row.time), into(row.kind), into(row.body), use(study_), use(after));
  each.execute();
  while (each.fetch()) out.push_back(row);
  return out;
}

std::int64_t SqlRows::count(const char* statement) {
  std::int64_t value = 0;
  sql_ << statement, into(value), use(study_);
  return value;
}

std::int64_t SqlRows::last_event() {
  return count("SELECT COALESCE(MAX(seq), 0) FROM iqbo_event WHERE study = :study");
}

bool SqlRows::asked_since(std::int64_t seq) {
  std::int64_t found = 0;
  sql_ << "SELECT COUNT(*) FROM iqbo_event WHERE study = :study AND seq > :seq AND kind = 'asked'", into(found),
      use(study_), use(seq);
  return found > 0;
}

void SqlRows::append(const EventRow& row) {
  sql_ << "INSERT INTO iqbo_event (study, seq, time, kind, body) VALUES (:study, :seq, :time, :kind, :body)",
      use(study_), use(row.seq), use(row.time), use(row.kind), use(row.body);
}

std::int64_t SqlRows::trial_count() {
  return count("SELECT COALESCE(MAX(number), -1) + 1 FROM iqbo_trial WHERE study = :study");
}

std::optional<TrialRow> SqlRows::trial(std::int64_t number) {
  TrialRow row{};
  sql_ << "SELECT number, state, worker, lease_until, handouts, body FROM iqbo_trial WHERE study = :study AND "
          "number = :number",
      into(row.number), into(row.state), into(row.worker), into(row.lease_until), into(row.handouts), into(row.body),
      use(study_), use(number);
  if (!sql_.got_data()) return {};
  return row;
}

std::vector<TrialRow> SqlRows::trials(bool only_pending) {
  std::vector<TrialRow> out;
  TrialRow row{};
  const std::int64_t largest_state = only_pending ? 0 : 2;
  soci::statement each =
      (sql_.prepare << "SELECT number, state, worker, lease_until, handouts, body FROM iqbo_trial WHERE study = :study "
                       "AND state <= :state ORDER BY number",
       into(row.number), into(row.state), into(row.worker), into(row.lease_until), into(row.handouts), into(row.body),
       use(study_), use(largest_state));
  each.execute();
  while (each.fetch()) out.push_back(row);
  return out;
}

void SqlRows::insert(const TrialRow& row) {
  sql_ << "INSERT INTO iqbo_trial (study, number, state, worker, lease_until, handouts, body) VALUES (:study, :number, "
          ":state, :worker, :lease, :handouts, :body)",
      use(study_), use(row.number), use(row.state), use(row.worker), use(row.lease_until), use(row.handouts),
      use(row.body);
}

void SqlRows::update(const TrialRow& row) {
  sql_ << "UPDATE iqbo_trial SET state = :state, worker = :worker, lease_until = :lease, handouts = :handouts, "
          "body = :body WHERE study = :study AND number = :number",
      use(row.state), use(row.worker), use(row.lease_until), use(row.handouts), use(row.body), use(study_),
      use(row.number);
}

}  // namespace iqbo
