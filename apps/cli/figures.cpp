#include "figures.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "interrupt.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/text_file.hpp"
#include "report/experiment_document.hpp"
#include "report/page.hpp"
#include "version.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace iqbo::cli {

using namespace internal;

namespace {

// A line of progress that overwrites itself; silent unless stderr is a terminal.
class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)), watched_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (watched_) std::fprintf(stderr, "\r%70s\r", "");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void operator()(Index done, Index all) {
    if (before_ < 0) before_ = done;
    if (!watched_) return;
    std::fprintf(stderr, "\r%s: %td of %td runs%s      ", what_.c_str(), done, all, left(done, all).c_str());
  }

 private:
  std::string left(Index done, Index all) const {
    if (done == before_ || done == all) return "";
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    const double seconds = taken.count() * static_cast<double>(all - done) / static_cast<double>(done - before_);
    char text[48];
    if (seconds < 90.0)
      std::snprintf(text, sizeof text, ", about %.0f s left", std::ceil(seconds));
    else
      std::snprintf(text, sizeof text, ", about %.0f min left", std::ceil(seconds / 60.0));
    return text;
  }

  std::string what_;
  bool watched_;
  Index before_ = -1;  // runs that were finished when we began
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

constexpr int kNoMatplotlib = 3;  // exit code of figures.py without matplotlib

int draw_with(const char* python, const std::filesystem::path& folder) {
  const std::string script = (folder / "figures.py").string(), where = folder.string();
  const char* arguments[] = {python, script.c_str(), where.c_str(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, python, nullptr, nullptr, const_cast<char* const*>(arguments), environ) != 0)
    return kNoMatplotlib;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) stop_if_interrupted();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

void take_folder(const std::filesystem::path& folder, const std::vector<std::string>& own,
                 const std::vector<std::string>& others) {
  const auto first = [&](const std::vector<std::string>& names) {
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const std::string& name) { return std::filesystem::exists(folder / name); });
    return found == names.end() ? "" : *found;
  };
  std::string foreign = first(others);
  if (foreign.empty() && first(own).empty()) foreign = first({"report.html"});
  if (!foreign.empty())
    refuse("--out", folder.string() + " holds " + foreign + " of something else",
           "another folder: nothing is overwritten");
  make_folder(folder);
}

void with_progress(const std::string& what, unsigned threads, const std::function<void(const RunOptions&)>& work) {
  Progress progress(what);
  work({threads, [&](Index done, Index all) { progress(done, all); }, [] { return interrupted(); }});
}

bool is_finished(const Figure& figure, const std::filesystem::path& folder, Sharing& sharing) {
  const auto store = store_of(sharing, figure.experiment, folder);
  return seeds_known(figure.experiment, known_runs(figure.experiment, *store)) >= figure.experiment.seeds;
}

std::optional<Regrets> run_figure(const Figure& figure, const std::filesystem::path& folder, const FigureRun& how,
                                  Sharing& sharing) {
  const Experiment& experiment = figure.experiment;
  const auto store = store_of(sharing, experiment, folder);
  const bool is_shard = !sharing.shard.empty();
  if (is_shard) {
    keep_configuration(experiment, folder);
    const Shard mine = shard(sharing.shard);
    bool finished = false;
    with_progress(experiment.name, how.threads, [&](const RunOptions& options) {
      finished = run_shard(experiment, mine, block_folder(folder), *store, options);
    });
    if (!finished) throw Interrupted();
  }
  const KnownRuns known = known_runs(experiment, *store);
  if (is_shard) {
    const Index finished = seeds_known(experiment, known);
    say_finished(sharing, experiment, finished, how.json);
    if (finished < experiment.seeds) return std::nullopt;
    if (!sharing.lock) sharing.lock = std::make_shared<const ReportLock>(folder);
    if (!sharing.lock->held()) return std::nullopt;  // another shard is writing
  }
  RunResult result;
  with_progress(experiment.name, how.threads, [&](RunOptions options) {
    options.known = &known;
    result = run(experiment, folder, options);
  });
  if (!result.finished) throw Interrupted();
  Regrets regrets(result.table, figure);
  write_text(folder / (experiment.name + ".curves.csv"), curves_csv(regrets));
  write_text(folder / (experiment.name + ".panels.csv"), panels_csv(figure));
  return regrets;
}

void draw_figures(const std::filesystem::path& folder) {
  write_text(folder / "figures.py", kFiguresScript);
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const int code = draw_with(python, folder);
    if (code == 0) return;
    if (code != kNoMatplotlib) {
      std::cerr << "iqbo: figures.py ended with " << code << "; the tables are complete\n";
      return;
    }
  }
  std::cerr << "iqbo: no figures, as there is no python3 with matplotlib (Debian: python3-matplotlib).\n"
               "      Later: python3 "
            << (folder / "figures.py").string() << ' ' << folder.string() << '\n';
}

void write_report(const ExperimentRecord& experiment, const std::filesystem::path& folder) {
  if (!page_missing().empty()) {
    std::cerr << "iqbo: no report.html: " << page_missing() << '\n';
    return;
  }
  write_text(folder / "report.html", page(experiment_document(experiment, colophon())));
}

}  // namespace iqbo::cli
