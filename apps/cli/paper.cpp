// iqbo paper: the experiments of the paper, and which of its claims hold.
#include "iqbo/paper/paper.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "core/nearest.hpp"
#include "figures.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/experiment/reader.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"
#include "paper_options.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

constexpr const char* kPaperExample =
    "Example: iqbo paper all --quick --out paper-quick\n"
    "         iqbo paper fig3 --seeds 30 --choices learned --out paper-learned\n"
    "         iqbo paper decide --choices paper --out paper-decided         # seeds until every claim is decided\n"
    "         iqbo paper matrix --out matrix                                # claims x settings\n"
    "         iqbo paper table paper-fixed paper-evidence paper-learned      # verdicts side by side\n"
    "         parallel iqbo paper all --out paper --shard {}/10 ::: $(seq 10)     # docs/scaling.md\n"
    "Ctrl-C keeps the finished runs, and the same command continues. A larger --seeds adds to a finished folder.";

const std::vector<std::string> kWhat{"all", "fig1", "fig2", "fig3", "fig4", "fig5", "savings"};

bool wants(const std::string& what, int figure) {
  return what == "all" || what == "fig" + std::to_string(figure) || (what == "savings" && figure == 5);
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
  if (wants(what, 4)) {
    add(figure4_findings(regrets.at(4), options.choices));
    add(efficiency_findings(results_from_csv(read_text(folder / "fig4.csv"), "fig4.csv"), regrets.at(4).figure()));
  }
  if (wants(what, 5)) add(figure5_findings());
  if (what == "all") {
    add(lemma_findings(options.first_seed));
    add(theory_findings(options.first_seed));
  }
  return out;
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
  if (fs::exists(folder / "decide.json"))
    refuse("--out", folder.string() + " holds a run of iqbo paper decide", "another folder: nothing is overwritten");
  require_same_settings(folder, options);
  const auto outcomes = run_all(command, options, folder);
  if (!outcomes) return say_more_to_come(command.json);
  const auto& [found, panels] = *outcomes;
  write_verdicts({found, panels, command.what == "all" ? "verdicts" : command.what + ".verdicts", paper_title(options),
                  as_given(command, command.what)},
                 options, folder);
  if (!command.no_figures) draw_figures(folder);
  if (command.json) {
    std::cout << to_json(found);
    return;
  }
  if (found.empty())
    std::cout << "Figure 1 is an illustration: the paper claims nothing about it.\n";
  else
    std::cout
        << to_text(found) << "Of the paper's claims " << tally(found) << " (choices: " << to_string(options.choices)
        << ", " << options.seeds << (options.seeds == 1 ? " seed" : " seeds")
        << "). Differences are of log10 regret; intervals of single claims, and of all claims jointly, have 95 %.\n";
  std::cout << "Tables, figures and settings.md: " << folder.string() << '\n';
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
  table->add_option("folder", *folders, "folders that iqbo paper wrote; each becomes a column")->required();
  table->callback([folders] { print_table(*folders); });
}

}  // namespace

void add_paper(CLI::App& app) {
  auto command = std::make_shared<PaperCommand>();
  CLI::App* paper = app.add_subcommand("paper", "Repeat the paper's experiments and say which claims hold.");
  add_memory_limit(*paper);
  paper->footer(kPaperExample);
  paper->add_option("figure", command->what, "all, fig1 to fig5, or savings (which is fig5)")->capture_default_str();
  paper->add_option("--seeds", command->seeds, "paired replications (30; with --quick 4)");
  paper->add_option("--out", command->out, "folder for tables, figures and report.html")->capture_default_str();
  paper->add_flag("--quick", command->quick, "fewer seeds, answers and less budget: a preview, not a result");
  add_run_options(*paper, *command);
  add_choice_options(*paper, *command);
  add_decide(*paper);
  add_matrix(*paper);
  add_table(*paper);
  paper->callback([command, paper] {
    if (paper->get_subcommands().empty()) run_paper(*command);
  });
}

}  // namespace iqbo::cli
