#include "iqbo/experiment/experiment.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "iqbo/core/check.hpp"
#include "results_file.hpp"

namespace iqbo {
namespace {

using Clock = std::chrono::steady_clock;

// Hands out replications in order, and writes them in that order whichever is finished first.
class Runner {
 public:
  Runner(const Experiment& experiment, ResultsFile& file, const RunOptions& options)
      : experiment_(experiment),
        file_(file),
        options_(options),
        all_(experiment.seeds * static_cast<Index>(experiment.entries.size())),
        next_(file.replications()) {}

  void operator()() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    report();
    {
      std::vector<std::jthread> workers;
      for (unsigned i = 0; i < (options_.threads > 0 ? options_.threads : cores); ++i)
        workers.emplace_back([this] { work(); });
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool stopped() const { return ended_ || (options_.stop && options_.stop()); }

  void work() {
    while (!stopped()) {
      const Index job = next_++;
      if (job >= all_) return;
      try {
        KnownRun finished = replication(job);
        if (finished.rows.empty()) return;
        deliver(job, std::move(finished));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        ended_ = true;
        return;
      }
    }
  }

  KnownRun replication(Index job) const {
    const std::size_t entries = experiment_.entries.size();
    const Entry& entry = experiment_.entries[static_cast<std::size_t>(job) % entries];
    const std::uint64_t seed = experiment_.first_seed + static_cast<std::uint64_t>(job) / entries;
    if (options_.known != nullptr)
      if (const auto known = options_.known->find({entry.problem, entry.policy, seed}); known != options_.known->end())
        return known->second;
    const auto begin = Clock::now();
    ResultTable rows = replicate(entry, seed, [this] { return stopped(); });
    const std::chrono::duration<double> taken = Clock::now() - begin;
    return {std::move(rows), taken.count()};
  }

  void deliver(Index job, KnownRun finished) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(job, std::move(finished));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == file_.replications();
         first = waiting_.erase(first))
      file_.append(first->second.rows, first->second.seconds);
    report();
  }

  void report() const {
    if (options_.progress) options_.progress(file_.replications() + static_cast<Index>(waiting_.size()), all_);
  }

  const Experiment& experiment_;
  ResultsFile& file_;
  const RunOptions& options_;
  Index all_;
  std::atomic<Index> next_;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::map<Index, KnownRun> waiting_;  // until those before them are written
  std::exception_ptr failure_;
};

void require_sound(const Experiment& experiment) {
  if (experiment.seeds < 1) refuse("seeds", std::to_string(experiment.seeds), "at least 1");
  if (experiment.entries.empty()) refuse("entries", "none", "at least one");
  std::set<std::pair<std::string, std::string>> names;
  for (const Entry& entry : experiment.entries)
    if (!names.emplace(entry.problem, entry.policy).second)
      refuse("entries", entry.policy + " on " + entry.problem + " twice", "each once");
}

}  // namespace

RunResult run(const Experiment& experiment, const std::filesystem::path& folder, const RunOptions& options) {
  require_sound(experiment);
  ResultsFile file(experiment, folder);
  Runner(experiment, file, options)();
  return {file.table(), file.replications() == experiment.seeds * static_cast<Index>(experiment.entries.size())};
}

}  // namespace iqbo
