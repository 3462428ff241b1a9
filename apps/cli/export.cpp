// iqbo export, iqbo log: everything a study holds, for spreadsheets and programs.
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <map>

#include "commands.hpp"
#include "common_options.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/json.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"
#include "show.hpp"
#include "tiles.hpp"
#include "told.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kExportExample =
    "Examples:\n"
    "  iqbo export -s campaign.db > trials.csv\n"
    "  iqbo export -s campaign.db --what snapshot > beliefs.json   # f on X, g on A, fit, best\n"
    "  iqbo export -s campaign.db --what files --folder copy       # the spec and its tables, as they were";

struct ExportCommand {
  CommonOptions common;
  std::string what = "trials";
  std::string folder;
};

void export_trials(Study& study) {
  const std::vector<Trial> trials = study.storage().trials();
  const std::vector<TileRecord> tiles = tiles_of(study, trials);
  const SpecData& data = study.names();
  std::vector<std::string> header{"trial", "state", "name"};
  for (const std::string& name : coordinate_names(data.spec.queries, data.spec.targets)) header.push_back(name);
  const bool has_level = std::find(header.begin(), header.end(), "level") != header.end();  // cells have it already
  if (!has_level) header.emplace_back("level");
  if (!tiles.empty())
    for (const std::string& bound : bound_names(data)) header.push_back(bound);
  const bool counts = is_count(data.spec.answers);
  const bool chosen = chooses_exposure(data.spec.queries);  // then the exposure that was asked for is a coordinate
  std::vector<std::string> answers{"value", "noise_sd", "replicates"};
  if (counts) answers = {"value", "count", chosen ? "counted_among" : "exposure"};
  header.emplace_back("cost");
  header.insert(header.end(), answers.begin(), answers.end());
  for (const char* name : {"policy", "worker", "reason"}) header.emplace_back(name);
  std::cout << csv_line(header);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = trials[i];
    std::vector<std::string> cells{std::to_string(trial.number), to_string(trial.state), trial.name};
    for (std::size_t j = 0; j < trial.query.size(); ++j) cells.push_back(coordinate_text(data, j, trial.query[j]));
    if (!has_level) cells.push_back(trial.level ? std::to_string(*trial.level) : "");
    if (!tiles.empty())
      for (const std::string& bound : bound_texts(tiles[i])) cells.push_back(bound);
    cells.push_back(csv_number(trial.cost));
    const auto& answer = trial.answer;
    cells.push_back(answer ? csv_number(answer->value) : "");
    if (counts) {
      cells.push_back(answer && answer->count ? std::to_string(*answer->count) : "");
      cells.push_back(answer && answer->exposure ? csv_number(*answer->exposure) : "");
    } else {
      cells.push_back(answer && answer->noise_sd ? csv_number(*answer->noise_sd) : "");
      cells.push_back(answer ? std::to_string(answer->replicates) : "");
    }
    for (const std::string& text : {trial.policy, trial.worker, trial.reason}) cells.push_back(text);
    std::cout << csv_line(cells);
  }
}

// The path of a file, as the spec names it; refuses one outside the spec's folder, as copies must stay in `folder`.
std::filesystem::path inside(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  if (path.is_absolute() || (!path.empty() && *path.begin() == ".."))
    refuse("spec", "names " + in_quotes(name) + ", outside its folder",
           "files inside; export trials, snapshot or spec");
  return folder / path;
}

void export_files(const Study& study, const std::string& folder, bool json) {
  namespace fs = std::filesystem;
  if (folder.empty()) refuse("folder", "not given", "--folder DIR, where the files go");
  std::map<std::string, std::string> files = study.storage().bundle().files;
  files.emplace("study.json", study.storage().bundle().text);
  for (const auto& [name, text] : files)
    if (fs::exists(inside(folder, name)))
      refuse("folder", inside(folder, name).string() + " exists", "another folder: nothing is overwritten");
  for (const auto& [name, text] : files) {
    const fs::path path = inside(folder, name);
    make_folder(path.parent_path());
    write_text(path, text);
    std::cout << (json ? line_of(Json{{"file", path.string()}}) : path.string() + "\n");
  }
}

void run_export(const ExportCommand& options) {
  Study study = options.common.open(Access::kReadOnly);
  if (options.what == "files" || options.what == "spec")
    study.storage().events();  // checks the spec and its files, too
  if (options.what == "files") return export_files(study, options.folder, options.common.json);
  if (options.what == "spec") {
    std::cout << study.storage().bundle().text;
  } else if (options.what == "snapshot") {
    std::cout << to_json(study.snapshot()) << '\n';
  } else if (options.common.json) {
    const std::vector<Trial> trials = study.storage().trials();
    const std::vector<TileRecord> tiles = tiles_of(study, trials);
    for (std::size_t i = 0; i < trials.size(); ++i)
      std::cout << line_of(with_bounds(Json::parse(trial_json(study.names(), trials[i])), study.names(),
                                       tiles.empty() ? std::nullopt : std::optional(tiles[i])));
  } else {
    export_trials(study);
  }
}

// --- the log ---

struct EventWords {
  const SpecData& data;
  const std::map<std::int64_t, TileRecord>& tiles;  // by trial

  std::string operator()(const Asked& e) const {
    const auto tile = tiles.find(e.trial.number);
    return trial(e.trial.number) + " " +
           describe_query(data, e.trial, tile == tiles.end() ? std::nullopt : std::optional(tile->second)) + " to " +
           e.trial.worker;
  }
  std::string operator()(const Taken& e) const { return trial(e.trial) + " from " + e.from + " to " + e.worker; }
  std::string operator()(const Told& e) const { return trial(e.trial) + " " + answer_text(e.answer, data.spec); }
  std::string operator()(const Amended& e) const {
    return trial(e.trial) + " " + (e.before ? answer_text(*e.before, data.spec) : "failed") + " -> " +
           answer_text(e.after, data.spec);
  }
  std::string operator()(const Failed& e) const { return trial(e.trial) + " " + e.reason; }
  std::string operator()(const ImportedObservations& e) const { return rows(e.observations.size(), e.source); }
  std::string operator()(const ImportedValues& e) const { return rows(e.values.size(), e.source); }
  std::string operator()(const ImportedPairs& e) const { return rows(e.x.size(), e.source); }
  std::string operator()(const Refit& e) const {
    return e.learned ? "p(x given a) from the pairs" : "on " + std::to_string(e.fit.observations) + " answers";
  }

  static std::string trial(std::int64_t number) { return "trial " + std::to_string(number); }
  static std::string rows(std::size_t count, const std::string& source) {
    return std::to_string(count) + " rows from " + source;
  }
};

std::string clock_text(double seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32];
  localtime_r(&time, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

// The tiles of all trials that were asked.
std::map<std::int64_t, TileRecord> tiles_of_log(Study& study, const std::vector<Event>& events) {
  std::vector<Trial> trials;
  for (const Event& event : events)
    if (const auto* asked = std::get_if<Asked>(&event.body)) trials.push_back(asked->trial);
  const std::vector<TileRecord> tiles = tiles_of(study, trials);
  std::map<std::int64_t, TileRecord> out;
  for (std::size_t i = 0; i < tiles.size(); ++i) out.emplace(trials[i].number, tiles[i]);
  return out;
}

void run_log(const CommonOptions& common, std::int64_t after) {
  Study study = common.open(Access::kReadOnly);
  const std::vector<Event> events = study.storage().events();  // all of them, so that all digests are checked
  const auto tiles = common.json ? std::map<std::int64_t, TileRecord>() : tiles_of_log(study, events);
  std::vector<std::vector<std::string>> rows{{"event", "time", "what", ""}};
  for (const Event& event : events) {
    if (event.seq <= after) continue;
    if (common.json)
      std::cout << to_json(event) << '\n';
    else
      rows.push_back({std::to_string(event.seq), clock_text(event.time), event_kind(event.body),
                      std::visit(EventWords{study.names(), tiles}, event.body)});
  }
  if (!common.json) std::cout << table(rows);
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<ExportCommand>();
  CLI::App* command = app.add_subcommand("export", "Write the trials as CSV, the beliefs as JSON, or the spec");
  command->add_option("--what", options->what, "trials, snapshot, spec or files")
      ->capture_default_str()
      ->check(CLI::IsMember({"trials", "snapshot", "spec", "files"}));
  command->add_option("--folder", options->folder, "The folder to which --what files writes");
  add_common_options(*command, options->common);
  add_limits(*command);
  command->footer(kExportExample);
  command->callback([options] { run_export(*options); });
}

void add_log(CLI::App& app) {
  auto common = std::make_shared<CommonOptions>();
  auto after = std::make_shared<std::int64_t>(0);
  CLI::App* command = app.add_subcommand("log", "Print everything that happened, in order");
  command->add_option("--after", *after, "Only events with a larger number")->check(whole(0));
  add_common_options(*command, *common);
  command->footer("Example:\n  iqbo log -s campaign.db --after 120");
  command->callback([common, after] { run_log(*common, *after); });
}

}  // namespace iqbo::cli
