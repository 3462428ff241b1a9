// What SQLite and PostgreSQL share: one schema (schema.hpp), one set of statements (sql_rows.hpp), transactions, and
// what an error means for the connection. Only bound parameters carry data.
#pragma once

#include <soci/soci.h>

#include "backend.hpp"
#include "location.hpp"
#include "schema.hpp"
#include "sql_rows.hpp"

namespace iqbo {

class SqlBackend : public StorageBackend {
 public:
  SpecBundle bundle() override;
  void read(const Work& work) override;
  void write(const Work& work) override;

 protected:
  SqlBackend(StorageLocation location, StorageOptions options);

  virtual std::unique_ptr<soci::session> connect() = 0;
  virtual void begin(soci::session& sql) = 0;       // a transaction in which nobody else writes to this study
  virtual void begin_read(soci::session& sql) = 0;  // one that sees one moment
  virtual const SteadyClock* steady_clock() { return nullptr; }  // null: all use the clock of the server
  virtual double server_clock(soci::session& sql) = 0;
  virtual StorageError translated(const soci::soci_error& error) = 0;

  // Runs `work`; turns what SOCI throws into a StorageError without secrets. A broken connection is dropped; the next
  // call makes a new one.
  void guarded(const std::function<void(soci::session&)>& work);
  // The same within begin(), or `begin_it`, and COMMIT.
  void in_transaction(const std::function<void(soci::session&)>& work);
  void in_transaction(const std::function<void(soci::session&)>& begin_it,
                      const std::function<void(soci::session&)>& work);

  [[noreturn]] void fail(StorageError::Kind kind, const std::string& text) const;
  void check_version(std::int64_t version);  // throws kNewer; sets version_
  SqlRows rows(soci::session& sql);
  double wall_clock(soci::session& sql) { return options_.clock ? options_.clock() : server_clock(sql); }

  StorageLocation location_;
  StorageOptions options_;
  std::unique_ptr<soci::session> session_;
  std::int64_t study_ = 0;                  // its id in the database
  std::int64_t version_ = kStorageVersion;  // of its tables
};

}  // namespace iqbo
