// What SQLite and PostgreSQL share: one schema, one set of statements (in SQL that both understand), transactions, and
// what an error means for the connection. Only bound parameters carry data.
#pragma once

#include <soci/soci.h>

#include "backend.hpp"
#include "location.hpp"

namespace iqbo {

class SqlBackend : public StorageBackend {
 public:
  SpecBundle bundle() override;
  void read(const Work& work) override;
  void write(const Work& work) override;

 protected:
  SqlBackend(StorageLocation location, StorageOptions options);

  virtual std::unique_ptr<soci::session> connect() = 0;
  virtual void begin(soci::session& sql) = 0;  // a transaction in which nobody else writes to this study
  virtual double server_clock(soci::session& sql) = 0;
  virtual StorageError translated(const soci::soci_error& error) = 0;

  // Schema and migrations, each within a transaction of the caller.
  static void create_tables(soci::session& sql);
  static std::int64_t schema_version(soci::session& sql);
  static void migrate(soci::session& sql, std::int64_t from);
  static void insert_study(soci::session& sql, std::int64_t id, const std::string& name, double time,
                           const SpecBundle& bundle);

  // Runs `work`; turns what SOCI throws into a StorageError without secrets. A broken connection is dropped; the next
  // call makes a new one.
  void guarded(const std::function<void(soci::session&)>& work);
  // The same within begin() and COMMIT.
  void in_transaction(const std::function<void(soci::session&)>& work);

  [[noreturn]] void fail(StorageError::Kind kind, const std::string& text) const;
  void check_version(std::int64_t version, Access access);  // throws kNewer; or kOlder if read-only

  StorageLocation location_;
  StorageOptions options_;
  std::unique_ptr<soci::session> session_;
  std::int64_t study_ = 0;  // its id in the database
};

}  // namespace iqbo
