// A loss of power at any moment keeps what was acknowledged.
#include <gtest/gtest.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <chrono>

#include "lossy_disk.hpp"
#include "places.hpp"
#include "synced_calls.hpp"

namespace iqbo {
namespace {

namespace fs = std::filesystem;
using test::LossyDisk;

struct Loss {
  fs::path folder;
  std::int64_t acknowledged;  // events, before the power went
};

// Works on a study, and loses the power before every `every`-th write, with several outcomes each.
class PowerLoss : public testing::Test {
 protected:
  void note_losses() {
    if (writes_++ % every_ != 0) return;
    for (std::uint64_t seed = LossyDisk::kNothing; seed < 3; ++seed) {
      losses_.push_back({scratch_.path() / std::to_string(losses_.size()), acknowledged_});
      fs::create_directory(losses_.back().folder);
      disk_->lose_power(losses_.back().folder, seed == 0 ? seed : seed + 1000 * static_cast<std::uint64_t>(writes_));
    }
  }

  void work(int trials) {
    Storage storage = Storage::create(file_, test::small_bundle());
    disk_.emplace([this] { note_losses(); });
    storage = Storage::open(file_);
    for (int i = 0; i < trials; ++i) {
      test::hand_out(storage, 0.01 * i);
      ++acknowledged_;
      storage.tell(i, {1.0 * i, {}, 1});
      ++acknowledged_;
    }
    { const Storage gone = std::move(storage); }  // closing writes the log into the file, and removes it
    disk_.reset();
  }

  // What is on the disk was written before the machine started again.
  static void restart(const fs::path& folder) {
    for (const auto& file : fs::directory_iterator(folder))
      fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::years(20));
  }

  test::Scratch scratch_;
  std::string file_ = scratch_.file("study.db");
  std::optional<LossyDisk> disk_;
  std::vector<Loss> losses_;
  std::int64_t acknowledged_ = 0;
  int writes_ = 0;
  int every_ = 7;
};

TEST_F(PowerLoss, KeepsWhatWasAcknowledged) {
  work(25);
  ASSERT_GT(losses_.size(), 50U);
  for (const Loss& loss : losses_) {
    SCOPED_TRACE(loss.folder.string());
    restart(loss.folder);
    Storage storage = Storage::open((loss.folder / "study.db").string());
    EXPECT_TRUE(storage.check().problems.empty()) << storage.check().problems.at(0);
    EXPECT_GE(storage.last_event(), loss.acknowledged);
    EXPECT_LE(storage.last_event(), loss.acknowledged + 1);  // the one under way
    test::hand_out(storage, 0.5);
  }
}

// The disk of this test does lose things: a database whose commits are not forced to it.
TEST_F(PowerLoss, ThisDiskDoesForget) {
  const std::string file = scratch_.file("careless.db");
  const LossyDisk disk;
  soci::session sql(soci::sqlite3, "dbname=" + file);
  std::string mode;
  sql << "PRAGMA journal_mode = WAL", soci::into(mode);
  sql << "PRAGMA synchronous = NORMAL";
  sql << "CREATE TABLE t (x BIGINT)";
  for (int i = 0; i < 10; ++i) sql << "INSERT INTO t VALUES (1)";
  const fs::path folder = scratch_.path() / "after";
  fs::create_directory(folder);
  disk.lose_power(folder, LossyDisk::kNothing);
  std::int64_t left = 0;
  try {
    soci::session after(soci::sqlite3, "dbname=" + (folder / "careless.db").string());
    after << "SELECT COUNT(*) FROM t", soci::into(left);
  } catch (const soci::soci_error&) {  // not even the table is left
  }
  EXPECT_LT(left, 10);
}

// A new study is on the disk before it has its name, and the name before create() returns.
TEST_F(PowerLoss, ANewStudyIsForcedToTheDiskBeforeAndAfterItGetsItsName) {
  const test::SyncedCalls calls;
  Storage::create(file_, test::small_bundle());
  EXPECT_TRUE(calls.made().starts_with("sync file, link, sync folder")) << calls.made();
}

}  // namespace
}  // namespace iqbo
