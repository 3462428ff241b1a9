// Studies in a PostgreSQL database, for workers on many hosts. Every change first locks the row of its study, so that
// events are numbered in one order without gaps; other studies are not blocked.
#include <libpq-fe.h>
#include <soci/postgresql/soci-postgresql.h>

#include "sql_backend.hpp"

namespace iqbo {
namespace {

using soci::into;
using soci::use;
using Kind = StorageError::Kind;

constexpr std::int64_t kSchemaLock = 0x6971626F;  // "iqbo": an advisory lock around changes of the schema

class PostgresqlBackend final : public SqlBackend {
 public:
  PostgresqlBackend(const std::string& url, Access access, const StorageOptions& options)
      : SqlBackend(StorageLocation(url), options), access_(access) {}

  void create(const SpecBundle& bundle, const Work& first) {
    in_schema_lock([&](soci::session& sql) {
      if (!has_tables(sql)) create_tables(sql);
      check_version(schema_version(sql));
      migrate(sql, location_);
      version_ = kStorageVersion;
      if (find(sql) != 0) fail(Kind::kExists, "there is such a study already; choose another name");
      sql << "SELECT COALESCE(MAX(id), 0) + 1 FROM iqbo_study", into(study_);
      insert_study(sql, study_, location_.study, wall_clock(sql), bundle);
      SqlRows all = rows(sql);
      first(all);
    });
  }

  void open() {
    std::int64_t version = 0;
    guarded([&](soci::session& sql) {
      if (!has_tables(sql)) fail(Kind::kNotFound, "there is no such study: the database holds none");
      version = schema_version(sql);
    });
    check_version(version);
    if (version < kStorageVersion && access_ == Access::kReadWrite)
      in_schema_lock([this](soci::session& sql) { migrate(sql, location_); });
    guarded([&](soci::session& sql) { study_ = find(sql); });
    if (study_ == 0) fail(Kind::kNotFound, "there is no such study in this database");
  }

 private:
  // SOCI parses the connection string before libpq does and would spoil a URL: it wants key="value", drops the quotes,
  // and passes key=value on; libpq wants 'value' with \' and \\. SOCI takes a blank at the end for a key.
  std::string parameters() {
    char* message = nullptr;
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
        PQconninfoParse(location_.place.c_str(), &message), &PQconninfoFree);
    const std::unique_ptr<char, decltype(&PQfreemem)> text(message, &PQfreemem);
    if (!options) fail(Kind::kConnection, std::string("is not a URL of PostgreSQL: ") + (text ? text.get() : ""));
    std::string out;
    for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
      if (option->val == nullptr) continue;
      std::string value;
      for (const char c : std::string(option->val)) value.append(c == '\'' || c == '\\' ? "\\" : "").append(1, c);
      if (value.find('"') != std::string::npos)
        fail(Kind::kConnection,
             std::string("has a double quote in its ") + option->keyword + ", which is not supported");
      out.append(out.empty() ? "" : " ").append(option->keyword).append("=\"'").append(value).append("'\"");
    }
    return out;
  }

  std::unique_ptr<soci::session> connect() override {
    auto sql = std::make_unique<soci::session>(soci::postgresql, parameters());
    *sql << "SET client_min_messages TO warning";  // notices would go to stderr
    *sql << "SET client_encoding TO 'UTF8'";
    if (access_ == Access::kReadOnly) *sql << "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY";
    return sql;
  }

  void begin(soci::session& sql) override {
    sql << "BEGIN";
    if (creating_) {
      sql << "SELECT pg_advisory_xact_lock(" + std::to_string(kSchemaLock) + ")";
      return;
    }
    std::int64_t locked = 0;
    sql << "SELECT id FROM iqbo_study WHERE id = :id FOR UPDATE", into(locked), use(study_);
    if (!sql.got_data()) {
      sql << "ROLLBACK";
      fail(Kind::kNotFound, "the study was removed");
    }
  }

  void begin_read(soci::session& sql) override { sql << "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"; }

  double server_clock(soci::session& sql) override {
    double now = 0;
    sql << "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)", into(now);
    return now;
  }

  StorageError translated(const soci::soci_error& error) override {
    const auto* own = dynamic_cast<const soci::postgresql_soci_error*>(&error);
    const std::string state = own == nullptr ? "" : own->sqlstate();
    const Kind kind = kind_of(state);
    const std::string text =
        location_.shown + ": " + meaning(kind) + " (PostgreSQL: " + one_line(error.get_error_message()) + ")";
    return {kind, location_.without_secrets(text)};
  }

  // Codes are those of PostgreSQL's appendix A. An empty code means that no server answered.
  static Kind kind_of(const std::string& state) {
    const std::string family = state.substr(0, 2);
    if (state.empty() || state[0] == ' ' || state[0] == '\0' || family == "08" || family == "57" || family == "28" ||
        state == "3D000")
      return Kind::kConnection;
    if (family == "53") return Kind::kFull;
    if (state == "42501" || state == "25006") return Kind::kReadOnly;
    if (family == "XX" || family == "58") return Kind::kDamaged;
    if (family == "40" || state == "55P03") return Kind::kBusy;
    return Kind::kOther;
  }

  static std::string meaning(Kind kind) {
    switch (kind) {
      case Kind::kConnection:
        return "no connection to the server";
      case Kind::kFull:
        return "the server is out of space or memory; nothing acknowledged is lost";
      case Kind::kReadOnly:
        return "no permission";
      case Kind::kDamaged:
        return "the server reports an internal error";
      case Kind::kBusy:
        return "other transactions interfered; try again";
      default:
        return "the database failed";
    }
  }

  void in_schema_lock(const std::function<void(soci::session&)>& work) {
    creating_ = true;
    try {
      in_transaction(work);
    } catch (...) {
      creating_ = false;
      throw;
    }
    creating_ = false;
  }

  static bool has_tables(soci::session& sql) {
    std::int64_t found = 0;
    sql << "SELECT CASE WHEN to_regclass('iqbo_schema') IS NULL THEN 0 ELSE 1 END", into(found);
    return found == 1;
  }

  std::int64_t find(soci::session& sql) {
    std::int64_t id = 0;
    sql << "SELECT id FROM iqbo_study WHERE name = :name", into(id), use(location_.study);
    return sql.got_data() ? id : 0;
  }

  Access access_;
  bool creating_ = false;
};

}  // namespace

BackendPointer create_postgresql(const std::string& url, const SpecBundle& bundle, const StorageOptions& options,
                                 const StorageBackend::Work& begin) {
  auto backend = std::make_unique<PostgresqlBackend>(url, Access::kReadWrite, options);
  backend->create(bundle, begin);
  return backend;
}

BackendPointer open_postgresql(const std::string& url, Access access, const StorageOptions& options) {
  auto backend = std::make_unique<PostgresqlBackend>(url, access, options);
  backend->open();
  return backend;
}

}  // namespace iqbo
