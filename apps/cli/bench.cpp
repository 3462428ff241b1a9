// iqbo bench: policies against each other on test problems.
#include "iqbo/experiment/bench.hpp"

#include <iostream>
#include <memory>

#include "commands.hpp"
#include "figures.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/experiment/text_file.hpp"

namespace iqbo::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExample =
    "Example: iqbo bench two-peaks districts --policies auto,cmes,ckg,ei,random --seeds 20 --out bench\n"
    "Problems and what is known of them: docs/problems.md. Policies: docs/policies.md.\n"
    "Ctrl-C keeps what is finished; the same command goes on. More seeds extend a finished folder.";

struct BenchCommand {
  BenchOptions options = {};
  std::string out = "iqbo-bench";
  unsigned threads = 0;
  bool json = false, no_figures = false;
};

void run_bench(const BenchCommand& command) {
  if (command.options.seeds < 1) refuse("--seeds", std::to_string(command.options.seeds), "at least 1");
  const Figure figure = bench_figure(command.options);
  const fs::path folder = command.out;
  make_folder(folder);
  const Regrets regrets = run_figure(figure, folder, command.threads);
  const Findings found = bench_findings(regrets);
  const std::string summary = bench_summary(regrets);
  write_text(folder / "verdicts.txt", to_text(found));
  write_text(folder / "verdicts.json", to_json(found));
  write_text(folder / "verdicts.md", summary + "\n" + to_markdown(found));
  if (!command.no_figures) draw_figures(folder);
  if (command.json)
    std::cout << to_json(found);
  else
    std::cout << summary << '\n'
              << to_text(found) << tally(found) << ". Differences are of log10 regret, with 95 % intervals.\n"
              << "Tables and figures: " << folder.string() << '\n';
}

}  // namespace

void add_bench(CLI::App& app) {
  auto command = std::make_shared<BenchCommand>();
  BenchOptions& options = command->options;
  options.policies = {"auto", "cmes", "ckg", "cjes", "ei", "random"};
  CLI::App* bench = app.add_subcommand("bench", "Compare policies on test problems.");
  bench->footer(kExample);
  bench->add_option("problem", options.problems, "one or more, such as branin-nonlinear")->required();
  bench->add_option("--policies", options.policies, "with commas between them")->delimiter(',')->capture_default_str();
  bench->add_option("--seeds", options.seeds, "paired replications")->capture_default_str();
  bench->add_option("--first-seed", options.first_seed, "the first of them")->capture_default_str();
  bench->add_option("--steps", options.steps, "answers, the initial ones included")->capture_default_str();
  bench->add_option("--pairs", options.pairs, "learn p(x|a) from as many (0: it is known)")->capture_default_str();
  bench->add_option("--out", command->out, "folder for tables and figures")->capture_default_str();
  bench->add_option("--threads", command->threads, "at once (0: all cores); results do not depend on it");
  bench->add_flag("--no-figures", command->no_figures, "tables only");
  bench->add_flag("--json", command->json, "print the comparisons as JSON");
  bench->callback([command] { run_bench(*command); });
}

}  // namespace iqbo::cli
