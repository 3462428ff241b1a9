// iqbo ask: what to measure next.
#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "iqbo/core/stop.hpp"
#include "limits.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kAskExample =
    "Example:\n"
    "  iqbo ask -s campaign.db\n"
    "  trial 0: ask d13\n"
    "  iqbo tell -s campaign.db 0 4.2\n"
    "If you ask again before you tell, you get the same trial; --new hands out another one. A trial is reserved for\n"
    "you for --lease days. After that it may go to another worker, but you can still tell its answer.";

struct AskCommand {
  CommonOptions common;
  Index count = 1;
  bool fresh = false;
  bool beyond = false;
  bool verbose = false;
  double lease_days = 30;
};

void run_ask(const AskCommand& options) {
  constexpr double kDay = 86400;
  Study study = options.common.open(Access::kReadWrite, options.lease_days * kDay);
  AskOptions ask;
  ask.count = options.count;
  ask.beyond = options.beyond;
  if (options.fresh)
    for (const Trial& trial : study.storage().pending())
      if (trial.worker == options.common.who()) ask.holding.push_back(trial.number);
  const AskResult asking = [&] {
    try {
      return study.ask(ask);
    } catch (const Stopped&) {
      std::cerr << "iqbo: no new trial was made; queries are stored when all of those asked for have been chosen\n";
      throw;
    }
  }();
  const SpecData& data = study.data();
  for (const Trial& trial : asking.trials) {
    const auto tile = study.tile(trial.query);
    if (options.common.json) {
      std::cout << line_of(with_bounds(Json::parse(trial_json(data, trial)), data, tile));
      continue;
    }
    std::cout << "trial " << trial.number << ": ask " << describe_query(data, trial, tile);
    if (data.spec.budget) std::cout << ", cost " << short_number(trial.cost);
    std::cout << '\n';
    if (options.common.quiet) continue;
    const std::size_t said = options.verbose ? trial.why.size() : std::min<std::size_t>(1, trial.why.size());
    for (std::size_t i = 0; i < said; ++i) std::cout << "  " << trial.why[i] << '\n';  // the first is the reason
  }
  if (asking.trials.empty() && options.common.json)
    std::cout << line_of(
        Json{{"number", nullptr}, {"trial", nullptr}, {"why", asking.why}, {"stopped", asking.stopped}});
  if (options.common.json || options.common.quiet) return;
  if (static_cast<Index>(asking.trials.size()) < options.count && !asking.why.empty())
    std::cout << (asking.stopped          ? "enough is known: "
                  : asking.trials.empty() ? ""
                                          : "nothing more to ask: ")
              << asking.why.back()
              << (asking.stopped ? "\n  iqbo best shows the result; iqbo ask --beyond continues anyway" : "") << '\n';
  if (!asking.trials.empty())
    std::cout << "then: iqbo tell" << options.common.option() << ' ' << asking.trials[0].number
              << (is_count(data.spec.answers) ? " COUNT/EXPOSURE\n" : " VALUE\n");
}

}  // namespace

void add_ask(CLI::App& app) {
  auto options = std::make_shared<AskCommand>();
  CLI::App* command = app.add_subcommand("ask", "Ask what to measure next");
  command->add_option("--count,-n", options->count, "How many queries at once")
      ->capture_default_str()
      ->check(whole(1, 1000));
  command->add_flag("--new", options->fresh, "Hand out another trial in addition to your pending ones");
  command->add_flag("--beyond", options->beyond, "Continue although the spec's stop rule is met");
  command->add_flag("--verbose", options->verbose, "Also say how the choice was computed, as --json and the log do");
  command->add_option("--lease", options->lease_days, "Days after which an untold trial may go to another worker")
      ->capture_default_str()
      ->check(positive());
  add_common_options(*command, options->common, true);
  add_limits(*command);
  command->footer(kAskExample);
  command->callback([options] { run_ask(*options); });
}

}  // namespace iqbo::cli
