#include "fields.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace iqbo::fields {

using namespace internal;

namespace {

constexpr int kDeepest = 32;

// nlohmann silently keeps one of two equal keys, and accepts any depth of nesting. This refuses both.
class Strictness {
 public:
  explicit Strictness(std::string_view what) : what_(what) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest)
      refuse(what_, "nested deeper than " + std::to_string(kDeepest) + ", in " + path(1), "a flatter document");
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key) {
      Open& here = open_.back();
      here.key = parsed.get<std::string>();
      if (!here.keys.insert(here.key).second) refuse(what_, "key " + path(open_.size()) + " is given twice", "it once");
    }
    return true;
  }

 private:
  // An object that is being read.
  struct Open {
    std::set<std::string> keys = {};
    std::string key = {};  // the last of them
  };

  std::string path(std::size_t depth) const {
    std::string out;
    for (std::size_t i = 0; i < std::min(depth, open_.size()); ++i) out += (i > 0 ? "." : "") + open_[i].key;
    return shown(out);
  }

  std::string_view what_;
  std::vector<Open> open_;
};

// "number overflow parsing '1e400'" does not give the line; this adds it.
std::string with_place(const std::string& message, std::string_view text) {
  const std::size_t begin = message.find('\'');
  const std::size_t end = message.find('\'', begin + 1);
  if (begin == std::string::npos || end == std::string::npos) return message;
  const std::size_t at = text.find(message.substr(begin + 1, end - begin - 1));
  if (at == std::string_view::npos) return message;
  return message + " in line " +
         std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// Removes the leading brackets of "[json.exception.parse_error.101] parse error at line 3, column 5: ...".
std::string without_code(std::string text) {
  const std::size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

}  // namespace

std::string shown(const Json& json) {
  constexpr std::size_t kLongest = 60;
  std::string text = dump(json);
  if (text.size() <= kLongest) return text;
  text.resize(kLongest);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
  if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0) text.pop_back();
  return text + "...";
}

std::string number_expected(const Limits& l, bool whole) {
  std::string text = whole ? "a whole number" : "a number";
  if (l.low > -kInf && l.high < kInf && !l.above) return text + " from " + readable(l.low) + " to " + readable(l.high);
  if (l.low > -kInf) text += (l.above ? " > " : " >= ") + readable(l.low);
  if (l.high < kInf) text += (l.low > -kInf ? " and <= " : " <= ") + readable(l.high);
  return text;
}

void refuse_missing(const std::string& path, const std::string& key) {
  throw std::invalid_argument(path + ": missing key \"" + key + "\"");
}

Json parse_strict(std::string_view text, std::string_view what) {
  try {
    return Json::parse(text.begin(), text.end(), Strictness(what), true, true);
  } catch (const Json::out_of_range& error) {
    refuse(what, with_place(without_code(error.what()), text), "JSON with numbers up to 1.8e308");
  } catch (const Json::exception& error) {
    refuse(what, without_code(error.what()), "JSON (comments are allowed)");
  }
}

std::string dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

void refuse_unknown_keys(const Json& json, const std::string& path, const std::vector<std::string>& known) {
  for (const auto& item : json.items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      refuse(path.empty() ? "spec" : path, "unknown key " + shown(item.key()), expected_names(item.key(), known));
}

double Type<double>::read(const Json& json, const std::string& path, const Limits& limits) {
  if (limits.infinite && json.is_string()) {
    if (json == "inf") return kInf;
    if (json == "-inf") return -kInf;
  }
  if (!json.is_number()) refuse(path, "is " + shown(json), number_expected(limits, false));
  const double value = json.get<double>();
  const bool low = limits.above ? value > limits.low : value >= limits.low;
  if (!std::isfinite(value) || !low || !(value <= limits.high))
    refuse(path, "is " + shown(json), number_expected(limits, false));
  return value;
}

Json Type<double>::write(double value) {
  if (std::isnan(value)) refuse("record", "is nan", "a number");
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json Type<double>::schema(const Limits& limits) {
  Json out{{"type", "number"}};
  if (limits.low > -kInf) out[limits.above ? "exclusiveMinimum" : "minimum"] = limits.low;
  if (limits.high < kInf) out["maximum"] = limits.high;
  return out;
}

std::string Type<std::string>::read(const Json& json, const std::string& path, const Limits& limits) {
  if (!json.is_string()) refuse(path, "is " + shown(json), "a text in quotes");
  std::string text = json.get<std::string>();
  if (text.size() < limits.least_size) refuse(path, "is empty", "a text");
  if (text.find('\0') != std::string::npos) refuse(path, "has a zero byte", "a text without");
  return text;
}

Json Type<std::string>::schema(const Limits& limits) {
  Json out{{"type", "string"}};
  if (limits.least_size > 0) out["minLength"] = limits.least_size;
  return out;
}

}  // namespace iqbo::fields
