// A new study is there whole, or not at all.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "places.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

namespace fs = std::filesystem;
using test::small_bundle;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path().filename().string());
  return out;
}

// In a process of its own: the exit code is 0 if the study was made, 1 if that was refused for want of space.
int created_with_limit(const std::string& file, rlim_t bytes) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      Storage::create(file, small_bundle());
    } catch (const StorageError& error) {
      _exit(error.kind() == StorageError::Kind::kFull ? 1 : 2);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(Creation, AFullDiskLeavesNothingBehind) {
  int made = 0;
  int refused = 0;
  for (rlim_t kilobytes = 4; kilobytes <= 200; kilobytes += 4) {
    const test::Scratch scratch;
    const std::string file = scratch.file("study.db");
    const int code = created_with_limit(file, kilobytes * 1024);
    ASSERT_LE(code, 1) << kilobytes;
    ++(code == 0 ? made : refused);
    if (code == 1) {
      EXPECT_TRUE(names_in(scratch.path()).empty()) << kilobytes << " kB: " << names_in(scratch.path())[0];
      Storage::create(file, small_bundle());  // with space it can be made under the same name
    }
    EXPECT_TRUE(Storage::open(file).check().problems.empty()) << kilobytes;
  }
  EXPECT_GT(made, 5);
  EXPECT_GT(refused, 5);
}

TEST(Creation, KilledAtAnyMomentLeavesAllOrNothing) {
  int whole = 0;
  const test::Scratch scratch;
  for (int i = 0; i < 30; ++i) {
    const std::string file = scratch.file(test::numbered("s", i) + ".db");
    const pid_t child = fork();
    if (child == 0) {
      Storage::create(file, small_bundle());
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200 * i));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (fs::exists(file)) {
      ++whole;
      EXPECT_TRUE(Storage::open(file).check().problems.empty());
    }
  }
  Storage::create(scratch.file("last.db"), small_bundle());
  for (const std::string& name : names_in(scratch.path()))
    EXPECT_EQ(name.find(".new-"), std::string::npos) << name << " was left behind";
  EXPECT_LT(whole, 30);
}

// The number of a process that has ended.
std::string dead_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return std::to_string(child);
}

// Earlier versions left files of these names when they were killed; somebody's study may be called like that, too.
TEST(Creation, RemovesWhatTheKilledLeftAndNothingElse) {
  const test::Scratch scratch;
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(scratch.file(name), std::ios::binary) << bytes;
  };
  const auto make = [&] { return Storage::create(scratch.file("made.db"), small_bundle()); };
  const auto rename = [&](const std::string& name) { fs::rename(scratch.file("made.db"), scratch.file(name)); };
  const std::string dead = dead_process();
  const std::vector<std::string> gone{"a.db.new-" + dead, ".c.db.new-" + dead, "study.db.new-" + dead};
  make();
  rename(gone[0]);
  write(gone[0] + "-wal", "");
  for (std::size_t i = 1; i < gone.size(); ++i) write(gone[i], "");
  std::vector<std::string> kept{"b.db.new-" + std::to_string(getpid()), "d.db.new-20261117", "e.db.new-" + dead,
                                "notes.new-" + dead};
  write(kept[3], "somebody's");
  for (std::size_t i = 0; i < 3; ++i) {
    {
      Storage storage = make();
      if (i == 2) test::hand_out(storage, 0.5);
    }
    rename(kept[i]);
  }
  Storage::create(scratch.file("study.db"), small_bundle());
  kept.push_back("study.db");
  std::vector<std::string> left = names_in(scratch.path());
  std::erase_if(left, [](const std::string& name) { return name.ends_with("-wal") || name.ends_with("-shm"); });
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, kept);
  EXPECT_EQ(Storage::open(scratch.file(kept[2]), Access::kReadOnly).events().size(), 1U);
}

TEST(Creation, RefusesTheLogsOfOtherStudies) {
  const test::Scratch scratch;
  for (const std::string suffix : {"-wal", "-journal"}) {
    std::ofstream(scratch.file("s.db" + suffix)) << "log";
    test::expect_error<StorageError>([&] { Storage::create(scratch.file("s.db"), small_bundle()); },
                                     {"s.db" + suffix, "remove it first"});
    fs::remove(scratch.file("s.db" + suffix));
  }
}

// Commands that only read leave an empty log, which stays behind if the study is removed.
TEST(Creation, TakesTheNameOfAStudyThatWasRemoved) {
  const test::Scratch scratch;
  const std::string file = scratch.file("study.db");
  {
    Storage storage = Storage::create(file, small_bundle());
    test::hand_out(storage, 0.5);
  }
  Storage::open(file, Access::kReadOnly);
  ASSERT_TRUE(fs::exists(file + "-wal"));
  fs::remove(file);
  Storage::create(file, small_bundle());
  EXPECT_TRUE(Storage::open(file).events().empty());
}

TEST(Creation, TheFirstEventsBelongToIt) {
  const test::Scratch scratch;
  const std::string file = scratch.file("study.db");
  test::expect_refusal([&] { Storage::create(file, small_bundle(), {}, {Told{0, {1, {}, 1}, ""}}); }, {"\"told\""});
  EXPECT_FALSE(fs::exists(file));
  Storage::create(file, small_bundle(), {}, {Refit{}});
  EXPECT_EQ(Storage::open(file).events().size(), 1U);
}

}  // namespace
}  // namespace iqbo
