#include "iqbo/experiment/blocks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "iqbo/problem/registry.hpp"
#include "iqbo/record/text_file.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace iqbo {
namespace {

namespace fs = std::filesystem;

Experiment small(Index seeds, std::atomic<int>* runs = nullptr, Index steps = 4) {
  Experiment out{"small", {}, seeds, 11};
  const Problem bandit = problem("bandit");
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kRandom}) {
    Entry entry{"bandit", to_string(kind)};
    entry.make = [bandit, runs](std::uint64_t /*seed*/) {
      if (runs != nullptr) ++*runs;
      return bandit;
    };
    entry.kind = kind;
    entry.assumed = {.lengthscales = std::vector<double>{0.1}, .query_lengthscales = {0.1}};
    entry.steps = steps;
    out.entries.push_back(entry);
  }
  return out;
}

// The table that a run without shards writes.
std::string undivided(Index seeds) {
  const test::Scratch scratch;
  run(small(seeds), scratch.path());
  return read_text(scratch.path() / "small.csv");
}

std::string merged(const Experiment& experiment, const BlockStore& store) {
  const test::Scratch scratch;
  const KnownRuns known = known_runs(experiment, store);
  run(experiment, scratch.path(), {.known = &known});
  return read_text(scratch.path() / "small.csv");
}

TEST(Shard, ReadsKOfN) {
  EXPECT_EQ(shard("3/16").number, 3);
  EXPECT_EQ(shard("3/16").of, 16);
  for (const char* wrong : {"", "3", "0/4", "5/4", "a/4", "1/b", "1/4 ", "-1/4", "1/0", "/", "1/99999999999999999999"})
    test::expect_refusal([&] { shard(wrong); }, {"shard: \"" + std::string(wrong) + "\"", "K/N, such as 3/16"});
}

// Every seed is in exactly one block, blocks follow each other, and their sizes differ by one at most.
TEST(Shard, DividesTheSeeds) {
  for (const Index seeds : {1, 5, 16, 17, 100})
    for (const Index of : {1, 2, 7, 16, 40}) {
      std::uint64_t next = 11;
      Index least = seeds, most = 0;
      for (Index number = 1; number <= of; ++number) {
        const Experiment block = part_of(small(seeds), {number, of});
        EXPECT_EQ(block.first_seed, next);
        next += static_cast<std::uint64_t>(block.seeds);
        least = std::min(least, block.seeds);
        most = std::max(most, block.seeds);
      }
      EXPECT_EQ(next, 11 + static_cast<std::uint64_t>(seeds)) << seeds << " over " << of;
      EXPECT_LE(most - least, 1);
    }
}

TEST(Blocks, MergedTableHasTheBytesOfOneRun) {
  const std::string whole = undivided(5);
  for (const Index of : {1, 2, 3, 5, 8}) {
    const test::Scratch scratch;
    std::atomic<int> runs = 0;
    const Experiment experiment = small(5, &runs);
    BlockFolder store(scratch.path(), experiment);
    for (Index number = of; number >= 1; --number)
      EXPECT_TRUE(run_shard(experiment, {number, of}, scratch.path(), store));
    EXPECT_EQ(runs, 10);
    EXPECT_EQ(seeds_known(experiment, known_runs(experiment, store)), 5);
    EXPECT_EQ(merged(experiment, store), whole) << of << " shards";
    EXPECT_EQ(runs, 10) << "nothing is run twice";
    for (const auto& file : fs::directory_iterator(scratch.path())) EXPECT_TRUE(file.is_regular_file()) << file.path();
  }
}

TEST(Blocks, MissingOnesAreRunAndOtherDivisionsReused) {
  const test::Scratch scratch;
  std::atomic<int> runs = 0;
  const Experiment few = small(4, &runs), more = small(6, &runs);
  BlockFolder store(scratch.path(), few);
  run_shard(few, {2, 4}, scratch.path(), store);  // seed 12
  run_shard(few, {4, 4}, scratch.path(), store);  // seed 14
  EXPECT_EQ(runs, 4);
  EXPECT_EQ(merged(more, store), undivided(6));
  EXPECT_EQ(runs, 4 + 8) << "the other four seeds";
  runs = 0;
  run_shard(more, {2, 3}, scratch.path(), store);  // seeds 13 and 14
  EXPECT_EQ(runs, 2) << "seed 13";
}

TEST(Blocks, AnInterruptedShardContinues) {
  const test::Scratch scratch;
  const Experiment experiment = small(4);
  BlockFolder store(scratch.path(), experiment);
  std::atomic<int> asked = 0;
  EXPECT_FALSE(
      run_shard(experiment, {1, 1}, scratch.path(), store, {.threads = 1, .stop = [&] { return ++asked > 20; }}));
  EXPECT_TRUE(store.all().empty()) << "only whole blocks are shared";
  EXPECT_TRUE(run_shard(experiment, {1, 1}, scratch.path(), store));
  EXPECT_EQ(merged(experiment, store), undivided(4));
}

TEST(Blocks, OthersAreRefused) {
  const test::Scratch scratch;
  const Experiment experiment = small(2), longer = small(2, nullptr, 5);
  BlockFolder store(scratch.path(), experiment);
  run_shard(experiment, {1, 2}, scratch.path(), store);
  test::expect_refusal([&] { known_runs(longer, store); }, {"small.11-11.json", "a block of another experiment"});
  std::ofstream(scratch.path() / "small.12-12.json") << "{}";
  test::expect_refusal([&] { known_runs(experiment, store); }, {"small.12-12.json", "is no finished block"});
}

}  // namespace
}  // namespace iqbo
