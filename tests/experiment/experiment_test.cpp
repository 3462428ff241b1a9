#include "iqbo/experiment/experiment.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>

#include "iqbo/problem/registry.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/text_file.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace iqbo {
namespace {

namespace fs = std::filesystem;

// Two policies on the bandit; with a budget, three on a small tree, whose runs have no length known beforehand.
Experiment small(Index seeds = 3) {
  Experiment out{"small", {}, seeds};
  const Problem bandit = problem("bandit");
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kEi, PolicyKind::kRandom}) {
    Entry entry{"bandit", to_string(kind)};
    entry.make = [bandit](std::uint64_t /*seed*/) { return bandit; };
    entry.kind = kind;
    entry.assumed = {.lengthscales = std::vector<double>{0.1}, .query_lengthscales = {0.1}};
    entry.steps = 5;
    out.entries.push_back(entry);
  }
  return out;
}

Experiment budgeted() {
  Experiment out{"small", {}, 2};
  const Problem line = problem("resolution-line");
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kRandom}) {
    Entry entry{"line", to_string(kind)};
    entry.make = [line](std::uint64_t /*seed*/) { return line; };
    entry.kind = kind;
    entry.asking = AskedAs::kTree;
    entry.assumed.lengthscales = std::vector<double>{0.5};
    entry.budget = 6.0;
    out.entries.push_back(entry);
  }
  return out;
}

std::string csv(const test::Scratch& scratch) { return read_text(scratch.path() / "small.csv"); }

void cut(const test::Scratch& scratch, std::size_t bytes) { fs::resize_file(scratch.path() / "small.csv", bytes); }

TEST(Experiment, SameBytesWhateverTheThreads) {
  for (const Experiment& experiment : {small(), budgeted()}) {
    const test::Scratch one, many;
    EXPECT_TRUE(run(experiment, one.path(), {.threads = 1}).finished);
    EXPECT_TRUE(run(experiment, many.path(), {.threads = 5}).finished);
    EXPECT_EQ(csv(one), csv(many));
    EXPECT_EQ(read_text(one.path() / "small.json"), read_text(many.path() / "small.json"));
  }
}

TEST(Experiment, TableIsOrderedAndWhole) {
  const test::Scratch scratch;
  const RunResult result = run(small(), scratch.path());
  ASSERT_EQ(result.table.size(), 3U * 3U * 5U);
  EXPECT_EQ(result.table, results_from_csv(csv(scratch), "small.csv"));
  EXPECT_EQ(result.table[0].policy, "cmes");
  EXPECT_EQ(result.table[5].policy, "ei");
  EXPECT_EQ(result.table[15].seed, 2U);
  const std::string timings = read_text(scratch.path() / "small.timings.csv");
  EXPECT_EQ(std::count(timings.begin(), timings.end(), '\n'), 10);
}

// A kill may leave the file with any number of bytes.
TEST(Experiment, GoesOnFromAnyBeginning) {
  for (const Experiment& experiment : {small(), budgeted()}) {
    const test::Scratch scratch;
    run(experiment, scratch.path());
    const std::string whole = csv(scratch);
    for (std::size_t bytes = 0; bytes <= whole.size(); bytes += 1 + whole.size() / 23) {
      cut(scratch, bytes);
      EXPECT_TRUE(run(experiment, scratch.path()).finished);
      EXPECT_EQ(csv(scratch), whole) << "cut to " << bytes;
    }
  }
}

TEST(Experiment, DoesNotRepeatWhatIsThere) {
  const test::Scratch scratch;
  run(small(2), scratch.path());
  Experiment more = small(3);
  std::atomic<int> made = 0;
  for (Entry& entry : more.entries)
    entry.make = [&made, make = entry.make](std::uint64_t seed) {
      ++made;
      return make(seed);
    };
  run(more, scratch.path());
  EXPECT_EQ(made, 3) << "the third seed of three entries";
  const test::Scratch fresh;
  run(small(3), fresh.path());
  EXPECT_EQ(csv(scratch), csv(fresh));
}

// With a budget nothing but the table of times shows that the last replication is whole.
TEST(Experiment, RepeatsNoFinishedRunWithABudget) {
  const test::Scratch scratch;
  run(budgeted(), scratch.path());
  Experiment again = budgeted();
  std::atomic<int> made = 0;
  for (Entry& entry : again.entries)
    entry.make = [&made, make = entry.make](std::uint64_t seed) {
      ++made;
      return make(seed);
    };
  EXPECT_TRUE(run(again, scratch.path()).finished);
  EXPECT_EQ(made, 0);
  // A table of times by an earlier version does not say how many rows there are: the last one is run again.
  const auto timings = scratch.path() / (again.name + ".timings.csv");
  CsvTable table = parse_csv(read_text(timings), "timings");
  const auto rows = static_cast<std::ptrdiff_t>(table.position("rows"));
  table.columns.erase(table.columns.begin() + rows);
  CsvRows others;
  for (const CsvRow row : table.rows) {
    std::vector<std::string> cells(row.begin(), row.end());
    cells.erase(cells.begin() + rows);
    others.push_back(cells);
  }
  table.rows = others;
  write_text(timings, to_csv(table));
  const std::string whole = csv(scratch);
  EXPECT_TRUE(run(again, scratch.path()).finished);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(csv(scratch), whole);
  EXPECT_TRUE(run(again, scratch.path()).finished);
  EXPECT_EQ(made, 1);
}

TEST(Experiment, StopsAndGoesOn) {
  const test::Scratch scratch, fresh;
  std::atomic<int> asked = 0;
  const auto later = [&] { return ++asked > 24; };
  const RunResult stopped = run(small(), scratch.path(), {.threads = 1, .stop = later});
  EXPECT_FALSE(stopped.finished);
  EXPECT_FALSE(stopped.table.empty());
  EXPECT_LT(stopped.table.size(), 45U);
  asked = 0;
  EXPECT_FALSE(run(small(), scratch.path(), {.threads = 2, .stop = later}).finished);  // how far depends on the threads
  EXPECT_TRUE(run(small(), scratch.path()).finished);
  run(small(), fresh.path());
  EXPECT_EQ(csv(scratch), csv(fresh));
}

TEST(Experiment, ReportsProgress) {
  const test::Scratch scratch;
  std::vector<Index> done;
  run(small(1), scratch.path(), {.progress = [&](Index now, Index all) {
        done.push_back(now);
        EXPECT_EQ(all, 3);
      }});
  EXPECT_EQ(done, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(Experiment, KeepsWhatWasFinishedBeforeAFailure) {
  const test::Scratch scratch;
  Experiment broken = small();
  broken.entries[2].make = [](std::uint64_t seed) -> Problem {
    throw std::runtime_error("no problem for seed " + std::to_string(seed));
  };
  EXPECT_THROW(run(broken, scratch.path(), {.threads = 1}), std::runtime_error);
  EXPECT_EQ(results_from_csv(csv(scratch), "small.csv").size(), 10U);
}

// --- refusals; nothing is touched ---

void expect_refused(const Experiment& experiment, const test::Scratch& scratch, const std::string& message) {
  const std::string before = csv(scratch);
  test::expect_refusal([&] { run(experiment, scratch.path()); }, {message});
  EXPECT_EQ(csv(scratch), before);
}

TEST(Experiment, RefusesAnotherConfiguration) {
  const test::Scratch scratch;
  run(small(), scratch.path());
  const std::string json = read_text(scratch.path() / "small.json");
  Experiment other = small();
  other.entries[1].samples = 11;
  expect_refused(
      other, scratch,
      "small.json: another configuration (/entries/1/samples differs), expected the same one; choose another "
      "folder");
  expect_refused(small(2), scratch, "expected no more than 2 seeds; choose another folder");
  EXPECT_EQ(read_text(scratch.path() / "small.json"), json);
}

TEST(Experiment, RefusesAForeignTable) {
  const test::Scratch scratch;
  run(small(), scratch.path());
  std::string text = csv(scratch);
  text.replace(text.find("bandit,ei"), 9, "bandit,ey");
  write_text(scratch.path() / "small.csv", text);
  expect_refused(small(), scratch, "row 7 is of seed 1, ey on bandit, expected the rows in the order");
  fs::remove(scratch.path() / "small.json");
  expect_refused(small(), scratch, "small.csv: no configuration beside it");
  write_text(scratch.path() / "small.json", "{");
  expect_refused(small(), scratch, "small.json: is no JSON object");
}

TEST(Experiment, RefusesASecondWriter) {
  const test::Scratch scratch;
  run(small(), scratch.path());
  const int file = ::open((scratch.path() / "small.csv").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  expect_refused(small(), scratch, "small.csv: in use by another process");
  ::close(file);
}

TEST(Experiment, RefusesFoldersThatCannotBe) {
  const test::Scratch scratch;
  write_text(scratch.path() / "file", "");
  test::expect_refusal([&] { run(small(), scratch.path() / "file" / "folder"); },
                       {"Not a directory, expected a folder that can be written"});
}

TEST(Experiment, RefusesNothingToDo) {
  const test::Scratch scratch;
  test::expect_refusal([&] { run(small(0), scratch.path()); }, {"seeds: 0, expected at least 1"});
  test::expect_refusal([&] { run({"none", {}}, scratch.path()); }, {"entries: none, expected at least one"});
  Experiment twice = small();
  twice.entries.push_back(twice.entries[0]);
  test::expect_refusal([&] { run(twice, scratch.path()); }, {"entries: cmes on bandit twice, expected each once"});
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

}  // namespace
}  // namespace iqbo
