#include "sql_backend.hpp"

#include "iqbo/core/check.hpp"
#include "sql_rows.hpp"

namespace iqbo {
namespace {

using soci::into;
using soci::use;

// Version 1. body: JSON of record/event.hpp, record/trial.hpp; state: TrialState.
constexpr const char* kTables[] = {
    "CREATE TABLE iqbo_schema (version BIGINT NOT NULL)",
    "CREATE TABLE iqbo_study (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created DOUBLE PRECISION NOT NULL, "
    "spec TEXT NOT NULL)",
    "CREATE TABLE iqbo_file (study BIGINT NOT NULL REFERENCES iqbo_study (id), name TEXT NOT NULL, "
    "contents TEXT NOT NULL, PRIMARY KEY (study, name))",
    "CREATE TABLE iqbo_event (study BIGINT NOT NULL REFERENCES iqbo_study (id), seq BIGINT NOT NULL, "
    "time DOUBLE PRECISION NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (study, seq))",
    "CREATE TABLE iqbo_trial (study BIGINT NOT NULL REFERENCES iqbo_study (id), number BIGINT NOT NULL, "
    "state BIGINT NOT NULL, worker TEXT NOT NULL, lease_until DOUBLE PRECISION NOT NULL, handouts BIGINT NOT NULL, "
    "body TEXT NOT NULL, PRIMARY KEY (study, number))",
    "CREATE INDEX iqbo_trial_state ON iqbo_trial (study, state, number)"};

// migrations[v - 1]: the statements that turn version v into v + 1.
const std::vector<std::vector<std::string>>& migrations() {
  static const std::vector<std::vector<std::string>> all = {};
  return all;
}
static_assert(kStorageVersion == 1, "a new version needs its migration, and a database of the old one in tests/golden");

}  // namespace

SqlBackend::SqlBackend(StorageLocation location, StorageOptions options)
    : location_(std::move(location)), options_(std::move(options)) {}

void SqlBackend::create_tables(soci::session& sql) {
  for (const char* statement : kTables) sql << statement;
  sql << "INSERT INTO iqbo_schema (version) VALUES (:version)", use(kStorageVersion);
}

std::int64_t SqlBackend::schema_version(soci::session& sql) {
  std::int64_t version = 0;
  sql << "SELECT COALESCE(MAX(version), 0) FROM iqbo_schema", into(version);
  return version;
}

void SqlBackend::migrate(soci::session& sql, std::int64_t from) {
  for (std::int64_t version = from; version < kStorageVersion; ++version)
    for (const std::string& statement : migrations().at(static_cast<std::size_t>(version - 1))) sql << statement;
  sql << "UPDATE iqbo_schema SET version = :version", use(kStorageVersion);
}

void SqlBackend::insert_study(soci::session& sql, std::int64_t id, const std::string& name, double time,
                              const SpecBundle& bundle) {
  sql << "INSERT INTO iqbo_study (id, name, created, spec) VALUES (:id, :name, :created, :spec)", use(id), use(name),
      use(time), use(bundle.text);
  for (const auto& [file, contents] : bundle.files)
    sql << "INSERT INTO iqbo_file (study, name, contents) VALUES (:study, :name, :contents)", use(id), use(file),
        use(contents);
}

void SqlBackend::fail(StorageError::Kind kind, const std::string& text) const {
  throw StorageError(kind, location_.without_secrets(location_.shown + ": " + text));
}

void SqlBackend::check_version(std::int64_t version, Access access) {
  const std::string found =
      "has storage version " + std::to_string(version) + ", this iqbo knows " + std::to_string(kStorageVersion);
  if (version > kStorageVersion) fail(StorageError::Kind::kNewer, found + "; a newer iqbo wrote it and is needed");
  if (version < 1) fail(StorageError::Kind::kNotAStudy, "is not a study of iqbo");
  if (version < kStorageVersion && access == Access::kReadOnly)
    fail(StorageError::Kind::kOlder, found + "; open it once for writing, which brings it up to date");
}

void SqlBackend::guarded(const std::function<void(soci::session&)>& work) {
  try {
    if (!session_) session_ = connect();
    work(*session_);
  } catch (const soci::soci_error& error) {
    const StorageError translation = translated(error);
    if (translation.kind() == StorageError::Kind::kConnection) session_.reset();
    throw StorageError(translation);
  }
}

void SqlBackend::in_transaction(const std::function<void(soci::session&)>& work) {
  guarded([&](soci::session& sql) {
    begin(sql);
    try {
      work(sql);
      sql << "COMMIT";
    } catch (const soci::soci_error& error) {
      const StorageError translation = translated(error);  // ROLLBACK would overwrite the message of the database
      try {
        sql << "ROLLBACK";
      } catch (const soci::soci_error&) {
        session_.reset();  // a connection in an unknown state cannot be used again
      }
      if (translation.kind() == StorageError::Kind::kConnection) session_.reset();
      throw StorageError(translation);
    } catch (...) {
      sql << "ROLLBACK";
      throw;
    }
  });
}

SpecBundle SqlBackend::bundle() {
  SpecBundle out;
  guarded([&](soci::session& sql) {
    sql << "SELECT spec FROM iqbo_study WHERE id = :id", into(out.text), use(study_);
    if (!sql.got_data()) fail(StorageError::Kind::kDamaged, "has lost its spec");
    std::string name;
    std::string contents;
    soci::statement each = (sql.prepare << "SELECT name, contents FROM iqbo_file WHERE study = :study", into(name),
                            into(contents), use(study_));
    each.execute();
    while (each.fetch()) out.files[name] = contents;
  });
  return out;
}

void SqlBackend::read(const Work& work) {
  guarded([&](soci::session& sql) {
    SqlRows rows(
        sql, study_, options_.clock ? options_.clock : [&] { return server_clock(sql); });
    work(rows);
  });
}

void SqlBackend::write(const Work& work) {
  in_transaction([&](soci::session& sql) {
    SqlRows rows(
        sql, study_, options_.clock ? options_.clock : [&] { return server_clock(sql); });
    work(rows);
  });
}

}  // namespace iqbo
