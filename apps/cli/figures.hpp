// What `paper` and `bench` share: a run with progress, and its figures.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/experiment/figure.hpp"
#include "iqbo/record/experiment_record.hpp"
#include "sharing.hpp"

namespace iqbo::cli {

extern const char* const kFiguresScript;

// Makes the folder that --out names. It holds the results of one of the two commands: refused if it has a file of the
// other command, or a report.html and none of `own`.
void take_folder(const std::filesystem::path& folder, const std::vector<std::string>& own,
                 const std::vector<std::string>& others);
inline const std::vector<std::string> kPaperFiles{"settings.md", "fig1.json",   "fig1.arms.csv",
                                                  "fig2.csv",    "fig3.json",   "fig4.json",
                                                  "fig5.csv",    "decide.json", "matrix.json"};
inline const std::vector<std::string> kBenchFiles{"bench.json"};

// Runs the experiment of a figure, except for finished blocks, and writes the data for its plots. A shard runs its block and
// says so; it has no result unless its block was the last one missing. Throws Interrupted after Ctrl-C.
struct FigureRun {
  unsigned threads = 0;
  bool json = false;  // what a shard says
};
// Does the work with a line of progress, so many threads, and until Ctrl-C.
void with_progress(const std::string& what, unsigned threads, const std::function<void(const RunOptions&)>& work);

// Whether all its runs are known.
bool is_finished(const Figure& figure, const std::filesystem::path& folder, Sharing& sharing);

std::optional<Regrets> run_figure(const Figure& figure, const std::filesystem::path& folder, const FigureRun& how,
                                  Sharing& sharing);

// Writes figures.py into the folder and draws all figures there, with the first python3 that has matplotlib. If there
// is none, says what to install and how to draw later: the numbers, which took the time, are kept.
void draw_figures(const std::filesystem::path& folder);

// Writes report.html; if this iqbo was built without the page, says so and why.
void write_report(const ExperimentRecord& experiment, const std::filesystem::path& folder);

}  // namespace iqbo::cli
