// Values that may be written in more than one form: a word, a number, a list, an object.
#include "iqbo/kernel/family.hpp"
#include "spec_fields.hpp"

#include <algorithm>
#include <map>

namespace iqbo {

using namespace internal;

namespace {

using fields::Json;
using fields::Limits;
using fields::Type;
using Numbers = std::vector<double>;

// A single number means a list of one.
struct NumberOrList {
  Numbers value;
};

// The name of a registered family.
struct FamilyName {
  std::string value = "rbf";
};

struct ChoicesForm {
  Numbers choices;
  double cost = 0;
};

struct AffineForm {
  std::vector<Numbers> slope;
  Numbers offset;
};

struct ColumnsForm {
  std::vector<std::string> columns;
};

struct KernelForm {
  FamilyName family;
  NumberOrList lengthscale;
  double variance = 1;
  double nugget = 0;
  std::map<std::string, NumberOrList> shape;
};

template <class V>
void describe(V& v, ChoicesForm& s) {
  v.required("choices", s.choices, "the exposures that may be chosen with a query",
             {.low = 0, .above = true, .least_size = 2});
  v.optional("cost", s.cost, "the cost of each unit of exposure, added to the cost of the query", {.low = 0});
}

template <class V>
void describe(V& v, AffineForm& s) {
  v.required("slope", s.slope, "one row per coordinate of x, one column per coordinate of a", {.least_size = 1});
  v.optional("offset", s.offset, "one number per coordinate of x (default: 0)");
}

template <class V>
void describe(V& v, ColumnsForm& s) {
  v.required("columns", s.columns, "columns of the query file", {.least_size = 1});
}

template <class V>
void describe(V& v, KernelForm& s) {
  v.tag("family", s.family, "the family of kernels: rbf is the smoothest, matern12 the roughest");
  v.required("lengthscale", s.lengthscale, "one for all coordinates of x, or a list with one each",
             {.low = 0, .above = true});
  v.required("variance", s.variance, "the variance of f", {.low = 0, .above = true});
  for (const ShapeParameter& each : family_of(s.family.value).shape)
    v.required(each.name.c_str(), s.shape[each.name], each.meaning.c_str(), {.low = 0, .above = true});
  v.optional("nugget", s.nugget, "the variance of a further, white part of f", {.low = 0});
}

Numbers number_or_list(const Json& json, const std::string& path, Limits limits) {
  if (!json.is_array()) return {Type<double>::read(json, path, limits)};
  limits.least_size = 1;
  return Type<Numbers>::read(json, path, limits);
}

Json number_or_list(const Numbers& value) {
  return value.size() == 1 ? Type<double>::write(value[0]) : Type<Numbers>::write(value);
}

// A centre cannot be a number, and a width cannot be the query itself.
bool is_width(const std::string& path) { return path.ends_with("width"); }

std::string map_expected(const std::string& path) {
  const std::string others = R"({"slope": ..., "offset": ...} or {"columns": [...]})";
  return (is_width(path) ? R"("resolution", a number (without quotes), a list, )" : R"("identity", )") + others;
}

Json number_or_list_schema(Limits limits) {
  Json out{{"oneOf", {Type<double>::schema(limits)}}};
  limits.least_size = 1;
  out["oneOf"].push_back(Type<Numbers>::schema(limits));
  return out;
}

}  // namespace

namespace fields {

template <>
struct Type<NumberOrList> {
  [[maybe_unused]] static constexpr bool kMayBeAbsent = false;
  static NumberOrList read(const Json& json, const std::string& path, const Limits& limits) {
    return {number_or_list(json, path, limits)};
  }
  static Json write(const NumberOrList& s) { return number_or_list(s.value); }
  static Json schema(const Limits& limits) { return number_or_list_schema(limits); }
};
template <>
struct Type<FamilyName> {
  static FamilyName read(const Json& json, const std::string& path, const Limits&) {
    const std::string text = json.is_string() ? json.get<std::string>() : std::string();
    const auto known = family_names();
    if (std::find(known.begin(), known.end(), text) == known.end())
      refuse(path, "is " + shown(json), expected_names(text, known));
    return {text};
  }
  static Json write(const FamilyName& s) { return s.value; }
};
template <>
struct Kinds<KernelForm> {
  static std::vector<KernelForm> starts() {
    std::vector<KernelForm> out;
    for (const std::string& name : family_names()) out.emplace_back().family.value = name;
    return out;
  }
};
template <>
struct Type<ChoicesForm> : StructureType<ChoicesForm> {};
template <>
struct Type<AffineForm> : StructureType<AffineForm> {};
template <>
struct Type<ColumnsForm> : StructureType<ColumnsForm> {};
template <>
struct Type<KernelForm> : StructureType<KernelForm> {};
struct PolicyForm : StructureType<PolicySpec> {};

template <>
PerQuerySpec FormType<PerQuerySpec>::read(const Json& json, const std::string& path, const Limits& limits) {
  if (json.is_string()) return {1, Type<std::string>::read(json, path, {.least_size = 1})};
  if (!json.is_number())
    refuse(path, "is " + shown(json),
           std::string("a number ") + (limits.above ? ">" : ">=") + " 0, or the name of a column in quotes");
  return {Type<double>::read(json, path, limits), ""};
}
template <>
Json FormType<PerQuerySpec>::write(const PerQuerySpec& s) {
  return s.column.empty() ? Type<double>::write(s.value) : Json(s.column);
}
template <>
Json FormType<PerQuerySpec>::schema(const Limits& limits) {
  return {{"oneOf", {Type<double>::schema(limits), Type<std::string>::schema({.least_size = 1})}}};
}

template <>
ExposureSpec FormType<ExposureSpec>::read(const Json& json, const std::string& path, const Limits& limits) {
  ExposureSpec out;
  if (json.is_string()) {
    out.column = Type<std::string>::read(json, path, {.least_size = 1});
  } else if (json.is_object()) {
    ChoicesForm form = Type<ChoicesForm>::read(json, path, {});
    out.choices = std::move(form.choices);
    out.cost = form.cost;
  } else if (json.is_number()) {
    out.value = Type<double>::read(json, path, limits);
  } else {
    refuse(path, "is " + shown(json),
           R"(a number > 0, the name of a column in quotes, or {"choices": [100, 500], "cost": 0.01})");
  }
  return out;
}
template <>
Json FormType<ExposureSpec>::write(const ExposureSpec& s) {
  if (!s.choices.empty()) return Type<ChoicesForm>::write({s.choices, s.cost});
  return s.column.empty() ? Type<double>::write(s.value) : Json(s.column);
}
template <>
Json FormType<ExposureSpec>::schema(const Limits& limits) {
  return {
      {"oneOf",
       {Type<double>::schema(limits), Type<std::string>::schema({.least_size = 1}), Type<ChoicesForm>::schema({})}}};
}

template <>
MapSpec FormType<MapSpec>::read(const Json& json, const std::string& path, const Limits&) {
  MapSpec out;
  if (json.is_string()) {
    if (json != "identity" && json != "resolution") refuse(path, "is " + shown(json), map_expected(path));
    out.kind = json == "identity" ? MapSpec::Kind::kIdentity : MapSpec::Kind::kResolution;
  } else if (json.is_object() && json.contains("columns")) {
    out.kind = MapSpec::Kind::kColumns;
    out.columns = Type<ColumnsForm>::read(json, path, {}).columns;
  } else if (json.is_object()) {
    AffineForm form = Type<AffineForm>::read(json, path, {});
    out.kind = MapSpec::Kind::kAffine;
    out.slope = std::move(form.slope);
    out.offset = form.offset.empty() ? Numbers(out.slope.size(), 0.0) : std::move(form.offset);
  } else if (json.is_number() || json.is_array()) {
    out.kind = MapSpec::Kind::kConstant;
    out.offset = number_or_list(json, path, {.low = 0});
  } else {
    refuse(path, "is " + shown(json), map_expected(path));
  }
  return out;
}
template <>
Json FormType<MapSpec>::write(const MapSpec& s) {
  switch (s.kind) {
    case MapSpec::Kind::kIdentity:
      return "identity";
    case MapSpec::Kind::kResolution:
      return "resolution";
    case MapSpec::Kind::kConstant:
      return number_or_list(s.offset);
    case MapSpec::Kind::kAffine:
      return Type<AffineForm>::write({s.slope, s.offset});
    case MapSpec::Kind::kColumns:
      return Type<ColumnsForm>::write({s.columns});
  }
  refuse("map", "unknown kind", "one of the five");
}
template <>
Json FormType<MapSpec>::schema(const Limits&) {
  Json out = number_or_list_schema({.low = 0});
  out["oneOf"].push_back({{"enum", {"identity", "resolution"}}});
  out["oneOf"].push_back(Type<AffineForm>::schema({}));
  out["oneOf"].push_back(Type<ColumnsForm>::schema({}));
  return out;
}

template <>
MeanSpec FormType<MeanSpec>::read(const Json& json, const std::string& path, const Limits&) {
  if (json == "auto") return {};
  if (json == "linear") return {MeanSpec::Kind::kLinear, 0};
  if (!json.is_number()) refuse(path, "is " + shown(json), R"("auto", "linear" or a number)");
  return {MeanSpec::Kind::kFixed, Type<double>::read(json, path, {})};
}
template <>
Json FormType<MeanSpec>::write(const MeanSpec& s) {
  if (s.kind == MeanSpec::Kind::kFixed) return Type<double>::write(s.value);
  return s.kind == MeanSpec::Kind::kAuto ? "auto" : "linear";
}
template <>
Json FormType<MeanSpec>::schema(const Limits&) {
  return {{"oneOf", {Json{{"enum", {"auto", "linear"}}}, Type<double>::schema({})}}};
}

template <>
KernelSpec FormType<KernelSpec>::read(const Json& json, const std::string& path, const Limits&) {
  KernelForm form = Type<KernelForm>::read(json, path, {});
  KernelSpec out{form.family.value, std::move(form.lengthscale.value), form.variance, form.nugget};
  for (auto& [name, numbers] : form.shape) out.shape[name] = std::move(numbers.value);
  return out;
}
template <>
Json FormType<KernelSpec>::write(const KernelSpec& s) {
  KernelForm form{{s.family}, {s.lengthscale}, s.variance, s.nugget, {}};
  for (const auto& [name, numbers] : s.shape) form.shape[name] = {numbers};
  return Type<KernelForm>::write(form);
}
template <>
Json FormType<KernelSpec>::schema(const Limits&) {
  return Type<KernelForm>::schema({});
}

template <>
PolicySpec FormType<PolicySpec>::read(const Json& json, const std::string& path, const Limits&) {
  if (!json.is_string()) return PolicyForm::read(json, path, {});
  PolicySpec out;
  out.name = Type<std::string>::read(json, path, {.least_size = 1});
  return out;
}
template <>
Json FormType<PolicySpec>::write(const PolicySpec& s) {
  PolicySpec plain;
  plain.name = s.name;
  return s == plain ? Json(s.name) : PolicyForm::write(s);
}
template <>
Json FormType<PolicySpec>::schema(const Limits&) {
  return {{"oneOf", {Type<std::string>::schema({.least_size = 1}), PolicyForm::schema({})}}};
}

}  // namespace fields
}  // namespace iqbo
