// What the commands of `iqbo paper` share: options, and the files that a run leaves in its folder.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "iqbo/paper/paper.hpp"
#include "sharing.hpp"

namespace iqbo::cli {

struct PaperCommand {
  PaperOptions options = {};  // grids, pairs, first seed
  std::string what = "all", choices = "fixed", truncation, tree, noise = "same", out = "iqbo-paper";
  std::optional<Index> seeds = {}, steps = {};
  std::optional<double> budget = {};
  std::optional<int> figure = {};  // of decide and matrix: no other
  unsigned threads = 0;
  Sharing sharing = {};
  bool quick = false, json = false, no_figures = false;
};

void add_run_options(CLI::App& app, PaperCommand& command);     // grids, steps, threads, --json, ...
void add_figure_option(CLI::App& app, PaperCommand& command);   // --figure
void add_choice_options(CLI::App& app, PaperCommand& command);  // --choices, --truncation, --tree, --noise

// The options as given: the set of choices with what overrides it. Without --seeds: 30, with --quick 4.
PaperOptions complete(const PaperCommand& command);
// The command that gives the same tables again, with all options that change them; and those of them that all commands have.
std::string as_given(const PaperCommand& command, const std::string& what);
std::string run_options(const PaperCommand& command);

// All results of a folder have the same settings; only the number of seeds may grow. Also refuses a folder whose runs of
// `learned` had a discrepancy of ours in the posterior, as earlier versions did.
void require_same_settings(const std::filesystem::path& folder, const PaperOptions& options);
void require_printed_cme(const std::filesystem::path& folder);

// verdicts.txt, .json, .md (or <stem>.txt, ...), settings.md, title.txt, report.html.
struct Verdicts {
  Findings found;
  std::vector<PanelRecord> panels = {};
  std::string stem = "verdicts";
  std::string title, made_by;
};
void write_verdicts(const Verdicts& verdicts, const PaperOptions& options, const std::filesystem::path& folder);
Findings verdicts_in(const std::filesystem::path& folder);

void add_decide(CLI::App& paper);
void add_matrix(CLI::App& paper);

}  // namespace iqbo::cli
