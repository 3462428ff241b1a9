// iqbo new: a study from a spec, or a spec to start from.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "commands.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/model/study_model.hpp"
#include "iqbo/record/spec_template.hpp"
#include "place.hpp"
#include "show.hpp"

namespace iqbo::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExample =
    "Examples:\n"
    "  iqbo new --template districts --folder campaign     # files to edit: a spec and its tables\n"
    "  iqbo new campaign/study.json --study campaign.db    # a study from them\n"
    "The study keeps the spec and its tables; later edits of the files do not change it.";

struct NewOptions {
  Place place;
  std::string spec;
  std::string name;
  std::string folder = ".";
  bool allow_outside = false;
};

// All or nothing: no file is overwritten.
fs::path write_template(const NewOptions& options) {
  const auto files = spec_template(options.name);
  for (const TemplateFile& file : files)
    if (fs::exists(fs::path(options.folder) / file.name))
      refuse("folder", (fs::path(options.folder) / file.name).string() + " exists",
             "another folder: nothing is overwritten");
  fs::create_directories(options.folder);
  for (const TemplateFile& file : files) {
    std::ofstream out(fs::path(options.folder) / file.name, std::ios::binary);
    if (!(out << file.text).flush()) refuse("folder", options.folder + " cannot be written to", "a folder of your own");
  }
  const fs::path spec = fs::path(options.folder) / files.front().name;
  if (options.place.json || options.place.quiet) return spec;
  std::cout << "wrote";
  for (const TemplateFile& file : files) std::cout << ' ' << (fs::path(options.folder) / file.name).string();
  std::cout << '\n';
  return spec;
}

void run_new(const NewOptions& options) {
  if (options.spec.empty() == options.name.empty())
    refuse("new", options.spec.empty() ? "neither a spec nor --template" : "both a spec and --template", "one of them");
  const fs::path spec = options.name.empty() ? fs::path(options.spec) : write_template(options);
  const Place& place = options.place;
  if (place.study.empty()) {
    if (options.name.empty()) refuse("study", "not given", "--study FILE, or the environment variable IQBO_STUDY");
    if (!place.quiet && !place.json)
      std::cout << "next: edit them, then\n  iqbo new " << spec.string() << " --study campaign.db\n";
    return;
  }
  const Study study = Study::create(place.study, read_bundle(spec, {options.allow_outside, policy_names()}));
  if (place.json) {
    std::cout << line_of(Json{{"study", study.storage().location()}, {"name", study.data().spec.name}});
  } else if (!place.quiet) {
    std::cout << "study " << study.storage().location() << ": " << study.data().spec.name
              << "\nnext:\n  iqbo ask --study " << study.storage().location() << '\n';
  }
}

}  // namespace

void add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "Make a study from a spec, or write a spec to start from");
  command->add_option("spec", options->spec, "The spec, a JSON file; the tables it names lie beside it");
  command->add_option("--template,-t", options->name, "Write a starting point: districts, tiles, trial or map");
  command->add_option("--folder", options->folder, "Where --template writes (default: here)");
  command->add_flag("--allow-outside", options->allow_outside, "The spec may name files outside its folder");
  add_place(*command, options->place);
  command->footer(kExample);
  command->callback([options] { run_new(*options); });
}

}  // namespace iqbo::cli
