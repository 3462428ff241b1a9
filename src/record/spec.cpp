#include "iqbo/record/spec.hpp"

#include "iqbo/record/csv.hpp"
#include "new_spec.hpp"
#include "spec_check.hpp"
#include "spec_fields.hpp"

namespace iqbo {
namespace {

using fields::Json;
using Migration = void (*)(Json&);

struct RenamedKey {
  const char* before;
  const char* now;
};
constexpr RenamedKey kRenamed[] = {{"target", "targets"}, {"query", "queries"}, {"noise", "noise_sd"}};  // in version 2

// Version 1 to 2. A document of version 1 that already has a new key is understood.
void rename_keys(Json& json) {
  for (const auto& [before, now] : kRenamed) {
    if (!json.contains(before)) continue;
    if (json.contains(now))
      refuse(before, std::string("is given with ") + now, std::string("only ") + now + ", its name since version 2");
    Json value = std::move(json[before]);
    json.erase(before);
    json[now] = std::move(value);
  }
}

void refuse_old_keys(const Json& json) {
  for (const auto& [before, now] : kRenamed)
    if (json.contains(before)) refuse(before, "is a key of version 1", std::string(now) + ", its name since version 2");
}

// migrations[v - 1] turns a document of version v into one of version v + 1.
const std::vector<Migration>& migrations() {
  static const std::vector<Migration> all = {rename_keys};
  return all;
}
static_assert(kSpecVersion == 2, "a new version needs its migration, and an old document kept in tests/golden");

// Returns whether the document is of an older version.
bool migrate(Json& json) {
  if (!json.is_object()) refuse("spec", "is " + fields::shown(json), "an object {...}");
  if (!json.contains("version"))
    refuse("spec", "missing key \"version\"", "\"version\": " + std::to_string(kSpecVersion));
  const Json& found = json["version"];
  if (!found.is_number_integer() || found < 1) refuse("version", "is " + fields::shown(found), "a whole number from 1");
  if (found > kSpecVersion)
    refuse("version", "is " + fields::shown(found),
           "at most " + std::to_string(kSpecVersion) + "; a newer version of iqbo wrote this spec");
  const auto first = found.get<std::int64_t>();
  for (auto version = first; version < kSpecVersion; ++version)
    migrations().at(static_cast<std::size_t>(version - 1))(json);
  json["version"] = kSpecVersion;
  refuse_old_keys(json);
  return first < kSpecVersion;
}

// Messages name the keys of today. Whoever wrote a document of version 1 is told what the key is called there.
std::string with_old_name(const std::string& message) {
  for (const auto& [before, now] : kRenamed)
    if (message.starts_with(std::string(now) + ".") || message.starts_with(std::string(now) + ":"))
      return message + "; a document of version 1 may call " + now + " " + before;
  return message;
}

// Texts of a document are printed on terminals, which would obey a control character.
void refuse_control_characters(const Json& json, const std::string& path) {
  if (json.is_string() && has_control_character(json.get_ref<const std::string&>()))
    refuse(path, "has a control character", "a text without");
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i) refuse_control_characters(json[i], fields::at_index(path, i));
  if (json.is_object())
    for (const auto& item : json.items()) refuse_control_characters(item.value(), fields::at_key(path, item.key()));
}

// Removes what older versions accepted but ignored: grids of a tree's axes, and a cost beside a tree or resolutions.
void forget_what_was_ignored(Json& json) {
  if (!json.contains("queries") || !json["queries"].is_object()) return;
  Json& query = json["queries"];
  if (query.contains("tree") || query.contains("resolutions")) query.erase("cost");
  if (!query.contains("tree") || !query.contains("axes") || !query["axes"].is_array()) return;
  for (Json& axis : query["axes"])
    if (axis.is_object()) axis.erase("grid");
}

std::vector<std::string> names(const std::vector<AxisSpec>& axes) {
  std::vector<std::string> out;
  for (const AxisSpec& axis : axes) out.push_back(axis.name);
  return out;
}

Spec read_spec(Json json, const std::vector<std::string>& policies, SpecAge age) {
  if (age == SpecAge::kStored)
    forget_what_was_ignored(json);
  else
    refuse_control_characters(json, "");
  Spec spec = fields::Type<Spec>::read(json, "", {});
  if (spec.queries.tree && json["queries"].contains("cost"))
    refuse("queries.cost", "is given with queries.tree", "queries.tree.costs, one per level");
  if (!spec.queries.resolutions.empty() && json["queries"].contains("cost"))
    refuse("queries.cost", "is given with queries.resolutions", "queries.costs, one per resolution");
  check_spec(spec, policies);
  if (age == SpecAge::kNew) check_new(spec);
  return spec;
}

}  // namespace

Spec parse_spec(std::string_view text, const std::vector<std::string>& policies, SpecAge age) {
  Json json = fields::parse_strict(text, "spec");
  const bool is_old = migrate(json);
  try {
    return read_spec(std::move(json), policies, age);
  } catch (const std::invalid_argument& error) {
    if (is_old) throw std::invalid_argument(with_old_name(error.what()));
    throw;
  }
}

std::string to_json(const Spec& spec) { return fields::dump(fields::Type<Spec>::write(spec), 2) + "\n"; }

std::string spec_schema() {
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "iqbo spec"},
            {"description", "Generated from src/record/spec_fields.hpp; docs/spec.md explains it."}};
  json.update(fields::Type<Spec>::schema({}));
  return fields::dump(json, 2) + "\n";
}

const std::string& to_string(AnswerFamily family) {
  return fields::EnumNames<AnswerFamily>::names().at(static_cast<std::size_t>(family));
}

std::vector<std::string> coordinate_names(const TargetSpec& target) {
  return target.kind == TargetSpec::Kind::kBox ? names(target.axes) : target.coordinates;
}

std::vector<std::string> coordinate_names(const QuerySpec& query, const TargetSpec& target) {
  std::vector<std::string> out;
  switch (query.kind) {
    case QuerySpec::Kind::kBox:
      out = names(query.axes);
      if (query.tree || !query.resolutions.empty()) out.emplace_back("resolution");
      return out;
    case QuerySpec::Kind::kPoints:
      out = query.coordinates.empty() ? std::vector<std::string>{"number"} : query.coordinates;
      if (chooses_exposure(query)) out.emplace_back("exposure");
      return out;
    case QuerySpec::Kind::kCells:
      out = coordinate_names(target);
      out.emplace_back("level");
  }
  return out;
}

std::vector<SpecFile> files_of(const Spec& spec) {
  std::vector<SpecFile> all{{"targets.points", spec.targets.points},
                            {"queries.points", spec.queries.points},
                            {"queries.geojson.file", spec.queries.geojson ? spec.queries.geojson->file : ""},
                            {"conditional.bags", spec.conditional.bags},
                            {"conditional.pairs", spec.conditional.pairs}};
  std::erase_if(all, [](const SpecFile& file) { return file.name.empty(); });
  return all;
}

}  // namespace iqbo
