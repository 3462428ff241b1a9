// iqbo paper decide: seeds until every claim of figures 3 and 4 is decided.
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "figures.hpp"
#include "interrupt.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/experiment/reader.hpp"
#include "iqbo/paper/claims.hpp"
#include "iqbo/record/text_file.hpp"
#include "paper_options.hpp"

namespace iqbo::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct DecideCommand {
  PaperCommand paper = {};
  Index block = 20, most = 400;
  std::optional<double> minutes = {};
};

// A figure, as much of it as was run, and what is still open.
struct Progressing {
  Figure figure;
  std::vector<Claim> claims;
  ResultTable table = {};
  Decisions decisions = {};
};

fs::path folder_of(const Experiment& block, const fs::path& folder) {
  const auto last = block.first_seed + static_cast<std::uint64_t>(block.seeds) - 1;
  return folder / (block.name + ".seeds-" + std::to_string(block.first_seed) + "-" + std::to_string(last));
}

ResultTable table_of(const Experiment& block, const KnownRuns& known) {
  ResultTable out;
  for (Index i = 0; i < block.seeds; ++i)
    for (const Entry& entry : block.entries) {
      const ResultTable& rows =
          known.at({entry.problem, entry.policy, block.first_seed + static_cast<std::uint64_t>(i)}).rows;
      out.insert(out.end(), rows.begin(), rows.end());
    }
  return out;
}

// The shard's part of the block, and then those of the others as they come.
ResultTable run_shared(const Experiment& block, const fs::path& folder, const PaperCommand& command,
                       BlockStore& store) {
  keep_configuration(block, folder);
  bool finished = false;
  with_progress(block.name, command.threads, [&](const RunOptions& options) {
    finished = run_shard(block, shard(command.sharing.shard), block_folder(folder), store, options);
  });
  if (!finished) throw Interrupted();
  for (bool said = false;; std::this_thread::sleep_for(std::chrono::milliseconds(200))) {
    stop_if_interrupted();
    const KnownRuns known = known_runs(block, store);
    if (seeds_known(block, known) == block.seeds) return table_of(block, known);
    if (!said)
      std::cerr << "iqbo: waiting for other shards of seeds " << block.first_seed << " to "
                << block.first_seed + static_cast<std::uint64_t>(block.seeds) - 1
                << ". All shards must run at the same time; without --shard, one process runs what is missing.\n";
    said = true;
  }
}

ResultTable run_block(const Experiment& block, const fs::path& folder, const PaperCommand& command) {
  const auto store = store_of(command.sharing, block, folder);
  if (!command.sharing.shard.empty()) return run_shared(block, folder, command, *store);
  const KnownRuns known = known_runs(block, *store);
  RunResult result;
  with_progress(block.name, command.threads, [&](RunOptions options) {
    options.known = &known;
    result = run(block, folder, options);
  });
  if (!result.finished) throw Interrupted();
  return result.table;
}

void say_look(const std::vector<Progressing>& figures, Index seeds, bool json) {
  if (json) return;
  std::size_t open = 0, all = 0;
  for (const Progressing& each : figures) {
    open += each.decisions.open.size();
    all += each.claims.size();
  }
  std::cout << "After " << seeds << " seeds " << all - open << " of " << all << " claims are decided.\n" << std::flush;
}

void prepare(const DecideCommand& command, const PaperOptions& options, const fs::path& folder) {
  if (command.block < 2) refuse("--block", std::to_string(command.block), "at least 2");
  if (command.most < command.block)
    refuse("--most", std::to_string(command.most), "at least " + std::to_string(command.block) + ", a block");
  take_folder(folder, kPaperFiles, kBenchFiles);
  if (!fs::exists(folder / "decide.json") && fs::exists(folder / "settings.md"))
    refuse("--out", folder.string() + " holds a run of iqbo paper with a fixed number of seeds",
           "another folder: nothing is overwritten");
  require_same_settings(folder, options);
  const std::string mine = nlohmann::ordered_json{{"block", command.block}}.dump() + "\n";
  if (fs::exists(folder / "decide.json") && read_text(folder / "decide.json") != mine)
    refuse("--block", std::to_string(command.block),
           "that of decide.json in " + folder.string() + ", or another folder");
  write_text(folder / "decide.json", mine);
  write_text(folder / "settings.md", paper_settings(options));
}

void report(const DecideCommand& command, const PaperOptions& options, const std::vector<Progressing>& figures,
            const fs::path& folder) {
  Findings found;
  std::vector<PanelRecord> panels;
  Index least = options.seeds, most = 0;
  for (const auto& [figure, claims, table, decisions] : figures) {
    const Regrets regrets(table, figure);
    write_text(folder / (figure.experiment.name + ".curves.csv"), curves_csv(regrets));
    write_text(folder / (figure.experiment.name + ".panels.csv"), panels_csv(figure));
    for (PanelRecord& panel : panel_records(regrets)) {
      panel.title = "figure " + figure.experiment.name.substr(3) + ": " + panel.title;
      panels.push_back(std::move(panel));
    }
    for (const Finding& finding : decisions.findings) {
      least = std::min(least, finding.difference->n);
      most = std::max(most, finding.difference->n);
      found.push_back(finding);
    }
    if (figure.axis == Axis::kCost)
      for (Finding& finding : efficiency_findings(table, figure)) found.push_back(std::move(finding));
  }
  for (const Findings& more : {figure2_findings(), figure5_findings(), lemma_findings(options.first_seed),
                               theory_findings(options.first_seed)})
    found.insert(found.end(), more.begin(), more.end());
  const std::string seeds =
      least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  write_verdicts({found, panels, "verdicts", paper_name(options) + ", decided, " + seeds + " seeds",
                  as_given(command.paper, "decide") + " --block " + std::to_string(command.block) + " --most " +
                      std::to_string(options.seeds)},
                 options, folder);
  if (!command.paper.no_figures) draw_figures(folder);
  if (command.paper.json) {
    std::cout << to_json(found);
    return;
  }
  std::cout << to_text(found) << "Of the paper's claims " << tally(found) << " (" << seeds
            << " seeds). Tables, figures and settings.md: " << folder.string() << '\n';
}

void run_decide(const DecideCommand& command) {
  PaperOptions options = complete(command.paper);
  options.extras = false;
  options.seeds = command.most;
  const fs::path folder = command.paper.out;
  if (!command.paper.sharing.shard.empty()) shard(command.paper.sharing.shard);
  prepare(command, options, folder);
  std::vector<Progressing> figures;
  for (const int number : {3, 4}) {
    if (command.paper.figure && *command.paper.figure != number) continue;
    Figure figure = paper_figure(number, options);
    std::vector<Claim> claims = paper_claims(figure, options);
    figures.push_back({std::move(figure), claims, {}, {{}, claims}});
  }
  const auto begin = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count() / 60.0; };
  for (Index number = 0; (number + 1) * command.block <= command.most; ++number) {
    bool any = false;
    for (Progressing& each : figures) {
      if (each.decisions.open.empty()) continue;
      any = true;
      const Experiment block = block_of(each.figure, each.decisions.open, number, command.block).experiment;
      const ResultTable rows = run_block(block, folder_of(block, folder), command.paper);
      each.table.insert(each.table.end(), rows.begin(), rows.end());
      each.decisions = decide(each.claims, Regrets(each.table, each.figure), command.block);
    }
    if (!any) break;
    say_look(figures, (number + 1) * command.block, command.paper.json);
    if (command.minutes && spent() > *command.minutes) {
      options.seeds = (number + 1) * command.block;  // so that the command of the report ends here too, however fast
      for (Progressing& each : figures) each.figure.experiment.seeds = options.seeds;
      break;
    }
  }
  if (!command.paper.sharing.shard.empty()) {
    const ReportLock lock(folder);
    if (lock.held()) report(command, options, figures, folder);
    return;
  }
  report(command, options, figures, folder);
}

}  // namespace

void add_decide(CLI::App& paper) {
  auto command = std::make_shared<DecideCommand>();
  CLI::App* decide =
      paper.add_subcommand("decide",
                           "Run figures 3 and 4 in blocks of seeds until every claim is decided: its interval, which "
                           "stays valid under such looks "
                           "and holds jointly for all claims, excludes 0 or lies within 0.1 decade of it.");
  decide->footer(
      "Example: iqbo paper decide --choices paper --out paper-decided\n"
      "         iqbo paper decide --choices fixed --minutes 30 --out fixed-decided     # the same command continues "
      "later\n"
      "Ctrl-C keeps the finished runs, and the same command continues.");
  decide->add_option("--out", command->paper.out, "folder for tables, figures and report.html")->capture_default_str();
  decide->add_option("--block", command->block, "seeds between two looks")->capture_default_str();
  decide->add_option("--most", command->most, "the largest number of seeds; claims that are then undecided stay so")
      ->capture_default_str();
  add_figure_option(*decide, command->paper);
  decide->add_option("--minutes", command->minutes, "stop after the block in which this much time has passed");
  add_run_options(*decide, command->paper);
  add_choice_options(*decide, command->paper);
  decide->callback([command] { run_decide(*command); });
}

}  // namespace iqbo::cli
