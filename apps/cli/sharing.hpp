// What `paper` and `bench` share to divide a run among processes: --shard and --shared.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "iqbo/experiment/blocks.hpp"

namespace iqbo::cli {

// Held by the shard that writes tables and report, so that only one of several that finish at once does. The system
// releases it if the process dies.
class ReportLock {
 public:
  explicit ReportLock(const std::filesystem::path& folder);
  ~ReportLock();
  ReportLock(const ReportLock&) = delete;
  ReportLock& operator=(const ReportLock&) = delete;
  bool held() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

struct Sharing {
  std::string shard = {};                       // "3/16"; "": all seeds
  std::string shared = {};                      // postgresql://...; "": the folder of --out
  std::shared_ptr<const ReportLock> lock = {};  // of the shard that writes the report
};

void add_sharing(CLI::App& command, Sharing& sharing);

// Where finished blocks of an experiment are kept.
std::unique_ptr<BlockStore> store_of(const Sharing& sharing, const Experiment& experiment,
                                     const std::filesystem::path& folder);
std::filesystem::path block_folder(const std::filesystem::path& folder);

// After a shard: what is finished, as a sentence or as JSON.
void say_finished(const Sharing& sharing, const Experiment& experiment, Index seeds_finished, bool json);
void say_more_to_come(bool json);

}  // namespace iqbo::cli
