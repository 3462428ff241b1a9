#include "schema.hpp"

#include <array>

#include "digest.hpp"
#include "iqbo/record/json.hpp"
#include "log.hpp"
#include "sql_rows.hpp"

namespace iqbo {
namespace {

using soci::into;
using soci::use;

// Version 2. body: JSON of record/event.hpp; digest: digest.hpp; state: TrialState. Leases of files also count on the
// kernel's clock (steady_clock.hpp).
constexpr const char* kEvents =
    "CREATE TABLE iqbo_event (study BIGINT NOT NULL REFERENCES iqbo_study (id), seq BIGINT NOT NULL, "
    "time DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, digest TEXT NOT NULL, "
    "PRIMARY KEY (study, seq))";
constexpr const char* kTrials =
    "CREATE TABLE iqbo_trial (study BIGINT NOT NULL REFERENCES iqbo_study (id), number BIGINT NOT NULL, "
    "state BIGINT NOT NULL, worker TEXT NOT NULL, lease_until DOUBLE PRECISION NOT NULL, boot TEXT NOT NULL, "
    "steady_until DOUBLE PRECISION NOT NULL, handouts BIGINT NOT NULL, asked BIGINT NOT NULL, latest BIGINT NOT NULL, "
    "PRIMARY KEY (study, number))";
constexpr const char* kPending = "CREATE INDEX iqbo_trial_state ON iqbo_trial (study, state, number)";
constexpr const char* kHead =
    "CREATE TABLE iqbo_head (study BIGINT PRIMARY KEY REFERENCES iqbo_study (id), events BIGINT NOT NULL, "
    "trials BIGINT NOT NULL, origin TEXT NOT NULL, digest TEXT NOT NULL)";
constexpr std::array kTables{
    "CREATE TABLE iqbo_schema (version BIGINT NOT NULL)",
    "CREATE TABLE iqbo_study (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created DOUBLE PRECISION NOT NULL, "
    "spec TEXT NOT NULL)",
    "CREATE TABLE iqbo_file (study BIGINT NOT NULL REFERENCES iqbo_study (id), name TEXT NOT NULL, "
    "contents TEXT NOT NULL, PRIMARY KEY (study, name))",
    kEvents,
    kTrials,
    kPending,
    kHead};

static_assert(kStorageVersion == 2, "a new version needs its migration, and a database of the old one in tests/golden");

void insert_head(soci::session& sql, std::int64_t study, const LogHead& head) {
  sql << "INSERT INTO iqbo_head (study, events, trials, origin, digest) VALUES (:study, :events, :trials, :origin, "
         ":digest)",
      use(study), use(head.events), use(head.trials), use(head.origin), use(head.digest);
}

// --- from version 1 to 2: trials are kept in the log alone, and the log gets digests ---

// What version 1 kept of a trial beside the log must agree with the log, or nobody could say which of them is right.
void compare_old_trials(soci::session& sql, std::int64_t study, const std::vector<Trial>& logged,
                        const StorageLocation& location) {
  std::int64_t number = 0;
  std::string body;
  soci::statement each = (sql.prepare << "SELECT number, body FROM iqbo_trial WHERE study = :study ORDER BY number",
                          into(number), into(body), use(study));
  each.execute();
  while (each.fetch()) {
    const Trial& trial = logged.at(static_cast<std::size_t>(number));
    Trial kept;
    try {
      kept = from_json<Trial>(body);
    } catch (const std::invalid_argument& error) {
      report_damage(location, named_trial(number), error.what());
    }
    if (kept.query != trial.query || kept.answer != trial.answer || kept.reason != trial.reason)
      report_damage(location, named_trial(number), "its row does not agree with the log");
  }
}

struct OldStudy {
  std::int64_t id;
  std::vector<EventRow> events;
  std::vector<TrialRow> trials;
  LogHead head;
};

OldStudy read_version_1(soci::session& sql, std::int64_t id, const StorageLocation& location) {
  SqlRows rows(sql, id, 1, {[] { return 0.0; }});
  OldStudy out{id, rows.events(0, rows.head().events), rows.trials(false), rows.head()};
  const SpecBundle bundle = read_bundle_of(sql, id, location);
  LogMark mark;
  const std::vector<Event> log = read_log(rows, location, bundle, 0, mark);
  compare_old_trials(sql, id, trials_of(log, out.trials, location), location);
  std::string digest = out.head.origin = origin_digest(bundle);
  for (EventRow& row : out.events) digest = row.digest = event_digest(digest, row);
  out.head.digest = digest;
  for (const Event& event : log) {
    if (const auto* asked = std::get_if<Asked>(&event.body))
      out.trials.at(static_cast<std::size_t>(asked->trial.number)).asked = event.seq;
    std::visit(
        [&](const auto& body) {
          if constexpr (requires { body.trial.number; })
            out.trials.at(static_cast<std::size_t>(body.trial.number)).latest = event.seq;
          else if constexpr (requires { body.trial; })
            out.trials.at(static_cast<std::size_t>(body.trial)).latest = event.seq;
        },
        event.body);
  }
  return out;
}

void write_version_2(soci::session& sql, const OldStudy& study) {
  SqlRows rows(sql, study.id, 2, {[] { return 0.0; }});
  insert_head(sql, study.id, study.head);
  for (const EventRow& row : study.events) rows.append(row);
  for (const TrialRow& row : study.trials) rows.insert(row);
}

std::vector<std::int64_t> studies_of(soci::session& sql) {
  std::vector<std::int64_t> out;
  std::int64_t id = 0;
  soci::statement each = (sql.prepare << "SELECT id FROM iqbo_study ORDER BY id", into(id));
  each.execute();
  while (each.fetch()) out.push_back(id);
  return out;
}

void migrate_1_to_2(soci::session& sql, const StorageLocation& location) {
  std::vector<OldStudy> studies;
  for (const std::int64_t id : studies_of(sql)) studies.push_back(read_version_1(sql, id, location));
  // New tables, rather than new columns with defaults, which a process of the old version could go on filling.
  for (const char* statement : {"DROP TABLE iqbo_event", "DROP TABLE iqbo_trial", kEvents, kTrials, kPending, kHead})
    sql << statement;
  for (const OldStudy& study : studies) write_version_2(sql, study);
}

}  // namespace

void create_tables(soci::session& sql) {
  for (const char* statement : kTables) sql << statement;
  sql << "INSERT INTO iqbo_schema (version) VALUES (:version)", use(kStorageVersion);
}

std::int64_t schema_version(soci::session& sql) {
  std::int64_t version = 0;
  sql << "SELECT COALESCE(MAX(version), 0) FROM iqbo_schema", into(version);
  return version;
}

void insert_study(soci::session& sql, std::int64_t id, const std::string& name, double time, const SpecBundle& bundle) {
  sql << "INSERT INTO iqbo_study (id, name, created, spec) VALUES (:id, :name, :created, :spec)", use(id), use(name),
      use(time), use(bundle.text);
  for (const auto& [file, contents] : bundle.files)
    sql << "INSERT INTO iqbo_file (study, name, contents) VALUES (:study, :name, :contents)", use(id), use(file),
        use(contents);
  LogHead head;
  head.origin = head.digest = origin_digest(bundle);
  insert_head(sql, id, head);
}

SpecBundle read_bundle_of(soci::session& sql, std::int64_t study, const StorageLocation& location) {
  SpecBundle out;
  sql << "SELECT spec FROM iqbo_study WHERE id = :id", into(out.text), use(study);
  if (!sql.got_data()) report_damage(location, "the study", "its spec is lost");
  std::string name;
  std::string contents;
  soci::statement each = (sql.prepare << "SELECT name, contents FROM iqbo_file WHERE study = :study", into(name),
                          into(contents), use(study));
  each.execute();
  while (each.fetch()) out.files[name].swap(contents);
  return out;
}

void migrate(soci::session& sql, const StorageLocation& location) {
  if (schema_version(sql) == 1) migrate_1_to_2(sql, location);
  sql << "UPDATE iqbo_schema SET version = :version", use(kStorageVersion);
}

}  // namespace iqbo
