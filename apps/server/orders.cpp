#include "orders.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::server {

using namespace internal;

namespace {

using Json = nlohmann::json;

std::string shown(const Json& value) { return value.dump(-1, ' ', true, Json::error_handler_t::replace); }

// Refuses a key that is given twice: JSON leaves open which of them counts.
Json parsed(const std::string& body) {
  std::vector<std::set<std::string>> keys;  // of the objects around the current position
  const Json::parser_callback_t look = [&](int /*depth*/, Json::parse_event_t event, Json& found) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(found.get<std::string>()).second)
      refuse("body", in_quotes(found.get<std::string>()) + " is given twice", "it once");
    return true;
  };
  try {
    return Json::parse(body, look);
  } catch (const Json::parse_error& error) {
    refuse("body", "is not JSON from byte " + std::to_string(error.byte) + " on", "a JSON object");
  } catch (const Json::out_of_range&) {
    refuse("body", "has a number that is too large", "finite numbers");
  }
}

// A JSON object whose keys are read one by one.
class Fields {
 public:
  Fields(const std::string& body, std::vector<std::string> names) {
    json_ = body.empty() ? Json::object() : parsed(body);
    if (!json_.is_object()) refuse("body", std::string("is ") + json_.type_name(), "a JSON object");
    for (const auto& each : json_.items())
      if (std::find(names.begin(), names.end(), each.key()) == names.end())
        refuse("body", in_quotes(each.key()), expected_names(each.key(), names));
  }

  bool has(const char* name) const { return json_.contains(name); }

  void whole(const char* name, std::int64_t& out, std::int64_t least, std::int64_t most, bool needed = false) const {
    const Json* found = find(name, needed);
    if (found == nullptr) return;
    if (!found->is_number_integer() || found->get<double>() < static_cast<double>(least) ||
        found->get<double>() > static_cast<double>(most))
      refuse(name, shown(*found), "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    out = found->get<std::int64_t>();
  }

  std::optional<double> number(const char* name, bool needed = false) const {
    const Json* found = find(name, needed);
    if (found == nullptr) return std::nullopt;
    if (!found->is_number() || !std::isfinite(found->get<double>())) refuse(name, shown(*found), "a finite number");
    return found->get<double>();
  }

  void text(const char* name, std::string& out) const {
    constexpr std::size_t kMost = 1000;
    const Json* found = find(name, false);
    if (found == nullptr) return;
    if (!found->is_string() || found->get_ref<const std::string&>().size() > kMost)
      refuse(name,
             found->is_string() ? "has " + std::to_string(found->get_ref<const std::string&>().size()) + " bytes"
                                : "is " + shown(*found),
             "a text of at most 1000 bytes");
    out = found->get<std::string>();
  }

  void flag(const char* name, bool& out) const {
    const Json* found = find(name, false);
    if (found != nullptr && !found->is_boolean()) refuse(name, shown(*found), "true or false");
    if (found != nullptr) out = found->get<bool>();
  }

 private:
  const Json* find(const char* name, bool needed) const {
    const auto found = json_.find(name);
    if (found == json_.end() && needed) refuse("body", std::string("no ") + in_quotes(name), "that key");
    return found == json_.end() ? nullptr : &*found;
  }

  Json json_;
};

constexpr std::int64_t kMostTrials = std::int64_t{1} << 40;
constexpr std::int64_t kMostCount = (std::int64_t{1} << 53) - 1;

}  // namespace

AskOrder ask_order(const std::string& body) {
  AskOrder out;
  const Fields fields(body, {"count", "worker"});
  fields.whole("count", out.count, 1, 100);
  fields.text("worker", out.worker);
  return out;
}

TellOrder tell_order(const std::string& body) {
  TellOrder out;
  const Fields fields(body,
                      {"trial", "query", "value", "noise_sd", "replicates", "count", "exposure", "amend", "worker"});
  if (fields.has("query")) {
    if (fields.has("trial") || fields.has("amend"))
      refuse("body", "\"query\" and \"trial\" or \"amend\"", "one of them");
    fields.text("query", out.query);
    if (out.query.empty()) refuse("query", "empty", "the name of a query");
  } else {
    fields.whole("trial", out.trial, 0, kMostTrials, true);
  }
  if (fields.has("count")) {
    if (fields.has("value")) refuse("body", "\"value\" and \"count\"", "one of them");
    fields.whole("count", out.count.emplace(), 0, kMostCount);
    out.exposure = fields.number("exposure");
  } else {
    if (fields.has("exposure")) refuse("body", "no \"count\"", "it to be given together with \"exposure\"");
    out.value = *fields.number("value", true);
  }
  out.noise_sd = fields.number("noise_sd");
  fields.whole("replicates", out.replicates, 1, kMostTrials);
  fields.flag("amend", out.amend);
  fields.text("worker", out.worker);
  return out;
}

FailOrder fail_order(const std::string& body) {
  FailOrder out;
  const Fields fields(body, {"trial", "reason", "worker"});
  fields.whole("trial", out.trial, 0, kMostTrials, true);
  fields.text("reason", out.reason);
  fields.text("worker", out.worker);
  return out;
}

}  // namespace iqbo::server
