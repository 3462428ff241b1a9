#include "paper_options.hpp"

#include "common_options.hpp"
#include "figures.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/experiment/reader.hpp"
#include "iqbo/record/text_file.hpp"

namespace iqbo::cli {
namespace {

namespace fs = std::filesystem;

bool chosen(const std::string& word, const char* name, const std::string& yes, const std::string& no) {
  if (word != yes && word != no) refuse(name, '"' + word + '"', '"' + no + "\" or \"" + yes + '"');
  return word == yes;
}

// What a set of choices means may be written in more words, or fewer, than it was; how differences are judged may change.
std::string comparable(const std::string& settings) {
  std::string out;
  for (std::size_t at = 0; at < settings.size();) {
    const std::size_t end = std::min(settings.find('\n', at), settings.size() - 1) + 1;
    const std::string line = settings.substr(at, end - at);
    at = end;
    if (line.starts_with("| seeds |")) break;
    if (!line.starts_with("| compared |")) out += line;
  }
  return out;
}

}  // namespace

void add_run_options(CLI::App& app, PaperCommand& command) {
  app.add_option("--first-seed", command.options.first_seed, "the first seed")
      ->check(not_negative())
      ->capture_default_str();
  app.add_option("--steps", command.steps, "answers in figure 3 (100)");
  app.add_option("--budget", command.budget, "the budget of figure 4 (150)");
  app.add_option("--x-grid", command.options.x_grid, "points along each axis of X")
      ->check(CLI::Range(2, 400))
      ->capture_default_str();
  app.add_option("--a-grid", command.options.a_grid, "points along each axis of A")
      ->check(CLI::Range(2, 400))
      ->capture_default_str();
  app.add_option("--pairs", command.options.pairs, "logged pairs from which p(x|a) is learned")
      ->check(CLI::Range(2, 5000))
      ->capture_default_str();
  app.add_option("--threads", command.threads,
                 "runs at the same time (0: one per core); the results do not depend on it");
  add_sharing(app, command.sharing);
  app.add_flag("--no-figures", command.no_figures, "tables only");
  app.add_flag("--json", command.json, "print the verdicts as JSON");
}

void add_figure_option(CLI::App& app, PaperCommand& command) {
  app.add_option("--figure", command.figure, "only the claims of this figure: 3 or 4 (default: both)")
      ->check(CLI::IsMember({3, 4}));
}

void add_choice_options(CLI::App& app, PaperCommand& command) {
  app.add_option("--choices", command.choices,
                 "settings that the paper leaves open. p(x|a) known: fixed, evidence (kernel, mean and noise fitted); "
                 "learned by the "
                 "paper's CME: learned, paper (fitted after every answer, windows clipped, printed tree); with our "
                 "discrepancy: discrepancy, discrepancy-fitted; by our default: auto, auto-fitted")
      ->capture_default_str();
  app.add_option("--truncation", command.truncation,
                 "windows that extend beyond X in figures 3 and 4: none, clip or renormalise (none; `paper`: clip)");
  app.add_option("--tree", command.tree, "algorithm 2: ours, or printed, to the letter (ours; `paper`: printed)");
  app.add_option("--noise", command.noise, "the noise of answers in figure 4: same, or level (larger at coarse levels)")
      ->capture_default_str();
}

PaperOptions complete(const PaperCommand& command) {
  const PaperOptions set = paper_choices(command.choices);
  PaperOptions out = command.options;
  out.choices = set.choices;
  out.truncation = command.truncation.empty() ? set.truncation : truncation(command.truncation);
  out.printed_tree = command.tree.empty() ? set.printed_tree : chosen(command.tree, "--tree", "printed", "ours");
  out.noise_by_level = chosen(command.noise, "--noise", "level", "same");
  out.seeds = command.seeds.value_or(command.quick ? 4 : 30);
  out.steps = command.steps.value_or(command.quick ? 40 : 100);
  out.budget = command.budget.value_or(command.quick ? 50.0 : 150.0);
  if (out.seeds < 1) refuse("--seeds", std::to_string(out.seeds), "at least 1");
  return out;
}

std::string run_options(const PaperCommand& command) {
  const PaperOptions usual;
  std::string out;
  const auto number = [&](const char* name, auto value, auto other) {
    if (value != other) out += std::string(" ") + name + " " + std::to_string(value);
  };
  if (command.seeds) out += " --seeds " + std::to_string(*command.seeds);
  number("--first-seed", command.options.first_seed, usual.first_seed);
  if (command.steps) out += " --steps " + std::to_string(*command.steps);
  if (command.budget) out += " --budget " + readable(*command.budget);
  number("--x-grid", command.options.x_grid, usual.x_grid);
  number("--a-grid", command.options.a_grid, usual.a_grid);
  number("--pairs", command.options.pairs, usual.pairs);
  if (command.figure) out += " --figure " + std::to_string(*command.figure);
  return out;
}

std::string as_given(const PaperCommand& command, const std::string& what) {
  std::string out = "iqbo paper " + what + (command.quick ? " --quick" : "") + run_options(command);
  out += " --choices " + command.choices;
  if (!command.truncation.empty()) out += " --truncation " + command.truncation;
  if (!command.tree.empty()) out += " --tree " + command.tree;
  if (command.noise != PaperCommand().noise) out += " --noise " + command.noise;
  return out;
}

void require_printed_cme(const fs::path& folder) {
  const fs::path settings = folder / "settings.md";
  if (fs::exists(settings) && read_text(settings).find("the paper's CME, and `auto` for curves") != std::string::npos)
    refuse(
        folder.string(),
        "holds runs of `learned` by an earlier iqbo, which fitted a discrepancy of ours beside the paper's CME",
        "runs made again in another folder: --choices learned is the paper's CME alone now, and --choices discrepancy "
        "what these runs had");
}

void require_same_settings(const fs::path& folder, const PaperOptions& options) {
  if (!fs::exists(folder / "settings.md")) return;
  require_printed_cme(folder);
  if (comparable(read_text(folder / "settings.md")) != comparable(paper_settings(options)))
    refuse("--out", folder.string() + " holds a run with other settings (see its settings.md)",
           "the same ones, or another folder: nothing is overwritten");
}

void write_verdicts(const Verdicts& verdicts, const PaperOptions& options, const fs::path& folder) {
  const auto& [found, panels, stem, title, made_by] = verdicts;
  write_text(folder / "settings.md", paper_settings(options));
  write_text(folder / "title.txt", title + "\n");
  write_text(folder / (stem + ".txt"), to_text(found));
  write_text(folder / (stem + ".json"), to_json(found));
  write_text(folder / (stem + ".md"), to_markdown(found));
  write_report(
      {"The experiments of the paper, and which of its claims hold",
       {"Made by: " + made_by,
        "Differences are of log10 regret over paired seeds. Their intervals stay valid however often one looks, and "
        "hold jointly with 95 % for all claims of figures 3 and 4. Of the claims " +
            tally(found) + "."},
       paper_setting_records(options),
       panels,
       finding_records(found)},
      folder);
}

Findings verdicts_in(const fs::path& folder) {
  if (!fs::exists(folder / "title.txt"))
    refuse(folder.string(), "no verdicts about the paper in it", "a folder that iqbo paper wrote");
  require_printed_cme(folder);
  const auto read = [](const fs::path& path) { return findings_from_json(read_text(path), path.string()); };
  if (fs::exists(folder / "verdicts.json")) return read(folder / "verdicts.json");
  Findings out;
  for (const char* part : {"fig1", "fig2", "fig3", "fig4", "fig5", "savings"})
    if (const fs::path path = folder / (std::string(part) + ".verdicts.json"); fs::exists(path))
      for (Finding& finding : read(path)) out.push_back(std::move(finding));
  if (out.empty()) refuse(folder.string(), "no verdicts in it", "a folder that iqbo paper wrote");
  return out;
}

}  // namespace iqbo::cli
