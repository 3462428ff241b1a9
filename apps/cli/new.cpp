// iqbo new: a study from a spec, or a spec to start from.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "common_options.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/spec_template.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"
#include "model/study_model.hpp"
#include "shell.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

constexpr const char* kExample =
    "Examples:\n"
    "  iqbo new --template districts --folder campaign     # files to edit: a spec and its tables\n"
    "  iqbo new campaign/study.json --study campaign.db    # a study from them\n"
    "The study keeps the spec and its tables; later edits of the files do not change it.";

struct NewOptions {
  CommonOptions common;
  std::string spec;
  std::string name;
  std::string folder = ".";
  bool allow_outside = false;
};

// The files of a template; removed again unless keep() is called, so that a command that fails leaves nothing behind.
class TemplateFiles {
 public:
  explicit TemplateFiles(const NewOptions& options) : folder_(options.folder), is_new_(!fs::exists(folder_)) {
    const auto files = spec_template(options.name);
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
  ~TemplateFiles() {
    if (!kept_) remove();
  }
  TemplateFiles(const TemplateFiles&) = delete;
  TemplateFiles& operator=(const TemplateFiles&) = delete;

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

void say_to_machines(std::optional<Study>& study, const std::vector<std::string>& files) {
  Json out = Json::object();
  if (study) out = {{"study", study->storage().location()}, {"name", study->data().spec.name}};
  if (study)
    if (const std::string spots = study->foreseen_spots(); !spots.empty()) out["foreseen_spots"] = spots;
  if (study)
    if (const std::string learned = study->learned(); !learned.empty()) out["learned"] = learned;
  if (!files.empty()) out["files"] = files;
  std::cout << line_of(out);
}

void say_to_people(std::optional<Study>& study, const std::vector<std::string>& files) {
  if (!files.empty()) std::cout << "wrote";
  for (const std::string& file : files) std::cout << ' ' << file;
  if (!files.empty()) std::cout << '\n';
  if (study) {
    std::cout << "study " << study->storage().location() << ": " << study->data().spec.name << '\n';
    if (const std::string spots = study->foreseen_spots(); !spots.empty()) std::cout << spots << '\n';
    std::cout << study->learned();
    std::cout << "next:\n  iqbo ask --study " << shell_word(study->storage().location()) << '\n';
  } else
    std::cout << "next: edit them, then\n  iqbo new " << shell_word(files.front()) << " --study campaign.db\n";
}

void run_new(const NewOptions& options) {
  if (options.spec.empty() == options.name.empty())
    refuse("new", options.spec.empty() ? "neither a spec nor --template" : "both a spec and --template", "one of them");
  const CommonOptions& common = options.common;
  if (!common.study.empty() || options.name.empty()) require_kept(common.study);
  std::optional<TemplateFiles> written;
  if (!options.name.empty()) written.emplace(options);
  const fs::path spec = written ? written->spec() : fs::path(options.spec);
  std::optional<Study> study;
  if (!common.study.empty())
    study = Study::create(common.study, read_bundle(spec, {options.allow_outside, policy_names()}));
  std::vector<std::string> files;
  if (written)
    for (const fs::path& path : written->keep()) files.push_back(path.string());
  if (common.json)
    say_to_machines(study, files);
  else if (!common.quiet)
    say_to_people(study, files);
}

}  // namespace

void add_new(CLI::App& app) {
  auto options = std::make_shared<NewOptions>();
  CLI::App* command = app.add_subcommand("new", "Make a study from a spec, or write a spec to start from");
  command->add_option("spec", options->spec, "The spec, a JSON file; the tables it names lie beside it");
  command->add_option("--template,-t", options->name, "Write a starting point: districts, counts, tiles, trial or map");
  command->add_option("--folder", options->folder, "Where --template writes (default: here)");
  command->add_flag("--allow-outside", options->allow_outside, "The spec may name files outside its folder");
  // --template alone writes files to edit and makes no study, even if IQBO_STUDY is set.
  add_common_options(*command, options->common)
      ->envname("")
      ->description("The study to make (default with a spec: IQBO_STUDY)");
  add_memory_limit(*command);
  command->footer(kExample);
  command->callback([options] {
    const char* usual = std::getenv("IQBO_STUDY");
    if (usual != nullptr && options->name.empty() && options->common.study.empty()) options->common.study = usual;
    run_new(*options);
  });
}

}  // namespace iqbo::cli
