#include "sql_backend.hpp"

namespace iqbo {

SqlBackend::SqlBackend(StorageLocation location, StorageOptions options)
    : location_(std::move(location)), options_(std::move(options)) {}

void SqlBackend::fail(StorageError::Kind kind, const std::string& text) const {
  throw StorageError(kind, location_.without_secrets(location_.shown + ": " + text));
}

// Version 1, which had no digests, is read as it is, and brought up to date when it is opened for writing.
void SqlBackend::check_version(std::int64_t version) {
  const std::string found =
      "has storage version " + std::to_string(version) + ", this iqbo knows " + std::to_string(kStorageVersion);
  if (version > kStorageVersion)
    fail(StorageError::Kind::kNewer, found + "; a newer version of iqbo wrote it, and only that can open it");
  if (version < 1) fail(StorageError::Kind::kNotAStudy, "is not a study of iqbo");
  version_ = version;
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
  in_transaction([this](soci::session& sql) { begin(sql); }, work);
}

void SqlBackend::in_transaction(const std::function<void(soci::session&)>& begin_it,
                                const std::function<void(soci::session&)>& work) {
  guarded([&](soci::session& sql) {
    begin_it(sql);
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
      try {
        sql << "ROLLBACK";
      } catch (const soci::soci_error&) {
        session_.reset();
      }
      throw;
    }
  });
}

SpecBundle SqlBackend::bundle() {
  SpecBundle out;
  guarded([&](soci::session& sql) { out = read_bundle_of(sql, study_, location_); });
  return out;
}

SqlRows SqlBackend::rows(soci::session& sql) {
  if (version_ < kStorageVersion) version_ = schema_version(sql);  // another process may have brought it up to date
  return {sql, study_, version_, {[this, &sql] { return wall_clock(sql); }, options_.clock ? nullptr : steady_clock()}};
}

void SqlBackend::read(const Work& work) {
  in_transaction([this](soci::session& sql) { begin_read(sql); },
                 [&](soci::session& sql) {
                   SqlRows all = rows(sql);
                   work(all);
                 });
}

void SqlBackend::write(const Work& work) {
  in_transaction([&](soci::session& sql) {
    SqlRows all = rows(sql);
    work(all);
  });
}

}  // namespace iqbo
