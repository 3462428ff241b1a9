#include <cmath>
#include <map>
#include <set>

#include "iqbo/core/check.hpp"
#include "rows.hpp"
#include "state.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Of one answer; none: it is fitted.
std::optional<double> noise_sd(const StudyModel& model, const Ledger::Answer& answer) {
  if (answer.outcome.noise_sd) return answer.outcome.noise_sd;
  const auto* tree = std::get_if<QueryTree>(&model.setting().a);
  if (tree != nullptr && !answer.is_value)
    if (const auto node = tree->find(model.policy_query(rows_of({answer.point})).row(0)))
      if (const auto var = tree->noise_var(*node)) return std::sqrt(*var);
  return model.spec().noise_sd;
}

std::string name_of(const StudyModel& model, const Ledger::Answer& answer) {
  const Rows at = rows_of({answer.point});
  std::string out = answer.is_value ? model.input_name(Inputs(at)) : model.query_name(model.policy_query(at));
  if (!out.empty()) return out;
  for (const double each : answer.point) out += (out.empty() ? "" : ", ") + readable(each);
  return "(" + out + ")";
}

// No function has two values at one place: whatever is believed there is not what was measured.
void add_contradictions(const StudyModel& model, const std::vector<Ledger::Answer>& answers,
                        std::vector<std::string>& out) {
  using Place = std::pair<bool, std::vector<double>>;
  std::map<Place, double> first;
  std::set<Place> said;
  for (const Ledger::Answer& answer : answers) {
    if (noise_sd(model, answer) != 0.0) continue;
    const Place place{answer.is_value, answer.point};
    const auto [found, fresh] = first.emplace(place, answer.outcome.value);
    if (fresh || found->second == answer.outcome.value || !said.insert(place).second) continue;
    out.push_back(std::string(answer.is_value ? "values of f at " : "answers at ") + name_of(model, answer) +
                  " differ (" + readable(found->second) + " and " + readable(answer.outcome.value) +
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
