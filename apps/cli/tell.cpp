// iqbo tell, iqbo fail: the answer of a trial, or that there is none.
#include <iostream>

#include "commands.hpp"
#include "iqbo/core/check.hpp"
#include "place.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kTellExample =
    "Examples:\n"
    "  iqbo tell -s campaign.db 7 4.2                  # trial 7 gave 4.2\n"
    "  iqbo tell -s campaign.db 7 4.2 --sd 0.3         # with a standard error of 0.3\n"
    "  iqbo tell -s campaign.db 7 4.3 --amend          # it was 4.3 after all; the log keeps both\n"
    "Telling the same twice does no harm; telling something else needs --amend, which leaves sd and replicates as "
    "they\n"
    "were unless they are given.";

constexpr const char* kFailExample =
    "Example:\n"
    "  iqbo fail -s campaign.db 7 'road closed'\n"
    "The query is left aside for a while and may be asked again later. Anybody may say so; with --worker, only who has "
    "the\n"
    "trial.";

struct TellCommand {
  Place place;
  std::int64_t trial = 0;
  std::string value;
  std::optional<double> sd;
  std::optional<std::int64_t> replicates;
  bool amend = false;
  std::string reason = "no reason given";
};

void say(const TellCommand& options, Study& study, const Settled& settled) {
  if (options.place.json) {
    std::cout << trial_json(study.names(), settled.trial) << '\n';
    return;
  }
  if (options.place.quiet) return;
  std::cout << "trial " << settled.trial.number << " (" << describe_query(study.names(), settled.trial) << "): ";
  if (const auto& told = settled.trial.answer)
    std::cout << with_unit(told->value, study.names().spec) << precision_text(*told);
  else
    std::cout << "failed: " << settled.trial.reason;
  std::cout << (settled.verdict == Settled::Verdict::kRepeated ? ", as was told before" : "") << '\n';
}

void run_tell(const TellCommand& options) {
  Answer answer;
  if (!parse_number(options.value, answer.value)) refuse("value", "\"" + options.value + "\"", "a finite number");
  Study study = options.place.open();
  // Amending a value keeps its precision, unless a new one is given.
  if (options.amend)
    if (const auto before = study.storage().trial(options.trial).answer)
      answer = {answer.value, before->noise_sd, before->replicates};
  if (options.sd) answer.noise_sd = options.sd;
  if (options.replicates) answer.replicates = *options.replicates;
  say(options, study, options.amend ? study.amend(options.trial, answer) : study.tell(options.trial, answer));
}

void run_fail(const TellCommand& options) {
  Study study = options.place.open();
  const FailedBy by = options.place.worker.empty() ? FailedBy::kPerson : FailedBy::kWorker;
  say(options, study, study.fail(options.trial, clean_text(options.reason), by));
}

}  // namespace

void add_tell(CLI::App& app) {
  auto options = std::make_shared<TellCommand>();
  CLI::App* command = app.add_subcommand("tell", "Tell what a trial measured");
  command->add_option("trial", options->trial, "Its number")->required()->check(whole(0));
  command->add_option("value", options->value, "What was measured")->required();
  command->add_option("--sd", options->sd, "Standard error of the value, if known")->check(not_negative());
  command->add_option("--replicates", options->replicates, "The value is a mean of so many (default: 1)")
      ->check(whole(1, Study::kMostReplicates));
  command->add_flag("--amend", options->amend, "Replace what was told before; the log keeps it");
  add_place(*command, options->place, true);
  command->footer(kTellExample);
  command->callback([options] { run_tell(*options); });
}

void add_fail(CLI::App& app) {
  auto options = std::make_shared<TellCommand>();
  CLI::App* command = app.add_subcommand("fail", "Tell that a trial failed");
  command->add_option("trial", options->trial, "Its number")->required()->check(whole(0));
  command->add_option("reason", options->reason, "Why");
  add_place(*command, options->place, true);
  command->footer(kFailExample);
  command->callback([options] { run_fail(*options); });
}

}  // namespace iqbo::cli
