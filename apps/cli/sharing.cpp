#include "sharing.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "iqbo/record/text_file.hpp"
#include "storage/shared_texts.hpp"
#include "version.hpp"

namespace iqbo::cli {
namespace {

namespace fs = std::filesystem;

// Blocks in PostgreSQL, by what makes them exchangeable: the configuration, and the version that computed them.
class BlockServer final : public BlockStore {
 public:
  BlockServer(const std::string& url, const Experiment& experiment)
      : texts_(url), topic_(std::string(kProgram) + " " + shared_configuration(experiment)) {}
  void put(const std::string& name, const std::string& text) override { texts_.put(topic_, name, text); }
  std::vector<std::pair<std::string, std::string>> all() const override { return texts_.all(topic_); }

 private:
  internal::SharedTexts texts_;
  std::string topic_;
};

}  // namespace

void add_sharing(CLI::App& command, Sharing& sharing) {
  command.add_option(
      "--shard", sharing.shard,
      "K/N: run the K-th of N blocks of seeds only, as one process of many. The last one to finish writes "
      "tables and report; without --shard the same command collects the blocks and runs what is missing");
  command.add_option("--shared", sharing.shared,
                     "postgresql://user@host/database: keep finished blocks there, if processes do not share --out");
}

fs::path block_folder(const fs::path& folder) { return folder / "blocks"; }

std::unique_ptr<BlockStore> store_of(const Sharing& sharing, const Experiment& experiment, const fs::path& folder) {
  if (!sharing.shared.empty()) return std::make_unique<BlockServer>(sharing.shared, experiment);
  return std::make_unique<BlockFolder>(block_folder(folder), experiment);
}

void say_finished(const Sharing& sharing, const Experiment& experiment, Index seeds_finished, bool json) {
  const Shard mine = shard(sharing.shard);
  const Experiment block = part_of(experiment, mine);
  if (json) {
    const nlohmann::ordered_json out{
        {"experiment", experiment.name},       {"shard", mine.number}, {"of", mine.of},
        {"first_seed", block.first_seed},      {"seeds", block.seeds}, {"all_seeds", experiment.seeds},
        {"all_seeds_finished", seeds_finished}};
    std::cout << out.dump() << '\n';
    return;
  }
  const auto last = block.first_seed + static_cast<std::uint64_t>(block.seeds) - 1;
  std::cout << experiment.name << ": shard " << mine.number << " of " << mine.of;
  if (block.seeds == 0)
    std::cout << " has no seeds, as there are only " << experiment.seeds << "; ";
  else if (block.seeds == 1)
    std::cout << " (seed " << last << ") is finished; ";
  else
    std::cout << " (seeds " << block.first_seed << " to " << last << ") is finished; ";
  std::cout << seeds_finished << " of " << experiment.seeds << " seeds are.\n";
}

void say_more_to_come(bool json) {
  if (!json)
    std::cout
        << "The last shard to finish writes tables and report. So does the same command without --shard, which also "
           "runs what is missing.\n";
}

ReportLock::ReportLock(const fs::path& folder) {
  make_folder(block_folder(folder));
  const fs::path path = block_folder(folder) / "report.lock";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(file_);
  file_ = -1;
}

ReportLock::~ReportLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace iqbo::cli
