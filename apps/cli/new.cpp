// iqbo new: a study from a spec or from maps, or a spec to start from.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "common_options.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/spec_summary.hpp"
#include "iqbo/record/spec_template.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"
#include "map_files.hpp"
#include "setup/memory_need.hpp"
#include "setup/study_setup.hpp"
#include "shell.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

constexpr const char* kNewExample =
    "Examples:\n"
    "  iqbo new --template districts --folder campaign     # files to edit: a spec and its tables\n"
    "  iqbo new campaign/study.json --study campaign.db    # a study from them\n"
    "  iqbo new campaign/study.json --dry-run              # only say what they contain and what looks wrong\n"
    "  iqbo new --areas districts.gpkg --name-field NAME --cells population.tif --study campaign.db\n"
    "                                                      # from maps: any that GDAL reads\n"
    "The study keeps the spec and its tables; later edits of the files do not change it.";

struct NewOptions {
  CommonOptions common;
  std::string spec;
  std::string template_name;
  std::optional<std::string> folder;
  bool allow_outside = false;
  bool dry_run = false;
  MapRequest map;
  MapOptions of_map;
};

// Files in a folder; removed again unless keep() is called, so that a command that fails leaves nothing behind.
class NewFiles {
 public:
  NewFiles(const std::string& folder, const std::vector<TemplateFile>& files)
      : folder_(folder), is_new_(!fs::exists(folder_)) {
    if (folder_.empty()) refuse("folder", "has no name", "--folder DIR, where the files go");
    for (const TemplateFile& file : files)
      if (fs::exists(folder_ / file.name))
        refuse("folder", (folder_ / file.name).string() + " exists", "another folder: nothing is overwritten");
    fs::create_directories(folder_);
    for (const TemplateFile& file : files) {
      paths_.push_back(folder_ / file.name);
      try {
        write_text(paths_.back(), file.text);
      } catch (const std::invalid_argument&) {
        remove();
        throw;
      }
    }
  }
  ~NewFiles() {
    if (!kept_) remove();
  }
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  const fs::path& spec() const { return paths_.front(); }
  const std::vector<fs::path>& keep() {
    kept_ = true;
    return paths_;
  }

 private:
  void remove() const {
    std::error_code ignored;
    for (const fs::path& path : paths_) fs::remove(path, ignored);
    if (is_new_) fs::remove(folder_, ignored);
  }

  fs::path folder_;
  bool is_new_;
  bool kept_ = false;
  std::vector<fs::path> paths_;
};

// A template as read_bundle() would read it: with the files that its spec names.
SpecBundle bundle_of(const std::vector<TemplateFile>& files) {
  SpecBundle out;
  out.text = files.front().text;
  for (const SpecFile& named : files_of(parse_spec(out.text)))
    for (const TemplateFile& file : files)
      if (file.name == named.name) out.files[file.name] = file.text;
  return out;
}

std::vector<TemplateFile> files_of_bundle(const SpecBundle& bundle) {
  std::vector<TemplateFile> out{{"study.json", bundle.text}};
  for (const auto& [name, text] : bundle.files) out.push_back({name, text});
  return out;
}

// What the command makes: a bundle for the study, and files for people to edit.
struct Made {
  SpecBundle bundle;
  std::vector<TemplateFile> files;  // to write; none: the files are there, or nobody wants them
};

Made made_of(const NewOptions& options) {
  const int ways =
      (options.spec.empty() ? 0 : 1) + (options.template_name.empty() ? 0 : 1) + (options.map.areas.empty() ? 0 : 1);
  if (ways == 0 && !options.map.cells.empty())
    refuse("--cells", "given without --areas",
           "--areas too: the polygons that may be asked; to ask for square tiles, start from --template tiles");
  if (ways != 1)
    refuse("new", ways == 0 ? "nothing to make a study of" : "several of them", "a spec, --template or --areas");
  if (options.map.areas.empty() != options.map.cells.empty())
    refuse("new", options.map.areas.empty() ? "--cells without --areas" : "--areas without --cells", "both of them");
  if (!options.spec.empty()) return {read_bundle(options.spec, {options.allow_outside, policy_names()}), {}};
  if (!options.template_name.empty()) {
    Made out;
    out.files = spec_template(options.template_name);
    out.bundle = bundle_of(out.files);
    return out;
  }
  const MapData data = map_files().read(options.map);
  MapOptions of_map = options.of_map;
  if (of_map.name.empty()) of_map.name = data.source;
  Made out{study_of_map(data, of_map), {}};
  if (options.folder) out.files = files_of_bundle(out.bundle);
  return out;
}

void say_to_machines(std::optional<Study>& study, const SpecSummary& summary, const std::vector<std::string>& files) {
  Json out = Json::object();
  if (study) out = {{"study", study->storage().location()}, {"name", study->data().spec.name}};
  if (study)
    if (const std::string spots = study->foreseen_spots(); !spots.empty()) out["foreseen_spots"] = spots;
  if (study)
    if (const std::string learned = study->learned(); !learned.empty()) out["learned"] = learned;
  if (!files.empty()) out["files"] = files;
  out["read"] = summary.lines;
  out["warnings"] = summary.warnings;
  std::cout << line_of(out);
}

void say_to_people(std::optional<Study>& study, const SpecSummary& summary, const std::vector<std::string>& files,
                   bool dry_run) {
  if (!files.empty()) std::cout << "wrote";
  for (const std::string& file : files) std::cout << ' ' << file;
  if (!files.empty()) std::cout << '\n';
  if (study) std::cout << "study " << study->storage().location() << ": " << study->data().spec.name << '\n';
  for (const std::string& line : summary.lines) std::cout << (dry_run ? "" : "  ") << line << '\n';
  for (const std::string& warning : summary.warnings) std::cerr << "iqbo: note: " << warning << '\n';
  if (dry_run) return;
  if (study) {
    if (const std::string spots = study->foreseen_spots(); !spots.empty()) std::cout << spots << '\n';
    std::cout << study->learned();
    std::cout << "next:\n  iqbo ask --study " << shell_word(study->storage().location()) << '\n';
  } else
    std::cout << "next: edit them, then\n  iqbo new " << shell_word(files.front()) << " --study campaign.db\n";
}

void run_new(const NewOptions& options) {
  const CommonOptions& common = options.common;
  const bool only_files =
      common.study.empty() && (!options.template_name.empty() || (options.folder && !options.map.areas.empty()));
  if (!only_files && !options.dry_run) require_kept(common.study);
  const Made made = made_of(options);
  const auto say = [&](std::optional<Study>& study, const SpecData& data, const std::vector<std::string>& files) {
    const SpecSummary summary = summary_of(data, made.bundle);
    if (common.json)
      say_to_machines(study, summary, files);
    else if (!common.quiet)
      say_to_people(study, summary, files, options.dry_run);
  };
  std::optional<Study> study;
  if (options.dry_run || !common.study.empty()) {
    const SpecData data = load(made.bundle, policy_names());
    require_workable_size(data, free_memory());
    if (options.dry_run) return say(study, data, {});
  }
  std::optional<NewFiles> written;
  if (!made.files.empty()) written.emplace(options.folder.value_or("."), made.files);
  if (!common.study.empty()) study = Study::create(common.study, made.bundle);
  std::vector<std::string> files;
  if (written)
    for (const fs::path& path : written->keep()) files.push_back(path.string());
  say(study, study ? study->data() : load(made.bundle, policy_names()), files);
}

void add_map_options(CLI::App& command, NewOptions& options) {
  const char* group = "From maps";
  MapRequest& map = options.map;
  command
      .add_option("--areas", map.areas, "The areas that may be asked: polygons, as GeoPackage, Shapefile or GeoJSON")
      ->group(group);
  command.add_option("--name-field", map.name_field, "The field that names the areas")->group(group);
  command.add_option("--layer", map.layer, "The layer of --areas (default: the only one)")->group(group);
  command
      .add_option("--cells", map.cells,
                  "The cells on which f is defined, and their weights: a raster, such as population as GeoTIFF")
      ->group(group);
  command.add_option("--coarsen", map.block, "Merge blocks of this many cells per side into one cell (default: 1)")
      ->check(whole(1, 10000))
      ->group(group);
  command
      .add_option("--crs", map.system,
                  "The coordinate reference system of a file that does not state it, such as EPSG:25832")
      ->group(group);
  command.add_flag("--counts", options.of_map.counts, "Answers are counts among the people of an area")->group(group);
  command.add_flag("--minimize", options.of_map.minimize, "Search for the lowest cell (default: the highest)")
      ->group(group);
  command.add_option("--name", options.of_map.name, "The name of the study")->group(group);
}

}  // namespace

void add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "Make a study from a spec or from maps, or write a spec to start from");
  command->add_option("spec", options->spec, "The spec, a JSON file, with its tables in the same folder");
  command->add_option(
      "--template,-t", options->template_name,
      "Write a starting point: districts, counts, tiles, trial or map; with real data: carolina or tokyo");
  command->add_option("--folder", options->folder,
                      "The folder to which --template writes (default: this one); with --areas: also write the spec "
                      "and its tables there");
  command->add_flag("--dry-run", options->dry_run, "Only say what was read and what looks wrong; write nothing");
  command->add_flag("--allow-outside", options->allow_outside, "The spec may name files outside its folder");
  // --template alone writes files to edit and makes no study, even if IQBO_STUDY is set.
  add_common_options(*command, options->common)
      ->envname("")
      ->description("The study to make (default with a spec: IQBO_STUDY)");
  add_map_options(*command, *options);
  add_memory_limit(*command);
  command->footer(kNewExample);
  command->callback([options] {
    const char* usual = std::getenv("IQBO_STUDY");
    if (usual != nullptr && options->template_name.empty() && options->common.study.empty())
      options->common.study = usual;
    run_new(*options);
  });
}

}  // namespace iqbo::cli
