// What must not happen to a study, and how it is said when it does.
#include <gtest/gtest.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "broken_locks.hpp"
#include "iqbo/record/text_file.hpp"
#include "places.hpp"
#include "server_statement.hpp"
#include "storage/location.hpp"
#include "storage/network_file_system.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::draft;
using test::expect_error;
using test::expect_refusal;
using test::hand_out;
using test::Scratch;
using test::small_bundle;
using Kind = StorageError::Kind;

void expect_kind(const std::function<void()>& call, Kind kind, std::initializer_list<std::string_view> words) {
  expect_error<StorageError>(call, words);
  try {
    call();
  } catch (const StorageError& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
  }
}

class SqliteFaults : public testing::Test {
 protected:
  void make(int trials = 3) {
    Storage storage = Storage::create(file_, small_bundle());
    for (int i = 0; i < trials; ++i) hand_out(storage, 0.1 * i);
  }
  void statement(const std::string& text) { soci::session(soci::sqlite3, "dbname=" + file_) << text; }
  void expect_open(Kind kind, std::initializer_list<std::string_view> words) {
    for (const Access access : {Access::kReadWrite, Access::kReadOnly})
      expect_kind([&] { Storage::open(file_, access); }, kind, words);
  }

  Scratch scratch_;
  std::string file_ = scratch_.file("study.db");
};

TEST_F(SqliteFaults, FilesOfSomethingElse) {
  expect_open(Kind::kNotFound, {"study.db: there is no such study"});
  std::ofstream(file_) << "";
  expect_open(Kind::kNotAStudy, {"is not a study of iqbo"});
  std::ofstream(file_) << std::string(5000, 'x');
  expect_open(Kind::kNotAStudy, {"is not a study of iqbo"});
  EXPECT_FALSE(study_exists(file_));
  expect_kind([&] { Storage::create(file_, small_bundle()); }, Kind::kExists, {"exists already"});
  std::filesystem::remove(file_);
  statement("CREATE TABLE recipes (name TEXT)");
  expect_open(Kind::kNotAStudy, {"is not a study of iqbo"});
  file_ = scratch_.path().string();
  expect_open(Kind::kNotAStudy, {"is not a file"});
  file_ = scratch_.file("no/such/folder.db");
  expect_kind([&] { Storage::create(file_, small_bundle()); }, Kind::kNotFound, {"there is no folder"});
  expect_refusal([] { Storage::open(""); }, {"study: is empty"});
}

TEST_F(SqliteFaults, NewerVersionsAreNotTouched) {
  make();
  statement("UPDATE iqbo_schema SET version = 99");
  expect_open(Kind::kNewer, {"has storage version 99, this iqbo knows 2", "newer version of iqbo"});
}

TEST_F(SqliteFaults, NamesWithBlanksAreFine) {
  file_ = scratch_.file("a study = of 'ours'.db");
  make();
  EXPECT_EQ(Storage::open(file_).trials().size(), 3U);
  expect_kind([&] { Storage::create(scratch_.file("a\"b.db"), small_bundle()); }, Kind::kNotFound,
              {"quote in its name"});
}

TEST_F(SqliteFaults, TruncatedAndOverwrittenFiles) {
  make(200);
  const auto size = std::filesystem::file_size(file_);
  ASSERT_FALSE(std::filesystem::exists(file_ + "-wal"));
  const std::string whole = scratch_.file("whole.db");
  std::filesystem::copy(file_, whole);
  for (const std::uintmax_t left :
       {size / 2, size - 1, std::uintmax_t{4096}, std::uintmax_t{150}, std::uintmax_t{50}}) {
    std::filesystem::resize_file(file_, left);
    expect_open(Kind::kDamaged, {"truncated", "backup"});
    std::filesystem::copy_file(whole, file_, std::filesystem::copy_options::overwrite_existing);
  }
  {
    std::fstream out(file_, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(4096);
    out << std::string(size - 4096, '\x5A');
  }
  expect_kind([&] { Storage::open(file_).events(); }, Kind::kDamaged, {"is damaged", "backup"});
}

// By a program that keeps the file, such as cp: whoever has the study open must not go on with pages of the old one.
TEST_F(SqliteFaults, FilesThatAreOverwrittenWhileTheyAreOpen) {
  make(3);
  const std::string other = scratch_.file("other.db");
  hand_out(*std::make_unique<Storage>(Storage::create(other, small_bundle())), 0.5);
  const auto overwrite = [&](const std::string& bytes) { std::ofstream(file_, std::ios::binary) << bytes; };
  const std::string own = read_text(file_), others = read_text(other);
  for (const Access access : {Access::kReadWrite, Access::kReadOnly}) {
    Storage storage = Storage::open(file_, access);
    ASSERT_EQ(storage.events().size(), 3U);
    overwrite(own);
    EXPECT_EQ(storage.events().size(), 3U);
    overwrite(others);
    expect_kind([&] { storage.events(); }, Kind::kNotFound, {"was replaced by another file"});
    expect_kind([&] { storage.trials(); }, Kind::kNotFound, {"was replaced by another file"});
    overwrite(own);
  }
  const Storage storage = Storage::open(file_, Access::kReadOnly);
  overwrite(std::string(own.size(), 'x'));
  expect_kind([&] { storage.events(); }, Kind::kNotAStudy, {"is not a study of iqbo"});
}

// A limit on the size of files stands for a full disk: writing fails, and what was acknowledged stays.
TEST_F(SqliteFaults, AFullDiskLosesNothing) {
  make(0);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300000, 300000};
    setrlimit(RLIMIT_FSIZE, &limit);
    int code = 3;
    try {
      Storage storage = Storage::open(file_);
      for (std::int64_t i = 0; i < 100000; ++i) {
        const std::int64_t number = hand_out(storage, 0.5).number;
        if (write(ends[1], &number, sizeof number) != sizeof number) _exit(4);
      }
    } catch (const StorageError& error) {
      code = error.kind() == Kind::kFull && std::string(error.what()).find("disk is full") != std::string::npos ? 0 : 5;
    }
    _exit(code);
  }
  close(ends[1]);
  std::int64_t number = 0;
  std::int64_t acknowledged = 0;
  while (read(ends[0], &number, sizeof number) == sizeof number) acknowledged = number + 1;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_GT(acknowledged, 10);
  Storage storage = Storage::open(file_);
  EXPECT_EQ(static_cast<std::int64_t>(storage.trials().size()), acknowledged);
  EXPECT_EQ(storage.last_event(), acknowledged);
  hand_out(storage, 0.5);  // and there is space again
}

// As an ordinary user, whom permissions bind.
int as_user(uid_t user, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(user) != 0 || setuid(user) != 0)) _exit(9);
    try {
      work();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}
int as_nobody(const std::function<void()>& work) { return as_user(65534, work); }

TEST_F(SqliteFaults, ReadOnlyFoldersAndFiles) {
  make();
  using std::filesystem::perms;
  std::filesystem::permissions(scratch_.path(), perms::owner_all | perms::group_read | perms::group_exec |
                                                    perms::others_read | perms::others_exec);
  if (geteuid() != 0) std::filesystem::permissions(scratch_.path(), perms::owner_read | perms::owner_exec);
  EXPECT_EQ(as_nobody([&] {
              expect_kind([&] { Storage::open(file_); }, Kind::kReadOnly, {"cannot be written"});
              expect_kind([&] { Storage::open(file_, Access::kReadOnly); }, Kind::kReadOnly, {"its folder", "log"});
              expect_kind([&] { Storage::create(scratch_.file("new.db"), small_bundle()); }, Kind::kReadOnly,
                          {"the folder", "cannot be written"});
            }),
            0);
  std::filesystem::permissions(scratch_.path(), perms::all);
  std::filesystem::permissions(file_, perms::owner_read | perms::others_read);
  EXPECT_EQ(as_nobody([&] {
              expect_kind([&] { Storage::open(file_); }, Kind::kReadOnly, {"cannot be written; open it for reading"});
              EXPECT_EQ(Storage::open(file_, Access::kReadOnly).trials().size(), 3U);
            }),
            0);
}

// Whoever may only read leaves SQLite's log behind; the owner goes on writing.
TEST_F(SqliteFaults, AReaderWhoIsNotTheOwnerLocksNobodyOut) {
  if (geteuid() != 0) GTEST_SKIP() << "needs another user";
  make();
  using std::filesystem::perms;
  std::filesystem::permissions(scratch_.path(), perms::all);
  std::filesystem::permissions(file_, perms::owner_read | perms::owner_write | perms::others_read);
  constexpr uid_t kOwner = 2;
  ASSERT_EQ(chown(file_.c_str(), kOwner, kOwner), 0);
  EXPECT_EQ(as_nobody([&] { EXPECT_EQ(Storage::open(file_, Access::kReadOnly).trials().size(), 3U); }), 0);
  EXPECT_EQ(as_user(kOwner, [&] { Storage::open(file_).tell(0, {1, {}, 1}); }), 0);

  // Others are not given what the study and its folder do not give them.
  for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(file_ + suffix);
  ASSERT_EQ(chown(file_.c_str(), kOwner, 65534), 0);  // nobody is in its group
  std::filesystem::permissions(file_, perms::owner_read | perms::owner_write | perms::group_read);
  EXPECT_EQ(as_nobody([&] { Storage::open(file_, Access::kReadOnly).trials(); }), 0);
  const auto mode = std::filesystem::status(file_ + "-wal").permissions();
  EXPECT_EQ(mode & (perms::group_all | perms::others_all), perms::group_read | perms::group_write);
}

// Rows that are gone or changed by hand.
TEST_F(SqliteFaults, DamagedRowsAreNamed) {
  make();
  {
    soci::session sql(soci::sqlite3, "dbname=" + file_);
    sql << "UPDATE iqbo_event SET body = '{garbage' WHERE seq = 2";
  }
  expect_kind([&] { Storage::open(file_).events(0); }, Kind::kDamaged, {file_, "event 2 is damaged", "backup"});
  {
    soci::session sql(soci::sqlite3, "dbname=" + file_);
    sql << "DELETE FROM iqbo_event WHERE seq = 2";
  }
  expect_kind([&] { Storage::open(file_).events(0); }, Kind::kDamaged, {"event 2 is damaged", "no gap"});
}

TEST_F(SqliteFaults, WaitsForOthersAndSaysSo) {
  make();
  Storage storage = Storage::open(file_, Access::kReadWrite, {0.1, {}});
  const Storage reader = Storage::open(file_, Access::kReadOnly, {0.1, {}});
  soci::session other(soci::sqlite3, "dbname=" + file_);
  other << "BEGIN IMMEDIATE";
  other << "DELETE FROM iqbo_file WHERE study < 0";
  expect_kind([&] { hand_out(storage, 0.5); }, Kind::kBusy, {"locked for too long"});
  EXPECT_EQ(reader.trials().size(), 3U);  // waits for nobody
  other << "ROLLBACK";
  EXPECT_EQ(hand_out(storage, 0.5).number, 3);
}

TEST_F(SqliteFaults, ReadersDoNotBlockTheWriter) {
  make();
  soci::session reader(soci::sqlite3, "readonly=true dbname=" + file_);
  std::int64_t count = 0;
  reader << "BEGIN";
  reader << "SELECT COUNT(*) FROM iqbo_event", soci::into(count);
  Storage storage = Storage::open(file_, Access::kReadWrite, {0.1, {}});
  hand_out(storage, 0.5);
  EXPECT_EQ(storage.last_event(), 4);
}

TEST_F(SqliteFaults, BrokenLocksAndNetworks) {
  EXPECT_EQ(network_file_system(0x6969), "NFS");
  EXPECT_EQ(network_file_system(0xFFFFFFFFFF534D42U), "CIFS");  // statfs' number is signed
  EXPECT_FALSE(network_file_system(0xEF53));                    // ext4
  EXPECT_FALSE(network_file_system(0x794C7630));                // overlay
  make();
  const test::BrokenLocks broken;
  expect_kind([&] { Storage::open(file_).events(); }, Kind::kLocks, {"locks do not work", "PostgreSQL"});
}

TEST_F(SqliteFaults, HalfAStudyIsNeverSeen) {
  std::ofstream(file_ + "-wal") << "left over";
  expect_kind([&] { Storage::create(file_, small_bundle()); }, Kind::kExists, {"study.db-wal", "remove it first"});
  std::filesystem::remove(file_ + "-wal");
  make();
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(scratch_.path())) ++files;
  EXPECT_EQ(files, 1U);  // no log, no temporary file is left
}

// --- PostgreSQL -------------------------------------------------------------------------------------------------------

TEST(Locations, ShowNoSecrets) {
  const std::string url = "postgresql://me:s3cr%25t@host:5432/db?sslmode=require&password=0th%65r&study=a%20b";
  EXPECT_EQ(public_location(url), "postgresql://me:***@host:5432/db?sslmode=require&password=***&study=a%20b");
  const StorageLocation location(url);
  EXPECT_EQ(location.place, "postgresql://me:s3cr%25t@host:5432/db?sslmode=require&password=0th%65r");
  EXPECT_EQ(location.study, "a b");
  EXPECT_EQ(location.without_secrets("s3cr%25t s3cr%t 0th%65r 0ther " + location.place),
            "*** *** *** *** postgresql://me:***@host:5432/db?sslmode=require&password=***&study=a%20b");
  EXPECT_EQ(public_location("postgres://me:a@b@host/db"), "postgres://me:***@host/db");
  EXPECT_EQ(public_location("postgresql://host/db"), "postgresql://host/db");
  EXPECT_EQ(public_location("study.db"), "study.db");
  expect_refusal([] { Storage::open("postgresql://host/db?study="); }, {"empty name"});
}

TEST(Locations, PasswordsAreHiddenWhereverTheyStand) {
  const std::string url = "postgresql://me:s3cr3t@h/db?study=a&passwd=0ther";
  EXPECT_EQ(without_secrets_of("--study=" + url, "not expected: " + url),
            "not expected: postgresql://me:***@h/db?study=a&passwd=***");
  EXPECT_EQ(without_secrets_of("x/" + url, "cut: postgresql://me:s3cr3t@..."), "cut: postgresql://me:***@...");
  EXPECT_EQ(without_secrets_of("postgresql://me:x@h/db", "execute x, or x@h"), "execute ***, or ***@h");
  EXPECT_EQ(without_secrets_of("campaign.db", "campaign.db"), "campaign.db");
}

// Whatever is wrong with it, a location is not repeated with its password.
TEST(Locations, OfOddUrlsShowNoSecrets) {
  EXPECT_EQ(public_location("postgresql://bob:p?w4@127.0.0.1:1/db"), "postgresql://bob:***@127.0.0.1:1/db");
  EXPECT_EQ(public_location("POSTGRESQL://bob:pw4@h/db"), "postgresql://bob:***@h/db");
  EXPECT_EQ(StorageLocation("PostgreS://bob:pw4@h/db?study=x").place, "postgres://bob:pw4@h/db");
  EXPECT_EQ(StorageLocation("postgresql://bob:p?w4@h/db?study=x").study, "x");
  EXPECT_EQ(public_location("postgresql://h/db?pass%77ord=pw4"), "postgresql://h/db?pass%77ord=***");
  EXPECT_EQ(StorageLocation("postgresql://bob:one%2Ftwo%3Athree@h/db").without_secrets("port \"one\" or \"three\""),
            "port \"***\" or \"***\"");
  for (const std::string odd :
       {"mysql://bob:pw4@h/db", "jdbc:postgresql://bob:pw4@h/db", "postgresql:bob:pw4@h/db", "postgres:/bob:pw4@h/db",
        "host=h user=bob password=pw4", "password = pw4 host=h", "dbname=d password='pw4'",
        " postgresql://bob:pw4@h/db", "postgresql://bob:s3cr%40t/pw4@h/db", "postgresql://bob:a@pw4@h/db",
        "postgresql://h/db?user=a@pw4"}) {
    SCOPED_TRACE(odd);
    EXPECT_EQ(public_location(odd).find("s3cr"), std::string::npos) << public_location(odd);
    try {
      Storage::open(odd);
      ADD_FAILURE() << "not refused";
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()).find("pw4"), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("bob"), std::string::npos) << error.what();
    }
  }
  for (const std::string file : {"a=1.db", "./host=1.db", "user@host.db", "my study.db"})
    EXPECT_EQ(public_location(file), file);
}

class ServerFaults : public testing::Test {
 protected:
  // The server's URL with one part replaced.
  static std::string with(const std::string& from, const std::string& to) {
    std::string url = test::server_url();
    const std::size_t at = url.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from);
    return url.replace(at, from.size(), to);
  }
  static void expect_connection_refused(const std::string& url, std::initializer_list<std::string_view> words) {
    expect_kind([&] { Storage::open(url); }, Kind::kConnection, words);
    try {
      Storage::create(url, small_bundle());
    } catch (const StorageError& error) {
      EXPECT_EQ(std::string(error.what()).find("s3cr"), std::string::npos) << error.what();
    }
  }
};

TEST_F(ServerFaults, ConnectionsThatFailKeepTheSecret) {
  expect_connection_refused(with("s3cr%25t", "s3crwrong"), {"iqbo:***@", "authentication failed"});
  expect_connection_refused(with("127.0.0.1", "127.0.0.2"), {"no connection", "iqbo:***@"});
  expect_connection_refused(with("/postgres\0", "/nosuchdb"), {"nosuchdb", "iqbo:***@"});
  expect_connection_refused(test::server_url() + "?colour=1", {"is not a URL of PostgreSQL"});
  expect_connection_refused("postgresql://u:s3cr%zz@h/db", {"is not a URL of PostgreSQL"});
  expect_kind([] { Storage::open(test::server_url() + "?study=nobody-made-this"); }, Kind::kNotFound,
              {"no such study"});
}

TEST_F(ServerFaults, AConnectionThatWasCutIsMadeAgain) {
  const std::string location = test::Place("postgresql").fresh() + "&application_name=iqbo_cut";
  Storage storage = Storage::create(location, small_bundle());
  hand_out(storage, 0.5);
  test::server_statement("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'iqbo_cut'");
  expect_error<StorageError>([&] { storage.tell(0, {1, {}, 1}); }, {"no connection to the server"});
  EXPECT_EQ(storage.tell(0, {1, {}, 1}).verdict, Settled::Verdict::kStored);
  EXPECT_EQ(storage.last_event(), 2);
}

TEST_F(ServerFaults, NewerVersionsAreNotTouched) {
  const std::string schema = test::fresh_schema();
  const std::string location = test::Place("postgresql").fresh() + "&options=-csearch_path%3D" + schema;
  Storage::create(location, small_bundle());
  test::server_statement("UPDATE " + schema + ".iqbo_schema SET version = 99");
  expect_kind([&] { Storage::open(location); }, Kind::kNewer, {"has storage version 99"});
  expect_kind([&] { Storage::open(location, Access::kReadOnly); }, Kind::kNewer, {"has storage version 99"});
  expect_kind(
      [&] {
        Storage::create(test::Place("postgresql").fresh() + "&options=-csearch_path%3D" + schema, small_bundle());
      },
      Kind::kNewer, {"has storage version 99"});
}

}  // namespace
}  // namespace iqbo
