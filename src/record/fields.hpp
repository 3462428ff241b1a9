// One table of fields per structure, with three uses: reading JSON, writing it, describing it as a JSON Schema.
//
//   template <class V> void describe(V& v, AxisSpec& s) {
//     v.required("name", s.name, "what the coordinate is called");
//     v.optional("grid", s.grid, "how many values", {.low = 2});
//   }
//
// Visitors: Reader, Writer, Schema and Keys. Type<T> says how T is read, written and described; paths are for messages.
// v.auto_or(): a std::optional, "auto" if absent. A structure with kinds starts with v.tag("kind", s.kind, ...).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::fields {

using Json = nlohmann::ordered_json;

constexpr double kInf = std::numeric_limits<double>::infinity();

// What a value must satisfy; for a list, each of its numbers.
struct Limits {
  double low = -kInf;
  bool above = false;          // > low instead of >= low
  double high = kInf;          // <= high
  bool infinite = false;       // doubles may be infinite, written "inf" and "-inf" (JSON has no word for it)
  std::size_t least_size = 0;  // of a list or a text
  bool empty_texts = false;    // texts and rows within a list may be empty
};

std::string shown(const Json& json);                       // a value as a message shows it, cut if long
std::string number_expected(const Limits& l, bool whole);  // "a number > 0"
[[noreturn]] void refuse_missing(const std::string& path, const std::string& key);  // path: missing key "key"
Json parse_strict(std::string_view text, std::string_view what);  // comments allowed; no key twice, no deep nesting
std::string dump(const Json& json, int indent = -1);

inline std::string at_key(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}
inline std::string at_index(const std::string& path, std::size_t i) { return path + "[" + std::to_string(i) + "]"; }

template <class E>
struct EnumNames;  // static const std::vector<std::string>& names(): in the order of the values from 0

template <class T, class = void>
struct Type;

class Keys {
 public:
  template <class T>
  void required(const char* key, T&, const char*, const Limits& = {}) {
    names.emplace_back(key);
  }
  template <class T>
  void optional(const char* key, T&, const char*, const Limits& = {}) {
    names.emplace_back(key);
  }
  template <class T>
  void auto_or(const char* key, T&, const char*, const Limits& = {}) {
    names.emplace_back(key);
  }
  template <class E>
  void tag(const char* key, E&, const char*) {
    names.emplace_back(key);
  }
  std::vector<std::string> names;
};

class Reader {
 public:
  Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  template <class T>
  void required(const char* key, T& value, const char*, const Limits& limits = {}) {
    const auto found = json_.find(key);
    if (found == json_.end()) refuse_missing(path_.empty() ? "spec" : path_, key);
    value = Type<T>::read(*found, at_key(path_, key), limits);
  }
  template <class T>
  void optional(const char* key, T& value, const char*, const Limits& limits = {}) {
    const auto found = json_.find(key);
    if (found != json_.end()) value = Type<T>::read(*found, at_key(path_, key), limits);
  }
  template <class T>
  void auto_or(const char* key, std::optional<T>& value, const char* doc, const Limits& limits = {}) {
    const auto found = json_.find(key);
    if (found != json_.end() && *found == "auto") return value.reset();
    if (found != json_.end() && found->is_string())
      refuse(at_key(path_, key), "is " + shown(*found),
             std::is_arithmetic_v<T> ? "\"auto\" or a number" : "\"auto\" or an object {...}");
    optional(key, value, doc, limits);
  }
  template <class E>
  void tag(const char* key, E& value, const char* doc) {
    required(key, value, doc);
  }

 private:
  const Json& json_;
  std::string path_;
};

class Writer {
 public:
  template <class T>
  void required(const char* key, const T& value, const char*, const Limits& = {}) {
    json[key] = Type<T>::write(value);
  }
  template <class T>
  void optional(const char* key, const T& value, const char*, const Limits& = {}) {
    if constexpr (Type<T>::kMayBeAbsent)
      if (Type<T>::absent(value)) return;
    json[key] = Type<T>::write(value);
  }
  template <class T>
  void auto_or(const char* key, const std::optional<T>& value, const char*, const Limits& = {}) {
    json[key] = value ? Type<T>::write(*value) : Json("auto");
  }
  template <class E>
  void tag(const char* key, const E& value, const char*) {
    json[key] = Type<E>::write(value);
  }
  Json json = Json::object();
};

class Schema {
 public:
  Schema() {
    json["type"] = "object";
    json["properties"] = Json::object();
    json["required"] = Json::array();
    json["additionalProperties"] = false;
  }
  template <class T>
  void required(const char* key, T&, const char* doc, const Limits& limits = {}) {
    add(key, Type<T>::schema(limits), doc);
    json["required"].push_back(key);
  }
  template <class T>
  void optional(const char* key, T& value, const char* doc, const Limits& limits = {}) {
    Json& field = add(key, Type<T>::schema(limits), doc);
    if (!Type<T>::kMayBeAbsent && !field.contains("properties")) field["default"] = Type<T>::write(value);
  }
  template <class T>
  void auto_or(const char* key, std::optional<T>&, const char* doc, const Limits& limits = {}) {
    Json& field = add(key, Json{{"oneOf", {Json{{"const", "auto"}}, Type<T>::schema(limits)}}}, doc);
    field["default"] = "auto";
  }
  template <class E>
  void tag(const char* key, E& value, const char* doc) {
    add(key, Json{{"const", Type<E>::write(value)}}, doc);
    json["required"].push_back(key);
  }
  Json json = Json::object();

 private:
  Json& add(const char* key, Json type, const char* doc) {
    type["description"] = doc;
    return json["properties"][key] = std::move(type);
  }
};

// --- numbers, texts, lists --------------------------------------------------------------------------------------------

template <>
struct Type<double> {
  static constexpr bool kMayBeAbsent = false;
  static double read(const Json& json, const std::string& path, const Limits& limits);
  static Json write(double value);
  static Json schema(const Limits& limits);
};

template <class T>
struct Type<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static constexpr bool kMayBeAbsent = false;
  static constexpr double kExact = 9007199254740991.0;  // 2^53 - 1: doubles represent all whole numbers up to here

  static T read(const Json& json, const std::string& path, const Limits& limits) {
    const std::optional<T> value = whole(json);
    if (!value || !(static_cast<double>(*value) >= limits.low) || !(static_cast<double>(*value) <= limits.high))
      refuse(path, "is " + shown(json), number_expected(limits, true));
    return *value;
  }
  static Json write(T value) { return value; }
  static Json schema(const Limits& limits) {
    Json out{{"type", "integer"}};
    if (limits.low > -kInf || !std::is_signed_v<T>)
      out["minimum"] = static_cast<std::int64_t>(std::max(limits.low, 0.0));
    if (limits.high < kInf) out["maximum"] = static_cast<std::int64_t>(limits.high);
    return out;
  }

 private:
  static std::optional<T> whole(const Json& json) {
    if (json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>())) return json.get<T>();
    if (json.is_number_integer() && !json.is_number_unsigned() && std::in_range<T>(json.get<std::int64_t>()))
      return json.get<T>();
    if (!json.is_number_float()) return {};
    const double value = json.get<double>();  // 3.0 is a whole number too
    if (std::trunc(value) != value || std::abs(value) > kExact || (!std::is_signed_v<T> && value < 0)) return {};
    return static_cast<T>(value);
  }
};

template <>
struct Type<bool> {
  static constexpr bool kMayBeAbsent = false;
  static bool read(const Json& json, const std::string& path, const Limits&) {
    if (!json.is_boolean()) refuse(path, "is " + shown(json), "true or false");
    return json.get<bool>();
  }
  static Json write(bool value) { return value; }
  static Json schema(const Limits&) { return {{"type", "boolean"}}; }
};

template <>
struct Type<std::string> {
  static constexpr bool kMayBeAbsent = true;  // an empty text is left out
  static bool absent(const std::string& value) { return value.empty(); }
  static std::string read(const Json& json, const std::string& path, const Limits& limits);
  static Json write(const std::string& value) { return value; }
  static Json schema(const Limits& limits);
};

template <class E>
struct Type<E, std::enable_if_t<std::is_enum_v<E>>> {
  static constexpr bool kMayBeAbsent = false;
  static const std::vector<std::string>& names() { return EnumNames<E>::names(); }

  static E read(const Json& json, const std::string& path, const Limits&) {
    const std::string text = json.is_string() ? json.get<std::string>() : std::string();
    for (std::size_t i = 0; i < names().size(); ++i)
      if (names()[i] == text) return static_cast<E>(i);
    refuse(path, "is " + shown(json), internal::expected_names(text, names()));
  }
  static Json write(E value) { return names().at(static_cast<std::size_t>(value)); }
  static Json schema(const Limits&) { return {{"enum", names()}}; }
};

template <class T>
struct Type<std::vector<T>> {
  static constexpr bool kMayBeAbsent = true;  // an empty list is left out
  static bool absent(const std::vector<T>& value) { return value.empty(); }

  static std::vector<T> read(const Json& json, const std::string& path, const Limits& limits) {
    if (!json.is_array()) refuse(path, "is " + shown(json), "a list");
    if (json.size() < limits.least_size)
      refuse(path, "has " + std::to_string(json.size()) + " entries", "at least " + std::to_string(limits.least_size));
    std::vector<T> out;
    out.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i)
      out.push_back(Type<T>::read(json[i], at_index(path, i), inner(limits)));
    return out;
  }
  static Json write(const std::vector<T>& value) {
    Json out = Json::array();
    for (const T& each : value) out.push_back(Type<T>::write(each));
    return out;
  }
  static Json schema(const Limits& limits) {
    Json out{{"type", "array"}, {"items", Type<T>::schema(inner(limits))}};
    if (limits.least_size > 0) out["minItems"] = limits.least_size;
    return out;
  }

 private:
  static Limits inner(Limits limits) {
    limits.least_size = limits.empty_texts ? 0 : 1;
    return limits;
  }
};

// std::optional of a record: absent when there is none.
template <class T>
struct Type<std::optional<T>> {
  static constexpr bool kMayBeAbsent = true;
  static bool absent(const std::optional<T>& value) { return !value; }
  static std::optional<T> read(const Json& json, const std::string& path, const Limits& limits) {
    return Type<T>::read(json, path, limits);
  }
  static Json write(const std::optional<T>& value) { return Type<T>::write(*value); }
  static Json schema(const Limits& limits) { return Type<T>::schema(limits); }
};

// --- structures -------------------------------------------------------------------------------------------------------

// For kinds with fields of their own, one default value per kind: static std::vector<S> kinds().
template <class S, class = void>
struct Kinds {
  static std::vector<S> starts() { return {S{}}; }
};

template <class S>
Json structure_schema() {
  Json alternatives = Json::array();
  for (S start : Kinds<S>::starts()) {
    Schema schema;
    describe(schema, start);
    alternatives.push_back(std::move(schema.json));
  }
  return alternatives.size() == 1 ? alternatives[0] : Json{{"oneOf", alternatives}};
}

// Reads the tag first, if there is one: it decides which keys are known.
class TagReader {
 public:
  TagReader(const Json& json, const std::string& path) : json_(json), path_(path) {}
  template <class T>
  void required(const char*, T&, const char*, const Limits& = {}) {}
  template <class T>
  void optional(const char*, T&, const char*, const Limits& = {}) {}
  template <class T>
  void auto_or(const char*, T&, const char*, const Limits& = {}) {}
  template <class E>
  void tag(const char* key, E& value, const char* doc) {
    Reader(json_, path_).tag(key, value, doc);
  }

 private:
  const Json& json_;
  const std::string& path_;
};

void refuse_unknown_keys(const Json& json, const std::string& path, const std::vector<std::string>& known);

template <class S>
struct StructureType {
  static constexpr bool kMayBeAbsent = false;
  static S read(const Json& json, const std::string& path, const Limits&) {
    if (!json.is_object()) refuse(path.empty() ? "spec" : path, "is " + shown(json), "an object {...}");
    S out{};
    TagReader tag(json, path);
    describe(tag, out);
    Keys keys;
    describe(keys, out);
    refuse_unknown_keys(json, path, keys.names);
    Reader reader(json, path);
    describe(reader, out);
    return out;
  }
  static Json write(const S& value) {
    Writer writer;
    S copy = value;  // describe() takes a mutable reference, because readers use it too
    describe(writer, copy);
    return std::move(writer.json);
  }
  static Json schema(const Limits&) { return structure_schema<S>(); }
};

}  // namespace iqbo::fields
