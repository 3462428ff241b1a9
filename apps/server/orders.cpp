#include "orders.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::server {

using namespace internal;

namespace {

using Json = nlohmann::json;

// A JSON object whose keys are read one by one.
class Fields {
 public:
  Fields(const std::string& body, std::vector<std::string> names) {
    json_ = body.empty() ? Json::object() : Json::parse(body, nullptr, false);
    if (!json_.is_object()) refuse("body", "something else", "a JSON object");
    for (const auto& each : json_.items())
      if (std::find(names.begin(), names.end(), each.key()) == names.end())
        refuse("body", in_quotes(each.key()), expected_names(each.key(), names));
  }

  void whole(const char* name, std::int64_t& out, std::int64_t least, std::int64_t most, bool needed = false) const {
    const Json* found = find(name, needed);
    if (found == nullptr) return;
    if (!found->is_number_integer() || found->get<double>() < static_cast<double>(least) ||
        found->get<double>() > static_cast<double>(most))
      refuse(name, found->dump(), "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    out = found->get<std::int64_t>();
  }

  std::optional<double> number(const char* name, bool needed = false) const {
    const Json* found = find(name, needed);
    if (found == nullptr) return std::nullopt;
    if (!found->is_number() || !std::isfinite(found->get<double>())) refuse(name, found->dump(), "a finite number");
    return found->get<double>();
  }

  void text(const char* name, std::string& out) const {
    constexpr std::size_t kMost = 1000;
    const Json* found = find(name, false);
    if (found == nullptr) return;
    if (!found->is_string() || found->get_ref<const std::string&>().size() > kMost)
      refuse(name, found->is_string() ? "longer" : "something else", "a text of at most 1000 bytes");
    out = found->get<std::string>();
  }

  void flag(const char* name, bool& out) const {
    const Json* found = find(name, false);
    if (found != nullptr && !found->is_boolean()) refuse(name, found->dump(), "true or false");
    if (found != nullptr) out = found->get<bool>();
  }

 private:
  const Json* find(const char* name, bool needed) const {
    const auto found = json_.find(name);
    if (found == json_.end() && needed) refuse("body", std::string("no ") + in_quotes(name), "it to be given");
    return found == json_.end() ? nullptr : &*found;
  }

  Json json_;
};

constexpr std::int64_t kMostTrials = std::int64_t{1} << 40;

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
  const Fields fields(body, {"trial", "value", "noise_sd", "replicates", "amend", "worker"});
  fields.whole("trial", out.trial, 0, kMostTrials, true);
  out.value = *fields.number("value", true);
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
