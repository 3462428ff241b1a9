#include "iqbo/record/spec.hpp"

#include "iqbo/record/csv.hpp"
#include "new_spec.hpp"
#include "spec_check.hpp"
#include "spec_fields.hpp"

namespace iqbo {
namespace {

using fields::Json;
using Migration = void (*)(Json&);

// migrations[v - 1] turns a document of version v into one of version v + 1.
const std::vector<Migration>& migrations() {
  static const std::vector<Migration> all = {};
  return all;
}
static_assert(kSpecVersion == 1, "a new version needs its migration, and an old document kept in tests/golden");

void migrate(Json& json) {
  if (!json.is_object()) refuse("spec", "is " + fields::shown(json), "an object {...}");
  if (!json.contains("version"))
    refuse("spec", "missing key \"version\"", "\"version\": " + std::to_string(kSpecVersion));
  const Json& found = json["version"];
  if (!found.is_number_integer() || found < 1) refuse("version", "is " + fields::shown(found), "a whole number from 1");
  if (found > kSpecVersion)
    refuse("version", "is " + fields::shown(found),
           "at most " + std::to_string(kSpecVersion) + "; a newer iqbo wrote this spec");
  for (auto version = found.get<std::int64_t>(); version < kSpecVersion; ++version)
    migrations().at(static_cast<std::size_t>(version - 1))(json);
  json["version"] = kSpecVersion;
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
  if (!json.contains("query") || !json["query"].is_object()) return;
  Json& query = json["query"];
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

}  // namespace

Spec parse_spec(std::string_view text, const std::vector<std::string>& policies, SpecAge age) {
  Json json = fields::parse_strict(text, "spec");
  migrate(json);
  if (age == SpecAge::kStored)
    forget_what_was_ignored(json);
  else
    refuse_control_characters(json, "");
  Spec spec = fields::Type<Spec>::read(json, "", {});
  if (spec.query.tree && json["query"].contains("cost"))
    refuse("query.cost", "is given with query.tree", "query.tree.costs, one per level");
  if (!spec.query.resolutions.empty() && json["query"].contains("cost"))
    refuse("query.cost", "is given with query.resolutions", "query.costs, one per resolution");
  check_spec(spec, policies);
  if (age == SpecAge::kNew) check_new(spec);
  return spec;
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
  std::vector<SpecFile> all{{"target.points", spec.target.points},
                            {"query.points", spec.query.points},
                            {"query.geojson.file", spec.query.geojson ? spec.query.geojson->file : ""},
                            {"conditional.bags", spec.conditional.bags},
                            {"conditional.pairs", spec.conditional.pairs}};
  std::erase_if(all, [](const SpecFile& file) { return file.name.empty(); });
  return all;
}

}  // namespace iqbo
