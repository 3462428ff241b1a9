// An experiment divided among processes, by seeds.
//
// Shard k of n runs the k-th of n blocks of consecutive seeds; the sizes of blocks differ by one seed at most. A finished
// block is a text that any process can read: where the texts are kept, a folder or a server, is up to a BlockStore. As a
// replication depends on its entry and its seed alone, a table that is put together from blocks has the same bytes as
// that of one process, however the seeds were divided.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "iqbo/experiment/experiment.hpp"

namespace iqbo {

struct Shard {
  Index number = 1;  // 1 to `of`
  Index of = 1;
};
Shard shard(std::string_view text);  // "3/16"; refuses anything else

// The part of an experiment that a shard runs. Its `seeds` is 0 if there are fewer seeds than shards and none is left.
Experiment part_of(const Experiment& experiment, const Shard& shard);

// Finished blocks of one experiment by name. Several processes may use the same store at the same time.
class BlockStore {
 public:
  virtual ~BlockStore() = default;
  virtual void put(const std::string& name, const std::string& text) = 0;    // all of it or nothing
  virtual std::vector<std::pair<std::string, std::string>> all() const = 0;  // names and texts
};

// <folder>/<experiment's name>.<first seed>-<last seed>.json, a file for each block.
class BlockFolder final : public BlockStore {
 public:
  BlockFolder(std::filesystem::path folder, const Experiment& experiment);
  void put(const std::string& name, const std::string& text) override;
  std::vector<std::pair<std::string, std::string>> all() const override;

 private:
  std::filesystem::path folder_;
  std::string prefix_;
};

// The replications of `experiment` that are in finished blocks. A block of another experiment is refused; seeds that the
// experiment does not have are passed over.
KnownRuns known_runs(const Experiment& experiment, const BlockStore& store);
Index seeds_known(const Experiment& experiment, const KnownRuns& known);  // those known for every entry

// Runs the part of the experiment that the shard stands for, in a folder of its own inside `folder`, where an
// interrupted run continues, and puts the finished block into the store. Returns false if `options.stop` ended it.
bool run_shard(const Experiment& experiment, const Shard& shard, const std::filesystem::path& folder, BlockStore& store,
               const RunOptions& options = {});

// What two experiments must share to have blocks in common: the configuration (JSON) without its seeds.
std::string shared_configuration(const Experiment& experiment);

}  // namespace iqbo
