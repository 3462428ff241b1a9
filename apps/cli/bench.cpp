// iqbo bench: compares policies on test problems or on a spec.
#include "iqbo/experiment/bench.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include "commands.hpp"
#include "common_options.hpp"
#include "core/nearest.hpp"
#include "figures.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/experiment/reader.hpp"
#include "iqbo/record/text_file.hpp"
#include "iqbo/study/study.hpp"
#include "limits.hpp"
#include "shell.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

constexpr const char* kBenchExample =
    "Example: iqbo bench two-peaks districts --policies auto,cmes,ckg,ei,random --seeds 20 --out bench\n"
    "         iqbo bench --spec study.json --seeds 20       # which policy for my campaign? f is drawn from its prior\n"
    "         iqbo bench --study campaign.db --seeds 20     # the same, but f is drawn given its answers\n"
    "         parallel iqbo bench two-peaks --seeds 160 --out bench --shard {}/16 ::: $(seq 16)     # docs/scaling.md\n"
    "Problems and their known maxima: docs/problems.md. Policies: docs/policies.md.\n"
    "Ctrl-C keeps the finished runs, and the same command continues. A larger --seeds adds to a finished folder.";

struct BenchCommand {
  BenchOptions options = {};
  std::string policies = "auto,cmes,ckg,cjes,ei,random";
  std::string spec = {}, study = {}, asking = {}, out = "iqbo-bench";
  std::optional<Index> steps = {};
  unsigned threads = 0;
  Sharing sharing = {};
  bool json = false, no_figures = false, allow_outside = false;
};

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream rest(text + ",");
  for (std::string name; std::getline(rest, name, ',');) {
    if (name.empty()) refuse("--policies", in_quotes(text), "names separated by commas, none of them empty");
    out.push_back(name);
  }
  return out;
}

// Requires exactly one of problems, a spec and a study.
void require_one_source(const BenchCommand& command) {
  const int given = static_cast<int>(!command.options.problems.empty()) + static_cast<int>(!command.spec.empty()) +
                    static_cast<int>(!command.study.empty());
  if (given != 1)
    refuse("problem, --spec, --study", given == 0 ? "none given" : "several given",
           "one of them: names of problems, a spec, or a study, which has its spec");
}

AskedAs asking(const std::string& name) {
  const std::vector<std::string> names{"list", "tree", "leaves"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) refuse("--ask", in_quotes(name), expected_names(name, names));
  return static_cast<AskedAs>(found - names.begin());
}

SpecBench bench_of(const BenchCommand& command, const BenchOptions& options) {
  if (command.options.pairs > 0) refuse("--pairs", "given with a spec", "none: the spec says what is known of p(x|a)");
  if (!command.asking.empty()) refuse("--ask", "given with a spec", "none: the spec says what may be asked");
  if (!command.spec.empty()) {
    const SpecBundle bundle = read_bundle(command.spec, {command.allow_outside, {}});
    if (command.steps && parse_spec(bundle.text).budget && !options.budget)
      refuse("--steps", "given", "--budget: the spec has one, so campaigns end by cost");
    return spec_bench(bundle, options);
  }
  Study study = Study::open(command.study, Access::kReadOnly);
  if (command.steps && study.names().spec.budget && !options.budget)
    refuse("--steps", "given", "--budget: the spec has one, so campaigns end by cost");
  return spec_bench(study.storage().bundle(), {study.fit(), study.pairs()}, options);
}

SpecBench prepared(const BenchCommand& command) {
  BenchOptions options = command.options;
  options.steps = command.steps.value_or(options.steps);
  if (options.seeds < 1) refuse("--seeds", std::to_string(options.seeds), "at least 1");
  if (command.steps && options.budget) refuse("--steps", "given with --budget", "one of them");
  if (options.problems.empty()) return bench_of(command, options);
  if (!command.asking.empty()) options.asking = asking(command.asking);
  return {bench_figure(options), {}};
}

std::string listed(const std::vector<std::string>& names, const char* between) {
  std::string out;
  for (const std::string& name : names) out.append(out.empty() ? "" : between).append(name);
  return out;
}

// For the report: what was compared, how to repeat it, and what was assumed.
ExperimentRecord record_of(const BenchCommand& command, std::vector<std::string> assumptions, const Regrets& regrets,
                           const Findings& found) {
  const BenchOptions& options = command.options;
  const std::string source = !command.spec.empty()    ? "--spec " + shell_word(command.spec)
                             : !command.study.empty() ? "--study " + shell_word(public_location(command.study))
                                                      : listed(options.problems, " ");
  // A spec with a budget takes no --steps.
  const std::string end = options.budget ? " --budget " + readable(*options.budget)
                          : command.steps || !options.problems.empty()
                              ? " --steps " + std::to_string(command.steps.value_or(options.steps))
                              : "";
  std::vector<std::string> text{
      "Made by: iqbo bench " + source + " --policies " + listed(options.policies, ",") + " --seeds " +
          std::to_string(options.seeds) + end + " --first-seed " + std::to_string(options.first_seed) +
          (options.pairs > 0 ? " --pairs " + std::to_string(options.pairs) : "") +
          (options.schedule != BenchOptions().schedule ? " --schedule " + readable(options.schedule) : "") +
          (command.asking.empty() ? "" : " --ask " + command.asking) +
          (command.allow_outside ? " --allow-outside" : ""),
      "Each policy is compared with the one of least simple regret over all answers, seed by seed. Because "
      "the same results select that policy, the intervals are simultaneous: with 95 % probability, those of all pairs "
      "of policies hold."};
  text.insert(text.end(), assumptions.begin(), assumptions.end());
  return {"Policies compared: " + source, std::move(text), {}, panel_records(regrets), finding_records(found)};
}

void run_bench(const BenchCommand& command) {
  require_one_source(command);
  if (!command.sharing.shard.empty()) shard(command.sharing.shard);  // refuses a slip before anything is written
  const auto [figure, assumptions] = prepared(command);
  const fs::path folder = command.out;
  take_folder(folder, kBenchFiles, kPaperFiles);
  std::string assumed;
  for (const std::string& sentence : assumptions) assumed += "- " + sentence + "\n";
  if (!assumed.empty() && !command.json) std::cout << "Assumptions:\n" << assumed << '\n' << std::flush;
  Sharing sharing = command.sharing;
  const auto outcome = run_figure(figure, folder, {command.threads, command.json}, sharing);
  if (!outcome) return say_more_to_come(command.json);
  const Regrets& regrets = *outcome;
  const Findings found = bench_findings(regrets);
  const std::string summary = bench_summary(regrets);
  write_text(folder / "verdicts.txt", to_text(found));
  write_text(folder / "verdicts.json", to_json(found));
  write_text(folder / "verdicts.md", assumed + (assumed.empty() ? "" : "\n") + summary + "\n" + to_markdown(found));
  write_report(record_of(command, assumptions, regrets, found), folder);
  if (!command.no_figures) draw_figures(folder);
  if (command.json)
    std::cout << to_json(found);
  else
    std::cout << summary << '\n'
              << to_text(found) << tally(found)
              << ". Differences are of log10 regret. Because the same results select\n"
              << "the best policy, the 95 % intervals are simultaneous for all pairs of policies.\n"
              << "Tables and figures: " << folder.string() << '\n';
}

}  // namespace

void add_bench(CLI::App& app) {
  auto command = std::make_shared<BenchCommand>();
  BenchOptions& options = command->options;
  CLI::App* bench = app.add_subcommand("bench", "Compare policies on test problems, or on a spec of your own.");
  add_memory_limit(*bench);
  bench->footer(kBenchExample);
  bench->add_option("problem", options.problems, "names of problems, such as branin-nonlinear");
  bench->add_option("--spec", command->spec,
                    "instead of problems: a spec of your own (JSON); f is drawn from its prior");
  bench->add_flag("--allow-outside", command->allow_outside, "the spec may name files outside its folder");
  bench->add_option("--study", command->study, "instead of problems: a study; f is drawn from its fitted model");
  bench
      ->add_option(
          "--policies", command->policies,
          "names, separated by commas; on problems with resolutions also scheduled-ucb (theorem 2 of the paper)")
      ->capture_default_str();
  bench->add_option("--schedule", options.schedule, "the constant c of the schedule of scheduled-ucb")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  bench->add_option("--seeds", options.seeds, "paired replications")->capture_default_str();
  bench->add_option("--first-seed", options.first_seed, "the first seed")->check(not_negative())->capture_default_str();
  bench->add_option("--steps", command->steps, "answers, including those of the initial design (50)");
  bench->add_option("--budget", options.budget,
                    "instead of --steps: a limit on the cost (the initial queries of a problem are free)");
  bench->add_option("--ask", command->asking, "how to ask problems with resolutions: tree (default), leaves or list");
  bench->add_option("--pairs", options.pairs, "learn p(x|a) from this many logged pairs (0: it is known)")
      ->capture_default_str();
  bench->add_option("--out", command->out, "folder for tables, figures and report.html")->capture_default_str();
  bench->add_option("--threads", command->threads,
                    "runs at the same time (0: one per core); the results do not depend on it");
  add_sharing(*bench, command->sharing);
  bench->add_flag("--no-figures", command->no_figures, "tables only");
  bench->add_flag("--json", command->json, "print the comparisons as JSON");
  bench->callback([command] {
    command->options.policies = names_in(command->policies);
    run_bench(*command);
  });
}

}  // namespace iqbo::cli
