// iqbo tell, iqbo fail: the answer of a trial, or that there is none.
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "iqbo/core/check.hpp"
#include "show.hpp"
#include "told.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kTellExample =
    "Examples:\n"
    "  iqbo tell -s campaign.db 7 4.2                  # trial 7 gave 4.2\n"
    "  iqbo tell -s campaign.db 7 4.2 --sd 0.3         # with a standard error of 0.3\n"
    "  iqbo tell -s campaign.db 7 12/2000              # 12 events among 2,000, where answers are counts\n"
    "  iqbo tell -s campaign.db 7 4.3 --amend          # it was 4.3 after all; the log keeps both\n"
    "Telling the same twice does no harm; telling something else needs --amend, which leaves sd and replicates as "
    "they\n"
    "were unless they are given. A count may come without its exposure if the spec gives it.";

constexpr const char* kFailExample =
    "Example:\n"
    "  iqbo fail -s campaign.db 7 'road closed'\n"
    "The query is left aside for a while and may be asked again later. Anybody may say so; with --worker, only who has "
    "the\n"
    "trial.";

struct TellCommand {
  CommonOptions common;
  std::int64_t trial = 0;
  std::string value;
  std::string count;
  std::string exposure;
  std::optional<double> sd;
  bool exact = false;
  std::optional<std::int64_t> replicates;
  bool amend = false;
  std::string reason = "no reason given";
};

void say(const TellCommand& options, Study& study, const Settled& settled) {
  if (options.common.json) {
    std::cout << trial_json(study.names(), settled.trial) << '\n';
    return;
  }
  if (options.common.quiet) return;
  std::cout << "trial " << settled.trial.number << " (" << describe_query(study.names(), settled.trial) << "): ";
  if (const auto& told = settled.trial.answer)
    std::cout << answer_text(*told, study.names().spec);
  else
    std::cout << "failed: " << settled.trial.reason;
  std::cout << (settled.verdict == Settled::Verdict::kRepeated ? ", as was told before" : "") << '\n';
}

// An answer without noise is believed to the last digit: two that differ contradict each other, and estimates of rates with no
// events at all are where people compute a standard error of 0.
void require_meant(const TellCommand& options) {
  if (options.sd && *options.sd == 0.0 && !options.exact)
    refuse("sd", "is 0, so that the value would be taken for exact",
           "the standard error; or --exact, if it is meant to be exact (for events among an exposure, tell the count: "
           "12/2000)");
}

void run_tell(const TellCommand& options) {
  if (options.value.empty() == options.count.empty())
    refuse("tell", options.value.empty() ? "neither a value nor --count" : "both a value and --count", "one of them");
  require_meant(options);
  Study study = options.common.open();
  Answer answer;
  if (options.count.empty())
    answer = parse_answer(options.value, study.names().spec, "value");
  else
    answer.count = parse_count(options.count, "--count");
  if (!options.exposure.empty()) {
    if (answer.exposure) refuse("exposure", "given twice", "once: 12/2000, or --exposure 2000");
    answer.exposure = parse_exposure(options.exposure, "--exposure");
  }
  // Amending a value keeps its precision, and amending a count its exposure, unless a new one is given.
  if (options.amend)
    if (const auto before = study.storage().trial(options.trial).answer) {
      answer.noise_sd = before->noise_sd;
      answer.replicates = before->replicates;
      if (answer.count && !answer.exposure) answer.exposure = before->exposure;
    }
  if (options.sd) answer.noise_sd = options.sd;
  if (options.replicates) answer.replicates = *options.replicates;
  say(options, study, options.amend ? study.amend(options.trial, answer) : study.tell(options.trial, answer));
}

void run_fail(const TellCommand& options) {
  Study study = options.common.open();
  const FailedBy by = options.common.worker.empty() ? FailedBy::kPerson : FailedBy::kWorker;
  say(options, study, study.fail(options.trial, clean_text(options.reason), by));
}

}  // namespace

void add_tell(CLI::App& app) {
  auto options = std::make_shared<TellCommand>();
  CLI::App* command = app.add_subcommand("tell", "Tell what a trial measured");
  command->add_option("trial", options->trial, "Its number")->required()->check(whole(0));
  command->add_option("value", options->value, "What was measured: 4.2; or 12/2000, a count and its exposure");
  command->add_option("--count", options->count, "The number of events, where answers are counts");
  command->add_option("--exposure", options->exposure, "What they were counted among (default: as the spec says)");
  command->add_option("--sd", options->sd, "Standard error of the value, if known")->check(not_negative());
  command->add_flag("--exact", options->exact, "With --sd 0: the value is exact");
  command->add_option("--replicates", options->replicates, "The value is a mean of so many (default: 1)")
      ->check(whole(1, Study::kMostReplicates));
  command->add_flag("--amend", options->amend, "Replace what was told before; the log keeps it");
  add_common_options(*command, options->common, true);
  command->footer(kTellExample);
  command->callback([options] { run_tell(*options); });
}

void add_fail(CLI::App& app) {
  auto options = std::make_shared<TellCommand>();
  CLI::App* command = app.add_subcommand("fail", "Tell that a trial failed");
  command->add_option("trial", options->trial, "Its number")->required()->check(whole(0));
  command->add_option("reason", options->reason, "Why");
  add_common_options(*command, options->common, true);
  command->footer(kFailExample);
  command->callback([options] { run_fail(*options); });
}

}  // namespace iqbo::cli
