#include <cmath>
#include <map>
#include <set>

#include "iqbo/core/check.hpp"
#include "iqbo/core/lists.hpp"
#include "state.hpp"

namespace iqbo {

using namespace internal;

namespace {

// The noise sd of one answer; none: it is fitted.
std::optional<double> noise_sd(const StudyModel& model, const LoggedObservation& logged) {
  const auto& [point, name, answer] = logged.observation;
  if (answer.noise_sd) return answer.noise_sd;
  if (!logged.is_value) {
    const double own = model.setting().queries->noise_var(model.policy_query(rows_of({point})))[0];
    if (!std::isnan(own)) return std::sqrt(own);
  }
  return model.spec().noise_sd;
}

std::string name_of(const StudyModel& model, const LoggedObservation& logged) {
  const std::vector<double>& point = logged.observation.point;
  const Rows at = rows_of({point});
  std::string out = logged.is_value ? model.input_name(Inputs(at)) : model.query_name(model.policy_query(at));
  if (!out.empty()) return out;
  for (const double each : point) out += (out.empty() ? "" : ", ") + readable(each);
  return "(" + out + ")";
}

// Without noise, g(a) or f(x) has one value: if two differ, no belief can agree with both.
void add_contradictions(const StudyModel& model, const std::vector<LoggedObservation>& answers,
                        std::vector<std::string>& out) {
  using Point = std::pair<bool, std::vector<double>>;
  std::map<Point, double> first;
  std::set<Point> said;
  for (const LoggedObservation& each : answers) {
    if (noise_sd(model, each) != 0.0) continue;
    const Point point{each.is_value, each.observation.point};
    const double value = each.observation.answer.value;
    const auto [found, fresh] = first.emplace(point, value);
    if (fresh || found->second == value || !said.insert(point).second) continue;
    out.push_back(std::string(each.is_value ? "values of f at " : "answers at ") + name_of(model, each) + " differ (" +
                  readable(found->second) + " and " + readable(value) +
                  ") although their noise is 0: amend them with their noise sd");
  }
}

}  // namespace

std::vector<std::string> Study::State::warnings() {
  std::vector<std::string> out;
  for (const auto& [first, again] : ledger_.repeated_imports())
    out.push_back("events " + std::to_string(first) + " and " + std::to_string(again) +
                  " imported the same rows from " + ledger_.source(again) + ": they count twice");
  add_contradictions(model(), ledger_.answers(), out);
  return out;
}

}  // namespace iqbo
