// What iqbo did not write is noticed, in a file and at a server alike; nothing is issued twice or told wrongly after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "iqbo/core/rng.hpp"
#include "iqbo/record/json.hpp"
#include "places.hpp"
#include "server_statement.hpp"
#include "storage/digest.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_error;
using test::hand_out;
using test::small_bundle;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kTrials = 6;

// Trials 0 to 5 are events 1, 3, ..., 11; all but the last are told by the events between.
void fill(Storage& storage) {
  for (int i = 0; i < kTrials; ++i) {
    hand_out(storage, 0.1 * i, "w", 3600);
    if (i + 1 < kTrials) storage.tell(i, {0.5 + i, 0.25, 2}, "w");
  }
}

class Damage : public testing::TestWithParam<std::string> {
 protected:
  Damage() : place_(GetParam()), location_(place_.fresh()) {
    Storage storage = Storage::create(location_, small_bundle());
    fill(storage);
  }

  // "... WHERE @": of this study.
  void by_hand(std::string statement) {
    const bool file = GetParam() == "sqlite";
    const std::string name = location_.substr(location_.find("study=") + 6);
    const std::string here = file ? "study = 1" : "study = (SELECT id FROM iqbo_study WHERE name = '" + name + "')";
    statement.replace(statement.find('@'), 1, here);
    if (file)
      soci::session(soci::sqlite3, "dbname=" + location_) << statement;
    else
      test::server_statement(statement);
  }

  void expect_damage(std::initializer_list<std::string_view> words) {
    expect_error<StorageError>([&] { Storage::open(location_, Access::kReadOnly).events(); }, words);
    expect_error<StorageError>([&] { Storage::open(location_, Access::kReadOnly).trials(); }, words);
    EXPECT_FALSE(Storage::open(location_, Access::kReadOnly).check().problems.empty());
  }

  test::Place place_;
  std::string location_;
};

TEST_P(Damage, AnUntouchedStudyIsGood) {
  const StorageCheck found = Storage::open(location_, Access::kReadOnly).check();
  EXPECT_THAT(found.problems, ElementsAre());
  EXPECT_TRUE(found.digests);
  EXPECT_EQ(found.events, 11);
  EXPECT_EQ(found.trials, 6);
  EXPECT_THAT(found.good_trials, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_P(Damage, AChangedAnswer) {
  by_hand("UPDATE iqbo_event SET body = replace(body, '\"value\":', '\"value\":9') WHERE @ AND seq = 2");
  expect_damage({"event 2 is damaged", "changed after it was written", "iqbo check", "backup"});
  const StorageCheck found = Storage::open(location_, Access::kReadOnly).check();
  EXPECT_THAT(found.bad_events, ElementsAre(2));
  EXPECT_THAT(found.good_trials, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(found.bad_trials, ElementsAre(0));
  // A changed answer is not amended unawares; trials that have nothing to do with it can still be told.
  Storage storage = Storage::open(location_);
  expect_error<StorageError>([&] { storage.amend(0, {1, {}, 1}); }, {"event 2 is damaged"});
  expect_error<StorageError>([&] { storage.tell(0, {1, {}, 1}); }, {"event 2 is damaged"});
  EXPECT_EQ(storage.tell(5, {1, {}, 1}).verdict, Settled::Verdict::kStored);
}

TEST_P(Damage, EventsThatAreGone) {
  by_hand("DELETE FROM iqbo_event WHERE @ AND seq = 11");
  expect_damage({"the log is damaged", "has 10 events, and should have 11"});
  Storage storage = Storage::open(location_);
  expect_error<StorageError>([&] { storage.tell(5, {1, {}, 1}); }, {"damaged"});
  expect_error<StorageError>([&] { storage.claim({test::draft({1})}, 10, "w", 60); }, {"should end with event 11"});
  expect_error<StorageError>([&] { storage.append(Refit{}); }, {"should end with event 11", "missing"});
}

TEST_P(Damage, AnEventFromTheMiddleIsGone) {
  by_hand("DELETE FROM iqbo_event WHERE @ AND seq = 4");
  expect_damage({"event 4 is damaged", "no gap"});
  EXPECT_THAT(Storage::open(location_, Access::kReadOnly).check().bad_events, ElementsAre(4, 5));
}

TEST_P(Damage, ARowOfATrialIsGone) {
  by_hand("DELETE FROM iqbo_trial WHERE @ AND number = 5");
  expect_damage({"the table of trials is damaged", "5 trials, and the log has 6"});
  Storage storage = Storage::open(location_);
  expect_error<StorageError>([&] { storage.tell(5, {1, {}, 1}); }, {"the row of trial 5 is missing"});
  EXPECT_EQ(hand_out(storage, 0.5).number, 6);  // no number is issued twice
}

TEST_P(Damage, ATrialThatIsPendingAgain) {
  by_hand("UPDATE iqbo_trial SET state = 0 WHERE @ AND number = 1");
  expect_damage({"the table of trials is damaged", "2 pending trials, and the log has 1"});
  expect_error<StorageError>([&] { Storage::open(location_).pending(); }, {"the row of trial 1", "state"});
  expect_error<StorageError>([&] { Storage::open(location_).tell(1, {7, {}, 1}); }, {"the row of trial 1", "state"});
}

TEST_P(Damage, TheEndOfTheLog) {
  by_hand("UPDATE iqbo_head SET digest = 'x' WHERE @");
  expect_damage({"event 11 is damaged"});
  expect_error<StorageError>([&] { Storage::open(location_).tell(5, {1, {}, 1}); }, {"event 11 is damaged"});
}

TEST_P(Damage, TheSpecAndItsFiles) {
  by_hand("UPDATE iqbo_file SET contents = replace(contents, '0.5', '0.6') WHERE @");
  expect_damage({"the spec or one of its files is damaged"});
}

TEST_P(Damage, AReaderNoticesThatTheLogIsAnother) {
  Storage reader = Storage::open(location_, Access::kReadOnly);
  ASSERT_EQ(reader.events().size(), 11U);
  by_hand("UPDATE iqbo_event SET digest = 'y' WHERE @ AND seq = 11");
  expect_error<StorageError>([&] { reader.events(11); }, {"event 11 is damaged", "read before"});
}

TEST_P(Damage, AnEventWithoutItsDigest) {
  by_hand("UPDATE iqbo_event SET digest = '', body = replace(body, '0.1', '0.7') WHERE @ AND seq = 11");
  by_hand("UPDATE iqbo_event SET digest = '', body = replace(body, '0.5', '0.6') WHERE @ AND seq = 2");
  expect_damage({"event 2 is damaged"});
  expect_error<StorageError>([&] { Storage::open(location_).tell(0, {1, {}, 1}); }, {"event 2 is damaged"});
  expect_error<StorageError>([&] { Storage::open(location_).heartbeat(5, "w", 60); }, {"event 11 is damaged"});
}

// Counts that were damaged themselves: nobody waits for a million million events.
TEST_P(Damage, CountsThatNoStudyHas) {
  for (const char* count : {"1000000000000000", "9223372036854775807", "-5"}) {
    by_hand(std::string("UPDATE iqbo_head SET events = ") + count + ", trials = " + count + " WHERE @");
    const StorageCheck found = Storage::open(location_, Access::kReadOnly).check();
    EXPECT_FALSE(found.problems.empty()) << count;
    EXPECT_EQ(found.events, 11) << count;
    EXPECT_EQ(found.trials, 6) << count;
    EXPECT_THAT(found.bad_events, ElementsAre()) << count;
    EXPECT_THAT(found.good_trials, ElementsAre(0, 1, 2, 3, 4, 5)) << count;
    expect_error<StorageError>([&] { Storage::open(location_).tell(5, {1, {}, 1}); }, {"damaged"});
  }
}

INSTANTIATE_TEST_SUITE_P(Places, Damage, testing::Values("sqlite", "postgresql"),
                         [](const auto& each) { return each.param; });

// --- bytes ---

struct Everything {
  SpecBundle bundle;
  std::vector<Event> events;
  std::vector<Trial> trials;
  bool operator==(const Everything&) const = default;
};

Everything all_of(const std::string& file) {
  const Storage storage = Storage::open(file, Access::kReadOnly);
  Everything out{storage.bundle(), storage.events(), storage.trials()};
  for (Trial& trial : out.trials) trial.lease_until = 0;  // the only thing that is nowhere else
  return out;
}

// Whatever byte of the file changes: either everything is read as before, or an error says that something is wrong.
TEST(DamagedBytes, AreNoticedOrMakeNoDifference) {
  const test::Scratch scratch;
  const std::string whole = scratch.file("whole.db");
  {
    Storage storage = Storage::create(whole, small_bundle());
    fill(storage);
  }
  const Everything expected = all_of(whole);
  std::ostringstream text;
  text << std::ifstream(whole, std::ios::binary).rdbuf();
  const std::string bytes = text.str();
  Rng rng(4);
  int noticed = 0;
  const int flips = std::getenv("IQBO_FLIPS") != nullptr ? std::atoi(std::getenv("IQBO_FLIPS")) : 400;
  for (int i = 0; i < flips; ++i) {
    std::string changed = bytes;
    const auto at = static_cast<std::size_t>(rng.below(static_cast<Index>(bytes.size())));
    changed[at] = static_cast<char>(changed[at] ^ (1 << rng.below(8)));
    const std::string file = scratch.file("flip" + std::to_string(i) + ".db");
    std::ofstream(file, std::ios::binary) << changed;
    try {
      EXPECT_EQ(all_of(file), expected) << "bit of byte " << at << ", flip " << i;
    } catch (const StorageError&) {
      ++noticed;
    } catch (const std::invalid_argument&) {
      ++noticed;
    }
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file + suffix);
  }
  EXPECT_GT(noticed, flips / 20);
}

// --- the log that a killed process leaves beside the file ---

std::string bytes_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// A study as it is on the disk while a process has it open, and would be if that process were killed.
struct Killed {
  Killed() {
    Storage storage = Storage::create(scratch.file("s.db"), small_bundle());
    fill(storage);
    file = bytes_of(scratch.file("s.db"));
    log = bytes_of(scratch.file("s.db-wal"));
  }

  std::string left(const std::string& changed_log) const {
    std::string name = scratch.file("left.db");
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(name + suffix);
    std::ofstream(name, std::ios::binary) << file;
    std::ofstream(name + "-wal", std::ios::binary) << changed_log;
    return name;
  }

  test::Scratch scratch;
  std::string file, log;
};

constexpr std::size_t kPage = 24 + 4096;  // in the log

TEST(DamagedLog, IsReadWholeIfNothingChanged) {
  const Killed killed;
  ASSERT_GT(killed.log.size(), 20 * kPage);
  EXPECT_EQ(all_of(killed.left(killed.log)).events.size(), 2 * kTrials - 1);
  const std::string cut = killed.log.substr(0, killed.log.size() - kPage / 2);
  EXPECT_EQ(all_of(killed.left(cut)).events.size(), 2 * kTrials - 2) << "the last change was under way";
}

TEST(DamagedLog, IsNoticedUpToItsLastPage) {
  const Killed killed;
  const Everything expected = all_of(killed.left(killed.log));
  Rng rng(5);
  int noticed = 0;
  const int flips = std::getenv("IQBO_FLIPS") != nullptr ? std::atoi(std::getenv("IQBO_FLIPS")) / 10 : 60;
  for (int i = 0; i < flips; ++i) {
    const auto at = static_cast<std::size_t>(rng.below(static_cast<Index>(killed.log.size() - kPage)));
    std::string changed = killed.log;
    changed[at] = static_cast<char>(changed[at] ^ (1 << rng.below(8)));
    const std::string name = killed.left(changed);
    try {
      EXPECT_EQ(all_of(name), expected) << "bit of byte " << at << ", flip " << i;
    } catch (const StorageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("was changed by something other than iqbo"));
      ++noticed;
    }
    EXPECT_EQ(bytes_of(name + "-wal"), changed) << "whoever mends it finds it as it was";
  }
  EXPECT_GT(noticed, flips * 9 / 10);
}

// After a loss of power the pages of the change under way may be there in any order.
TEST(DamagedLog, IsNotSuspectedOfALossOfPower) {
  const Killed killed;
  std::string changed = killed.log;
  const std::size_t pages = (changed.size() - 32) / kPage;
  std::size_t first = pages - 1;  // of the last change: the page after the commit before
  const auto commits = [&](std::size_t page) { return changed.substr(32 + page * kPage + 4, 4) != std::string(4, 0); };
  while (!commits(first - 1)) --first;
  ASSERT_LT(first + 1, pages);
  changed.replace(32 + first * kPage, kPage, kPage, 0);
  const std::string name = killed.left(changed);
  expect_error<StorageError>([&] { all_of(name); }, {"at least 1 after them are lost"});
  std::filesystem::last_write_time(name + "-wal",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::years(20));
  EXPECT_EQ(all_of(name).events.size(), 2 * kTrials - 2);
}

// --- digests ---

TEST(Digest, CoversEveryField) {
  const EventRow row{3, 1.5, "told", "{\"trial\":0}"};
  const std::string digest = event_digest("before", row);
  EXPECT_EQ(digest.size(), 32U);
  EXPECT_EQ(event_digest("before", row), digest);
  std::vector<EventRow> others(4, row);
  others[0].seq = 4;
  others[1].time = 1.5000000000000002;
  others[2].kind = "tolda";
  others[3].body = "{\"trial\":1}";
  for (const EventRow& other : others) EXPECT_NE(event_digest("before", other), digest);
  EXPECT_NE(event_digest("befor", row), digest);
  EXPECT_NE(event_digest("before", {3, 1.5, "tol", "d{\"trial\":0}"}), digest);  // where fields end counts
}

// Against the definition, computed digit by digit: the polynomial of the 7-byte words at the two points.
TEST(Digest, IsThePolynomialOfItsWords) {
  constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;
  const auto times = [&](std::uint64_t a, std::uint64_t b) {  // by doubling, without a product of 128 bits
    std::uint64_t out = 0;
    for (; b > 0; b /= 2, a = (a + a) % kPrime)
      if (b % 2 == 1) out = (out + a) % kPrime;
    return out;
  };
  const SpecBundle bundle{"0123456789", {}};
  std::string expected;
  for (const std::uint64_t point : {0x1243F6A8885A308DULL, 0x15BF0A8B1457695FULL}) {
    std::uint64_t value = 1;
    for (const std::uint64_t word :
         {std::uint64_t{10}, std::uint64_t{0}, std::uint64_t{0x36353433323130}, std::uint64_t{0x393837}})
      value = (times(value, point % kPrime) + word) % kPrime;
    std::ostringstream hex;
    hex.width(16);
    hex.fill('0');
    hex << std::hex << value;
    expected += hex.str();
  }
  EXPECT_EQ(origin_digest(bundle), expected);
}

}  // namespace
}  // namespace iqbo
