// A study in a file: SQLite with a write-ahead log, so that readers and the writer do not wait for each other. Every
// commit is forced to the disk.
#include <fcntl.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "leftovers.hpp"
#include "network_file_system.hpp"
#include "record/new_file.hpp"
#include "sql_backend.hpp"
#include "sqlite_log.hpp"

namespace iqbo {
namespace {

namespace fs = std::filesystem;
using soci::into;
using soci::use;
using Kind = StorageError::Kind;

constexpr std::int64_t kApplicationId = 0x6971626F;  // "iqbo", in the header of the file
constexpr std::int64_t kStudy = 1;                   // one study per file

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

class SqliteBackend final : public SqlBackend {
 public:
  SqliteBackend(const std::string& file, Access access, const StorageOptions& options)
      : SqlBackend(StorageLocation(file), options), file_(file), access_(access) {
    study_ = kStudy;
  }

  // The database is made in memory and written to a file that gets its name when it is complete (record/new_file.hpp).
  void create(const SpecBundle& bundle, const Work& first) {
    check_folder();
    if (fs::exists(file_)) fail(Kind::kExists, "exists already; choose another name, or remove it first");
    std::error_code ignored;
    for (const char* suffix : {"-wal", "-journal"})  // SQLite would mix what is in them into the new study
      if (fs::exists(file_.string() + suffix) && fs::file_size(file_.string() + suffix, ignored) > 0)
        fail(Kind::kExists,
             "the log of another study, " + file_.string() + suffix + ", is left there; remove it first");
    // A command that only reads leaves an empty log, which whoever removes a study overlooks.
    for (const char* suffix : {"-wal", "-journal", "-shm"}) fs::remove(file_.string() + suffix, ignored);
    remove_leftovers(file_);
    const std::string bytes = made_in_memory(bundle, first);
    try {
      internal::NewFile made(file_);
      made.write(bytes);
      made.require_room(kWorkingRoom);
      made.publish();
    } catch (const std::system_error& error) {
      fail_to_create(error.code());
    }
    try {
      open();
    } catch (...) {  // such as a disk that others filled in the meantime
      session_.reset();
      for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(file_.string() + suffix, ignored);
      throw;
    }
  }

  void open() {
    check_file();
    guarded([&](soci::session& sql) {
      check_size(sql);
      std::int64_t application = 0;
      std::int64_t tables = 0;
      sql << "PRAGMA application_id", into(application);
      sql << "SELECT COUNT(*) FROM sqlite_master WHERE name = 'iqbo_schema'", into(tables);
      if (application != kApplicationId || tables == 0) fail(Kind::kNotAStudy, "is not a study of iqbo");
      created_ = created(sql);
    });
    share_log();
    std::int64_t version = 0;
    guarded([&](soci::session& sql) { version = schema_version(sql); });
    check_version(version);
    if (version < kStorageVersion && access_ == Access::kReadWrite)
      in_transaction([this](soci::session& sql) { migrate(sql, location_); });
  }

 private:
  std::vector<std::string> broken_pages() override {
    std::vector<std::string> out;
    guarded([&](soci::session& sql) {
      std::string line;
      soci::statement each = (sql.prepare << "PRAGMA integrity_check(20)", into(line));
      each.execute();
      while (each.fetch())
        if (line != "ok") out.push_back(one_line(line));
    });
    return out;
  }

  std::unique_ptr<soci::session> connect() override {
    // With a folder before it, SQLite takes no name for something else: ":memory:", "file:name?mode=ro".
    const std::string name = (file_.is_absolute() ? file_ : "." / file_).string();
    if (name.find('"') != std::string::npos) fail(Kind::kNotFound, "has a quote in its name, which is not supported");
    std::string parameters = access_ == Access::kReadOnly ? "readonly=true " : "";
    parameters += "dbname=\"" + name + "\"";
    auto sql = std::make_unique<soci::session>(soci::sqlite3, parameters);
    const auto milliseconds = static_cast<std::int64_t>(1000 * options_.busy_seconds);
    std::int64_t ignored = 0;
    *sql << "PRAGMA busy_timeout = " + std::to_string(milliseconds), into(ignored);
    if (access_ == Access::kReadWrite) *sql << "PRAGMA synchronous = FULL";
    *sql << "PRAGMA foreign_keys = ON";
    return sql;
  }

  // Immediate: a transaction that reads first and locks later could find that somebody wrote in between.
  void begin(soci::session& sql) override {
    require_same_study(sql);
    sql << "BEGIN IMMEDIATE";
  }
  void begin_read(soci::session& sql) override {
    require_same_study(sql);
    sql << "BEGIN";
  }

  // What is written to a file that was removed would be lost with it.
  void require_same_study(soci::session& sql) {
    struct stat now {};
    const bool there = stat(file_.c_str(), &now) == 0;
    if (there && now.st_dev == device_ && now.st_ino == inode_) {
      if (is_same_time(now.st_mtim, written_)) return;
      // Ordinarily the log was moved into the file. Something else may have been copied over it, and SQLite would go on with the
      // pages that it keeps of the old one.
      sqlite_api::sqlite3_db_release_memory(connection(sql));
      if (created(sql) == created_) {
        written_ = now.st_mtim;
        return;
      }
    }
    session_.reset();
    fail(Kind::kNotFound, there ? "was replaced by another file while it was open" : "was removed while it was open");
  }

  static bool is_same_time(const timespec& a, const timespec& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
  }

  // When the study was created, which tells it from others.
  static double created(soci::session& sql) {
    double out = 0;
    sql << "SELECT created FROM iqbo_study WHERE id = :study", use(kStudy), into(out);
    return out;
  }

  // SOCI hides the type's name from dynamic_cast, but this class made the session.
  static sqlite_api::sqlite3* connection(soci::session& sql) {
    return static_cast<soci::sqlite3_session_backend*>(sql.get_backend())->conn_;
  }

  const SteadyClock* steady_clock() override { return steady_.boot().empty() ? nullptr : &steady_; }
  double server_clock(soci::session&) override { return machine_clock(); }

  StorageError translated(const soci::soci_error& error) override {
    const auto* own = dynamic_cast<const soci::sqlite3_soci_error*>(&error);
    int code = own == nullptr ? 0 : own->result();
    if (session_ != nullptr && session_->get_backend() != nullptr && connection(*session_) != nullptr)
      code = sqlite_api::sqlite3_extended_errcode(connection(*session_));
    return {kind_of(code), location_.shown + ": " + meaning(code) + " (SQLite: " + error.get_error_message() + ")"};
  }

  static Kind kind_of(int code) {
    switch (code) {
      case SQLITE_IOERR_LOCK:
      case SQLITE_IOERR_UNLOCK:
      case SQLITE_IOERR_RDLOCK:
      case SQLITE_IOERR_CHECKRESERVEDLOCK:
      case SQLITE_IOERR_SHMLOCK:
      case SQLITE_IOERR_SHMMAP:
      case SQLITE_PROTOCOL:
        return Kind::kLocks;
      default:
        break;
    }
    switch (code & 0xFF) {
      case SQLITE_FULL:
      case SQLITE_IOERR:
        return Kind::kFull;
      case SQLITE_NOTADB:
        return Kind::kNotAStudy;
      case SQLITE_CORRUPT:
        return Kind::kDamaged;
      case SQLITE_READONLY:
      case SQLITE_PERM:
      case SQLITE_CANTOPEN:
        return Kind::kReadOnly;
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        return Kind::kBusy;
      default:
        return Kind::kOther;
    }
  }

  static std::string meaning(int code) {
    switch (kind_of(code)) {
      case Kind::kLocks:
        return "locks do not work on this file system; keep the study on a local disk, or in PostgreSQL";
      case Kind::kFull:
        return "could not be read or written: the disk is full, a quota is reached, or the disk fails; nothing "
               "acknowledged is lost";
      case Kind::kNotAStudy:
        return "is not a study of iqbo";
      case Kind::kDamaged:
        return "is damaged or truncated; restore it from a backup, or save what is left with sqlite3 .recover";
      case Kind::kReadOnly:
        return "cannot be opened or written; check the permissions of the file and of its folder, where SQLite keeps "
               "its log";
      case Kind::kBusy:
        return "other processes kept it locked for too long";
      default:
        return "the database failed";
    }
  }

  static constexpr std::size_t kWorkingRoom = 65536;  // for SQLite's log and its index, once the study is opened

  // The bytes of a file that holds the new study.
  std::string made_in_memory(const SpecBundle& bundle, const Work& first) {
    soci::session sql(soci::sqlite3, "dbname=:memory:");
    const double time = options_.clock ? options_.clock() : machine_clock();
    sql << "PRAGMA application_id = " + std::to_string(kApplicationId);
    sql << "BEGIN";
    create_tables(sql);
    insert_study(sql, kStudy, "study", time, bundle);
    SqlRows all = rows(sql);
    first(all);
    sql << "COMMIT";
    sqlite_api::sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite_api::sqlite3_free)> image(
        sqlite_api::sqlite3_serialize(connection(sql), "main", &size, 0), &sqlite_api::sqlite3_free);
    if (image == nullptr) throw std::bad_alloc();
    std::string out(reinterpret_cast<const char*>(image.get()), static_cast<std::size_t>(size));
    // Bytes 18 and 19 of the header say that the file is used with a write-ahead log (sqlite.org/fileformat2.html).
    out.at(18) = out.at(19) = 2;
    return out;
  }

  [[noreturn]] void fail_to_create(const std::error_code& why) const {
    const std::string text = "cannot be created: " + why.message();
    switch (why.value()) {
      case EEXIST:
        fail(Kind::kExists, "exists already");
      case ENOSPC:
      case EDQUOT:
      case EFBIG:
      case EIO:
        fail(Kind::kFull, text + "; nothing was written");
      default:
        fail(Kind::kReadOnly, text);
    }
  }

  void check_folder() {
    const fs::path folder = folder_of(file_);
    if (!fs::is_directory(folder)) fail(Kind::kNotFound, "there is no folder " + folder.string());
    if (access_ == Access::kReadWrite && access(folder.c_str(), W_OK | X_OK) != 0)
      fail(Kind::kReadOnly,
           "the folder " + folder.string() + " cannot be written, and SQLite keeps its log beside the file");
    struct statfs about {};
    if (statfs(folder.c_str(), &about) == 0)
      if (const auto name = network_file_system(static_cast<std::uint64_t>(about.f_type)))
        fail(Kind::kLocks, "is on a network file system (" + *name +
                               "), where SQLite's locks are not to be trusted; keep the study on a "
                               "local disk, or in PostgreSQL");
    if (access_ == Access::kReadWrite) check_locks();
  }

  void check_file() {
    if (!fs::exists(file_)) fail(Kind::kNotFound, "there is no such study");
    if (!fs::is_regular_file(file_)) fail(Kind::kNotAStudy, "is not a file");
    check_folder();
    if (access(file_.c_str(), R_OK) != 0) fail(Kind::kReadOnly, "cannot be read");
    if (access_ == Access::kReadWrite && access(file_.c_str(), W_OK) != 0)
      fail(Kind::kReadOnly, "cannot be written; open it for reading only");
    quiet_ = size_of(file_.string() + "-wal") == 0;
    if (!quiet_) check_log();
    struct stat now {};
    if (stat(file_.c_str(), &now) == 0) {
      device_ = now.st_dev;
      inode_ = now.st_ino;
      written_ = now.st_mtim;
    }
  }

  // Before SQLite reads it: what SQLite does not believe is overwritten by the next change.
  void check_log() {
    const std::string log = file_.string() + "-wal";
    const auto damage = damage_of_log(log);
    if (!damage) return;
    fail(Kind::kDamaged, "its log " + log +
                             " was changed by something other than iqbo: " + std::to_string(damage->good) +
                             " changes in it are good, and at least " + std::to_string(damage->lost) +
                             " after them are lost; restore a backup, or go on without those that are lost: sqlite3 " +
                             location_.shown + " 'PRAGMA wal_checkpoint(TRUNCATE)'");
  }

  // A reader who is not the study's owner creates SQLite's log if there is none. The log has the file's permissions but
  // belongs to the reader; the owner must be able to write it. This grants nobody more: whoever may write in the folder
  // could have made the log, and whoever may not read the study cannot read its log.
  void share_log() const {
    struct stat of_study {
    }, of_folder{};
    if (access_ != Access::kReadOnly || stat(file_.c_str(), &of_study) != 0 || of_study.st_uid == geteuid()) return;
    if (stat(folder_of(file_).c_str(), &of_folder) != 0) return;
    const mode_t readers = of_study.st_mode & (S_IRGRP | S_IROTH);
    const mode_t writers = of_folder.st_mode & (readers >> 1U);  // the write bit is half the read bit
    for (const char* suffix : {"-wal", "-shm"}) {
      const std::string log = file_.string() + suffix;
      struct stat of_log {};
      if (lstat(log.c_str(), &of_log) == 0 && S_ISREG(of_log.st_mode) && of_log.st_uid == geteuid())
        chmod(log.c_str(), S_IRUSR | S_IWUSR | readers | writers);
    }
  }

  // SQLite would notice only on reaching the missing pages. While there is a log, the file may rightly be shorter. (We
  // ask SQLite and stat() and do not open the file ourselves: closing it would drop the locks that this process holds.)
  void check_size(soci::session& sql) {
    std::uint64_t pages = 0;
    std::uint64_t page = 0;
    sql << "PRAGMA page_count", into(pages);
    sql << "PRAGMA page_size", into(page);
    if (quiet_ && size_of(file_) < pages * page)
      fail(Kind::kDamaged, "is truncated: " + std::to_string(size_of(file_)) + " bytes, expected " +
                               std::to_string(pages * page) + "; restore it from a backup");
  }

  // Some mounts answer every lock with ENOLCK, which SQLite takes for "busy" and waits. This tries a file of its own,
  // without a name where the file system has such files.
  void check_locks() {
    const fs::path probe = file_.string() + ".lock-" + std::to_string(getpid());
    int file = ::open(folder_of(file_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    const bool named = file < 0;
    if (named) file = ::open(probe.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;  // SQLite will report whatever is wrong
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    const bool works = fcntl(file, F_SETLK, &lock) == 0;
    const int why = errno;
    close(file);
    if (named) unlink(probe.c_str());
    if (!works) fail(Kind::kLocks, meaning(SQLITE_PROTOCOL) + " (" + std::strerror(why) + ")");
  }

  static std::uint64_t size_of(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
  }

  fs::path file_;
  Access access_;
  dev_t device_ = 0;  // with inode_: which file is open
  ino_t inode_ = 0;
  timespec written_ = {};  // when the file was last known to be that of the study
  double created_ = 0;     // the study
  SteadyClock steady_;
  bool quiet_ = false;  // there is no log, so the file is complete
};

}  // namespace

BackendPointer create_sqlite(const std::string& file, const SpecBundle& bundle, const StorageOptions& options,
                             const StorageBackend::Work& begin) {
  auto backend = std::make_unique<SqliteBackend>(file, Access::kReadWrite, options);
  backend->create(bundle, begin);
  return backend;
}

BackendPointer open_sqlite(const std::string& file, Access access, const StorageOptions& options) {
  auto backend = std::make_unique<SqliteBackend>(file, access, options);
  backend->open();
  return backend;
}

}  // namespace iqbo
