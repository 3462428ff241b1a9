// Entries times seeds, run on all cores, kept in a folder:
//
//   <name>.csv           one row per (problem, policy, seed, t): seed by seed, in it entry by entry
//   <name>.json          the whole configuration
//   <name>.timings.csv   seconds per replication; the only file that is not the same every time
//
// The table grows by whole replications in a fixed order, so at any time it is a prefix of the finished file, whose
// bytes do not depend on the number of threads or on interruptions. Running again continues where it ends; a
// replication that was interrupted is run again. More seeds than last time extend the table. A folder with another
// configuration is refused, and nothing in it is changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "iqbo/experiment/entry.hpp"

namespace iqbo {

struct Experiment {
  std::string name;
  std::vector<Entry> entries;
  Index seeds = 10;
  std::uint64_t first_seed = 1;
};

// Replications that another process has run (blocks.hpp).
struct KnownRun {
  ResultTable rows;
  double seconds = 0.0;
};
using RunKey = std::tuple<std::string, std::string, std::uint64_t>;  // problem, policy, seed
using KnownRuns = std::map<RunKey, KnownRun>;

struct RunOptions {
  unsigned threads = 0;                                      // 0: as many as there are cores
  std::function<void(Index done, Index all)> progress = {};  // replications; never from two threads at once
  Stop stop = {};                                            // asked often, from every thread
  const KnownRuns* known = nullptr;                          // used instead of running those again
};

// The whole table, or as much of it as there was when `stop` returned true: fewer than entries x seeds replications. An
// exception of an entry is rethrown once all threads have ended; replications finished before it are kept.
struct RunResult {
  ResultTable table;
  bool finished = false;
};
RunResult run(const Experiment& experiment, const std::filesystem::path& folder, const RunOptions& options = {});

std::string configuration(const Experiment& experiment);  // JSON

// Writes <name>.json into the folder, which is made; one of another experiment is refused.
void keep_configuration(const Experiment& experiment, const std::filesystem::path& folder);

}  // namespace iqbo
