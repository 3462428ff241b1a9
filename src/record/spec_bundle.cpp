#include "iqbo/record/spec_bundle.hpp"

#include <algorithm>
#include <stdexcept>

#include "iqbo/core/check.hpp"
#include "iqbo/record/text_file.hpp"

namespace iqbo {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file, const std::string& name) {
  std::error_code error;
  if (fs::is_directory(file, error)) refuse(name, file.string() + " is a folder", "a file");
  if (fs::exists(file, error) && !fs::is_regular_file(file, error))  // reading a pipe would block
    refuse(name, file.string() + " is not a regular file", "a file");
  try {
    return read_text(file);
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(name + ": " + refused.what());
  }
}

bool within(const fs::path& folder, const fs::path& file) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

// The path of a named file. Links are resolved before checking that it lies within the folder.
fs::path located(const fs::path& folder, const SpecFile& file, bool allow_outside) {
  fs::path path = folder / file.name;
  if (allow_outside) return path;
  const fs::path named(file.name);
  const bool climbs = std::find(named.begin(), named.end(), "..") != named.end();
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  if (named.is_absolute() || climbs || error || !within(fs::canonical(folder), real))
    refuse(file.path, "\"" + file.name + "\" leaves the folder of the spec",
           "a file in it, or --allow-outside (allow_outside)");
  return path;
}

}  // namespace

std::string encoding_note(std::string_view file) {
  return std::string(file) + " is not UTF-8 and was read as Windows-1252; if names look wrong, save it as UTF-8";
}

SpecBundle read_bundle(const fs::path& spec_file, const BundleOptions& options) {
  SpecBundle bundle;
  bundle.text = contents(spec_file, "spec");
  const Spec spec = parse_spec(bundle.text, options.policies);
  const fs::path folder = spec_file.has_parent_path() ? spec_file.parent_path() : fs::path(".");
  for (const SpecFile& file : files_of(spec)) {
    std::string& text = bundle.files[file.name];
    text = contents(located(folder, file, options.allow_outside), file.path);
    if (auto converted = converted_to_utf8(text, file.path + " (" + file.name + ")")) {
      text = std::move(*converted);
      bundle.notes.push_back(encoding_note(file.name));
    }
  }
  return bundle;
}

}  // namespace iqbo
