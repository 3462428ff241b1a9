// iqbo paper matrix: the claims of figures 3 and 4 under every set of choices.
#include <algorithm>
#include <iostream>
#include <iterator>

#include "figures.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/experiment/reader.hpp"
#include "iqbo/paper/claims.hpp"
#include "iqbo/paper/matrix.hpp"
#include "iqbo/record/text_file.hpp"
#include "paper_options.hpp"

namespace iqbo::cli {
namespace {

namespace fs = std::filesystem;

struct MatrixCommand {
  PaperCommand paper = {};
  std::vector<std::string> cells = {};
  bool only_collect = false;
};

PaperOptions options_of(const PaperCell& cell, const MatrixCommand& command) {
  PaperOptions out = complete(command.paper);
  out.choices = cell.options.choices;
  out.truncation = cell.options.truncation;
  out.printed_tree = cell.options.printed_tree;
  out.extras = false;
  out.seeds = command.paper.seeds.value_or(40);
  return out;
}

// The findings of a cell; none while shards are missing. A cell that `decide` has run is taken as it is.
std::optional<Findings> run_cell(const PaperCell& cell, const MatrixCommand& command) {
  const fs::path folder = fs::path(command.paper.out) / cell.name;
  const bool written = fs::exists(folder / "verdicts.json");
  if (command.only_collect || (fs::exists(folder / "decide.json") && written))
    return written ? std::optional(verdicts_in(folder)) : std::nullopt;
  const Findings before = written ? verdicts_in(folder) : Findings();
  const PaperOptions options = options_of(cell, command);
  make_folder(folder);
  require_same_settings(folder, options);
  write_text(folder / "settings.md", paper_settings(options));
  Sharing sharing = command.paper.sharing;
  Verdicts out{
      {}, {}, "verdicts", paper_title(options), "iqbo paper matrix --cells " + cell.name + run_options(command.paper)};
  for (const int number : {3, 4}) {
    const bool wanted = !command.paper.figure || *command.paper.figure == number;
    const std::string name = std::to_string(number);
    if (!wanted && !fs::exists(folder / ("fig" + name + ".csv"))) continue;
    const Figure figure = paper_figure(number, options);
    if (!wanted && !is_finished(figure, folder, sharing)) {  // its last verdicts stand
      std::copy_if(before.begin(), before.end(), std::back_inserter(out.found),
                   [&](const Finding& each) { return each.about == "figure " + name; });
      continue;
    }
    const auto regrets = run_figure(figure, folder, {command.paper.threads, command.paper.json}, sharing);
    if (!regrets) return std::nullopt;
    for (Finding& finding : judge_all(paper_claims(regrets->figure(), options), *regrets))
      out.found.push_back(std::move(finding));
    for (PanelRecord& panel : panel_records(*regrets)) out.panels.push_back(std::move(panel));
  }
  write_verdicts(out, options, folder);
  return out.found;
}

void run_matrix(const MatrixCommand& command) {
  if (!command.paper.sharing.shard.empty()) shard(command.paper.sharing.shard);
  std::vector<PaperCell> cells;
  for (const std::string& name : command.cells) cells.push_back(paper_cell(name));
  if (cells.empty()) cells = paper_cells();
  const fs::path folder = command.paper.out;
  if (command.only_collect && !fs::exists(folder / "matrix.json"))
    refuse("--collect", "no cell in " + folder.string() + " is finished", "a folder that iqbo paper matrix wrote");
  take_folder(folder, {"matrix.json"}, kBenchFiles);
  if (fs::exists(folder / "settings.md"))
    refuse("--out", folder.string() + " holds a run of iqbo paper", "another folder: nothing is overwritten");
  write_text(folder / "matrix.json", "{\"format\": 1}\n");
  bool complete = true;
  for (const PaperCell& cell : cells) {
    const auto found = run_cell(cell, command);
    complete = complete && found;
    if (found && !command.paper.json) std::cout << cell.name << ": " << tally(*found) << '\n' << std::flush;
  }
  if (!complete && !command.only_collect) return say_more_to_come(command.paper.json);
  std::vector<MatrixColumn> columns;  // of every cell that was ever run
  for (const PaperCell& cell : paper_cells())
    if (fs::exists(folder / cell.name / "verdicts.json")) columns.push_back({cell, verdicts_in(folder / cell.name)});
  if (columns.empty())
    refuse("--collect", "no cell in " + folder.string() + " is finished", "a folder with finished cells");
  const std::string page = matrix_page(columns);
  write_text(folder / "matrix.md", page);
  if (!command.paper.json) std::cout << '\n' << page;
}

}  // namespace

void add_matrix(CLI::App& paper) {
  auto command = std::make_shared<MatrixCommand>();
  command->paper.out = "iqbo-matrix";
  CLI::App* matrix = paper.add_subcommand(
      "matrix",
      "Judge the claims of figures 3 and 4 under every set of choices and truncation, and show which depend on which.");
  matrix->footer(
      "Example: iqbo paper matrix --out matrix                                  # 24 cells of 40 seeds: hours\n"
      "         iqbo paper matrix --out matrix --figure 3                       # the cheaper figure first\n"
      "         iqbo paper decide --choices paper --out matrix/paper            # a cell that is run until decided\n"
      "         iqbo paper matrix --cells fixed,fixed-clip,learned --seeds 10 --out matrix\n"
      "Ctrl-C keeps the finished runs, and the same command continues. matrix.md shows all cells that were ever "
      "finished.");
  matrix->add_option("--out", command->paper.out, "folder: one folder for each cell, and matrix.md")
      ->capture_default_str();
  matrix->add_option("--seeds", command->paper.seeds, "paired replications of each cell (40)");
  matrix->add_option("--cells", command->cells, "paper, fixed, fixed-clip, learned-renormalise, ... (all 24)")
      ->delimiter(',');
  add_figure_option(*matrix, command->paper);
  matrix->add_flag("--collect", command->only_collect, "run nothing; show the finished cells");
  add_run_options(*matrix, command->paper);
  matrix->callback([command] { run_matrix(*command); });
}

}  // namespace iqbo::cli
