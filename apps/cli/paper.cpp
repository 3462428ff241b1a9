// iqbo paper: the experiments of the paper, and which of its claims hold.
#include "iqbo/paper/paper.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "core/nearest.hpp"
#include "figures.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/experiment/reader.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

constexpr const char* kExample =
    "Example: iqbo paper all --quick --out paper-quick\n"
    "         iqbo paper fig3 --seeds 30 --choices learned --out paper-learned\n"
    "         iqbo paper table paper-fixed paper-evidence paper-learned      # verdicts side by side\n"
    "         parallel iqbo paper all --out paper --shard {}/10 ::: $(seq 10)     # docs/scaling.md\n"
    "Ctrl-C keeps what is finished; the same command goes on. More seeds extend a finished folder.";

struct PaperCommand {
  PaperOptions options = {};
  std::string what = "all", choices = "fixed", truncation = "none", out = "iqbo-paper";
  std::optional<Index> seeds = {}, steps = {};
  std::optional<double> budget = {};
  unsigned threads = 0;
  Sharing sharing = {};
  bool quick = false, json = false, no_figures = false;
};

const std::vector<std::string> kWhat{"all", "fig1", "fig2", "fig3", "fig4", "fig5", "savings"};

// The command that this was, for who wants to repeat it.
std::string as_given(const PaperCommand& command) {
  std::string out = "iqbo paper " + command.what;
  if (command.quick) out += " --quick";
  if (command.seeds) out += " --seeds " + std::to_string(*command.seeds);
  if (command.steps) out += " --steps " + std::to_string(*command.steps);
  if (command.budget) out += " --budget " + readable(*command.budget);
  out += " --choices " + command.choices;
  if (command.truncation != PaperCommand().truncation) out += " --truncation " + command.truncation;
  return out;
}

bool wants(const std::string& what, int figure) {
  return what == "all" || what == "fig" + std::to_string(figure) || (what == "savings" && figure == 5);
}

PaperOptions complete(const PaperCommand& command) {
  PaperOptions out = command.options;
  out.choices = choices(command.choices);
  out.truncation = truncation(command.truncation);
  out.seeds = command.seeds.value_or(command.quick ? 4 : 30);
  out.steps = command.steps.value_or(command.quick ? 40 : 100);
  out.budget = command.budget.value_or(command.quick ? 50.0 : 150.0);
  if (out.seeds < 1) refuse("--seeds", std::to_string(out.seeds), "at least 1");
  return out;
}

struct Outcomes {
  Findings found;
  std::vector<PanelRecord> panels;
};

// Nothing while shards are missing: what has no seeds is left to the last one too.
std::optional<Outcomes> run_all(const PaperCommand& command, const PaperOptions& options, const fs::path& folder) {
  const std::string& what = command.what;
  Sharing sharing = command.sharing;
  Outcomes out;
  std::map<int, Regrets> regrets;
  bool complete = true;
  for (const int number : {1, 3, 4}) {
    if (!wants(what, number)) continue;
    auto outcome = run_figure(paper_figure(number, options), folder, {command.threads, command.json}, sharing);
    complete = complete && outcome;
    if (!outcome) continue;
    for (PanelRecord& panel : panel_records(*outcome)) {
      panel.title = "figure " + std::to_string(number) + ": " + panel.title;
      out.panels.push_back(std::move(panel));
    }
    regrets.emplace(number, *std::move(outcome));
  }
  if (!complete) return std::nullopt;
  const auto add = [&](Findings more) { out.found.insert(out.found.end(), more.begin(), more.end()); };
  for (const int number : {1, 2, 5})
    if (wants(what, number))
      for (const auto& [name, csv] : paper_drawings(number)) write_text(folder / name, csv);
  if (wants(what, 2)) add(figure2_findings());
  if (wants(what, 3)) add(figure3_findings(regrets.at(3), options.choices));
  if (wants(what, 4)) add(figure4_findings(regrets.at(4), options.choices));
  if (wants(what, 5)) add(figure5_findings());
  if (what == "all") add(lemma_findings(options.first_seed));
  return out;
}

// All results of a folder have the same settings; only the number of seeds may grow.
void require_same_settings(const fs::path& folder, const PaperOptions& options) {
  if (!fs::exists(folder / "settings.md")) return;
  const auto but_seeds = [](std::string text) { return text.substr(0, text.find("| seeds |")); };
  if (but_seeds(read_text(folder / "settings.md")) != but_seeds(paper_settings(options)))
    refuse("--out", folder.string() + " holds a run with other settings (see its settings.md)",
           "the same ones, or another folder: nothing is overwritten");
}

void run_paper(const PaperCommand& command) {
  if (std::find(kWhat.begin(), kWhat.end(), command.what) == kWhat.end())
    refuse("figure", in_quotes(command.what), expected_names(command.what, kWhat));
  if (!command.sharing.shard.empty()) {
    shard(command.sharing.shard);  // refuses a slip before anything is written
    if (!wants(command.what, 1) && !wants(command.what, 3) && !wants(command.what, 4))
      refuse("--shard", "given with " + command.what + ", which has no seeds", "fig1, fig3, fig4 or all");
  }
  const PaperOptions options = complete(command);
  const fs::path folder = command.out;
  take_folder(folder, kPaperFiles, kBenchFiles);
  require_same_settings(folder, options);
  const auto outcomes = run_all(command, options, folder);
  if (!outcomes) return say_more_to_come(command.json);
  const auto& [found, panels] = *outcomes;
  const std::string stem = command.what == "all" ? "verdicts" : command.what + ".verdicts";
  write_text(folder / "settings.md", paper_settings(options));
  write_text(folder / "title.txt", paper_title(options) + "\n");
  write_text(folder / (stem + ".txt"), to_text(found));
  write_text(folder / (stem + ".json"), to_json(found));
  write_text(folder / (stem + ".md"), to_markdown(found));
  write_report(
      {"The experiments of the paper, and which of its claims hold",
       {"Made by: " + as_given(command),
        "Differences are of log10 regret, with 95 % intervals over paired seeds. Of the claims " + tally(found) + "."},
       paper_setting_records(options),
       panels,
       finding_records(found)},
      folder);
  if (!command.no_figures) draw_figures(folder);
  if (command.json) {
    std::cout << to_json(found);
    return;
  }
  if (found.empty())
    std::cout << "Figure 1 is an illustration: the paper claims nothing about it.\n";
  else
    std::cout << to_text(found) << "Of the paper's claims " << tally(found)
              << " (choices: " << to_string(options.choices) << ", " << options.seeds
              << (options.seeds == 1 ? " seed" : " seeds")
              << "). Differences are of log10 regret, with 95 % intervals.\n";
  std::cout << "Tables, figures and settings.md: " << folder.string() << '\n';
}

// The verdicts of a run of everything, or those of its parts that were run.
Findings verdicts_in(const fs::path& folder) {
  if (!fs::exists(folder / "title.txt"))
    refuse(folder.string(), "no verdicts about the paper in it", "a folder that iqbo paper wrote");
  const auto read = [](const fs::path& path) { return findings_from_json(read_text(path), path.string()); };
  if (fs::exists(folder / "verdicts.json")) return read(folder / "verdicts.json");
  Findings out;
  for (const std::string& part : kWhat)
    if (const fs::path path = folder / (part + ".verdicts.json"); fs::exists(path))
      for (Finding& finding : read(path)) out.push_back(std::move(finding));
  if (out.empty()) refuse(folder.string(), "no verdicts in it", "a folder that iqbo paper wrote");
  return out;
}

void print_table(const std::vector<std::string>& folders) {
  std::vector<VerdictColumn> columns;
  for (const std::string& folder : folders) {
    Findings found = verdicts_in(folder);
    std::string title = read_text(fs::path(folder) / "title.txt");
    title.erase(title.find_last_not_of('\n') + 1);
    columns.push_back({std::move(title), std::move(found)});
  }
  std::cout << verdict_table(columns);
}

void add_table(CLI::App& paper) {
  auto folders = std::make_shared<std::vector<std::string>>();
  CLI::App* table = paper.add_subcommand("table", "Print the verdicts of several runs side by side, as Markdown.");
  table->footer("Example: iqbo paper table paper-fixed paper-evidence paper-learned");
  table->add_option("folder", *folders, "one that iqbo paper wrote; one column each")->required();
  table->callback([folders] { print_table(*folders); });
}

}  // namespace

void add_paper(CLI::App& app) {
  auto command = std::make_shared<PaperCommand>();
  CLI::App* paper = app.add_subcommand("paper", "Repeat the paper's experiments and say which claims hold.");
  add_memory_limit(*paper);
  paper->footer(kExample);
  paper->add_option("figure", command->what, "all, fig1 to fig5, or savings (which is fig5)")->capture_default_str();
  paper->add_option("--seeds", command->seeds, "paired replications (30; with --quick 4)");
  paper->add_option("--first-seed", command->options.first_seed, "the first of them")
      ->check(not_negative())
      ->capture_default_str();
  paper->add_option("--out", command->out, "folder for tables, figures and report.html")->capture_default_str();
  paper->add_flag("--quick", command->quick, "fewer seeds, answers and less budget: a preview, not a result");
  paper->add_option("--choices", command->choices, "what the paper leaves out: fixed, evidence or learned")
      ->capture_default_str();
  paper->add_option("--steps", command->steps, "answers in figure 3 (100)");
  paper->add_option("--budget", command->budget, "the budget of figure 4 (150)");
  paper->add_option("--x-grid", command->options.x_grid, "points along each axis of X")
      ->check(CLI::Range(2, 400))
      ->capture_default_str();
  paper->add_option("--a-grid", command->options.a_grid, "points along each axis of A")
      ->check(CLI::Range(2, 400))
      ->capture_default_str();
  paper->add_option("--pairs", command->options.pairs, "logged pairs from which p(x|a) is learned")
      ->check(CLI::Range(2, 5000))
      ->capture_default_str();
  paper->add_option("--threads", command->threads, "how many run at once (0: all cores); results do not depend on it");
  add_sharing(*paper, command->sharing);
  paper->add_flag("--no-figures", command->no_figures, "tables only");
  paper->add_flag("--json", command->json, "print the verdicts as JSON");
  paper
      ->add_option("--truncation", command->truncation,
                   "windows that extend beyond X in figures 3 and 4: none, clip or renormalise")
      ->capture_default_str();
  add_table(*paper);
  paper->callback([command, paper] {
    if (paper->get_subcommands().empty()) run_paper(*command);
  });
}

}  // namespace iqbo::cli
