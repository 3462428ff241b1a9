// iqbo tell, iqbo fail: the answer of a trial, or that there is none.
#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "common_options.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "show.hpp"
#include "tiles.hpp"
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
    "  iqbo tell -s campaign.db d7 3.5                 # the query d7, asked or not: it becomes a trial of its own\n"
    "  iqbo tell -s campaign.db 7 4.2 8 3.9 d7 3.5     # several at once\n"
    "Telling the same answer twice changes nothing. To replace an answer, use --amend; it keeps sd and replicates\n"
    "unless you give new ones. A count may come without its exposure if the spec gives it.";

constexpr const char* kFailExample =
    "Example:\n"
    "  iqbo fail -s campaign.db 7 'road closed'\n"
    "The query is set aside for a while and may be asked again later. Anyone may mark a trial as failed; with "
    "--worker,\n"
    "only the worker that holds it.";

struct TellCommand {
  CommonOptions common;
  std::int64_t trial = 0;
  std::vector<std::string> words;  // TRIAL VALUE TRIAL VALUE ...
  std::string count;
  std::string exposure;
  std::optional<double> sd;
  bool exact = false;
  std::optional<std::int64_t> replicates;
  bool amend = false;
  bool by_name = false;
  std::string reason = "no reason given";
};

// Of queries with names the names are enough: the tables need not be read.
std::optional<TileRecord> tile_of(Study& study, const Trial& trial) {
  if (!trial.name.empty()) return std::nullopt;
  const std::vector<TileRecord> tiles = tiles_of(study, std::vector<Trial>{trial});
  return tiles.empty() ? std::nullopt : std::optional(tiles.front());
}

void say(const TellCommand& options, Study& study, const Settled& settled) {
  if (options.common.quiet && !options.common.json) return;
  const auto tile = tile_of(study, settled.trial);
  if (options.common.json) {
    std::cout << line_of(with_bounds(Json::parse(trial_json(study.names(), settled.trial)), study.names(), tile));
    return;
  }
  std::cout << "trial " << settled.trial.number << " (" << describe_query(study.names(), settled.trial, tile) << "): ";
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
    refuse("sd", "is 0, which means that the value is exact",
           "the standard error, or --exact if the value is exact (for events among an exposure, tell the count: "
           "12/2000)");
}

// Which trial, or which query by its name, and what it gave.
struct Telling {
  std::optional<std::int64_t> trial = {};
  std::string name = {};
  Answer answer = {};

  std::string who() const { return trial ? "trial " + std::to_string(*trial) : in_quotes(clean_text(name)); }
};

// A number is that of a trial; anything else is the name of a query. --query tells names that are numbers.
std::vector<Telling> tellings(const TellCommand& options, const Spec& spec) {
  const std::vector<std::string>& words = options.words;
  const bool counted = !options.count.empty();
  if (counted ? words.size() != 1 : words.size() % 2 != 0) {
    if (counted && words.size() == 2) refuse("tell", "both a value and --count", "one of them");
    if (words.size() == 1) refuse("tell", "neither a value nor --count", "one of them");
    refuse("tell", std::to_string(words.size()) + " words", "TRIAL VALUE, which may be repeated");
  }
  std::vector<Telling> out;
  for (std::size_t i = 0; i < words.size(); i += counted ? 1 : 2) {
    Telling one;
    const bool number = words[i].find_first_not_of("0123456789") == std::string::npos && words[i].size() < 19;
    if (number && !options.by_name)
      one.trial = std::stoll(words[i]);
    else
      one.name = words[i];
    if (counted)
      one.answer.count = parse_count(options.count, "--count");
    else
      one.answer = parse_answer(words[i + 1], spec, "value");
    if (!options.exposure.empty()) {
      if (one.answer.exposure) refuse("exposure", "given twice", "once: 12/2000, or --exposure 2000");
      one.answer.exposure = parse_exposure(options.exposure, "--exposure");
    }
    out.push_back(std::move(one));
  }
  return out;
}

// Amending a value keeps its precision, and amending a count its exposure, unless a new one is given.
void keep_precision(Study& study, Telling& one) {
  if (!one.trial) refuse("amend", one.who(), "the number of the trial");
  const auto before = study.storage().trial(*one.trial).answer;
  if (!before) return;
  one.answer.noise_sd = before->noise_sd;
  one.answer.replicates = before->replicates;
  if (one.answer.count && !one.answer.exposure) one.answer.exposure = before->exposure;
}

// Names and numbers are checked before the first answer is stored.
void require_known(Study& study, const std::vector<Telling>& all) {
  for (const Telling& one : all) {
    if (one.trial) {
      study.storage().trial(*one.trial);
      continue;
    }
    const std::vector<std::string>& ids = study.data().queries.ids;
    if (std::find(ids.begin(), ids.end(), one.name) == ids.end())
      refuse("tell", "no trial and no query is called " + one.who(),
             ids.empty() ? "the number of a trial: queries have no names here" : expected_names(one.name, ids));
  }
}

void run_tell(const TellCommand& options) {
  require_meant(options);
  Study study = options.common.open();
  std::vector<Telling> all = tellings(options, study.names().spec);
  if (all.size() > 1 || !all.front().trial) require_known(study, all);
  for (Telling& one : all) {
    if (options.amend) keep_precision(study, one);
    if (options.sd) one.answer.noise_sd = options.sd;
    if (options.replicates) one.answer.replicates = *options.replicates;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Telling& one = all[i];
    try {
      say(options, study,
          options.amend ? study.amend(*one.trial, one.answer)
          : one.trial   ? study.tell(*one.trial, one.answer)
                        : study.tell_query(one.name, one.answer));
    } catch (const std::invalid_argument& error) {
      if (i == 0) throw;
      throw std::invalid_argument(std::string(error.what()) + ". The answers before it on this line are stored");
    }
  }
}

void run_fail(const TellCommand& options) {
  Study study = options.common.open();
  const FailedBy by = options.common.worker.empty() ? FailedBy::kPerson : FailedBy::kWorker;
  say(options, study, study.fail(options.trial, clean_text(options.reason), by));
}

}  // namespace

void add_tell(CLI::App& app) {
  auto options = std::make_shared<TellCommand>();
  CLI::App* command = app.add_subcommand("tell", "Tell the answer of a trial");
  command
      ->add_option(
          "answers", options->words,
          "The number of a trial, or the name of a query, and what was measured: 4.2; or 12/2000, a count and its "
          "exposure. Several at once: 7 4.2 d8 3.9")
      ->required()
      ->type_name("TRIAL VALUE");
  command->add_flag("--query", options->by_name, "TRIAL is the name of a query, even if it is a number");
  command->add_option("--count", options->count, "The number of events, where answers are counts");
  command->add_option("--exposure", options->exposure, "The exposure of the count (default: as the spec says)");
  command->add_option("--sd", options->sd, "Standard error of the value, if known; with several values, of each")
      ->check(not_negative());
  command->add_flag("--exact", options->exact, "With --sd 0: the value is exact");
  command
      ->add_option("--replicates", options->replicates,
                   "The number of measurements of which the value is the mean (default: 1)")
      ->check(whole(1, Study::kMostReplicates));
  command->add_flag("--amend", options->amend, "Replace an earlier answer; the log keeps both");
  add_common_options(*command, options->common, true);
  command->footer(kTellExample);
  command->callback([options] { run_tell(*options); });
}

void add_fail(CLI::App& app) {
  auto options = std::make_shared<TellCommand>();
  CLI::App* command = app.add_subcommand("fail", "Mark a trial as failed");
  command->add_option("trial", options->trial, "The number of the trial")->required()->check(whole(0));
  command->add_option("reason", options->reason, "The reason, for the log");
  add_common_options(*command, options->common, true);
  command->footer(kFailExample);
  command->callback([options] { run_fail(*options); });
}

}  // namespace iqbo::cli
