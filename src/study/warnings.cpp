#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "iqbo/core/check.hpp"
#include "iqbo/core/lists.hpp"
#include "state.hpp"

namespace iqbo {

using namespace internal;

namespace {

// The noise sd of one answer; none: it is fitted.
std::optional<double> noise_sd(const StudySetup& setup, const LoggedObservation& logged) {
  const auto& [point, name, answer] = logged.observation;
  if (answer.noise_sd) return answer.noise_sd;
  if (!logged.is_value) {
    const double own = setup.setting().queries->noise_var(setup.policy_query(rows_of({point})))[0];
    if (!std::isnan(own)) return std::sqrt(own);
  }
  return setup.spec().noise_sd;
}

std::string name_of(const StudySetup& setup, const LoggedObservation& logged) {
  const std::vector<double>& point = logged.observation.point;
  const Rows at = rows_of({point});
  std::string out = logged.is_value ? setup.input_name(Inputs(at)) : setup.query_name(setup.policy_query(at));
  if (!out.empty()) return out;
  for (const double each : point) out += (out.empty() ? "" : ", ") + readable(each);
  return "(" + out + ")";
}

// How to state the noise of answers that differ by `gap`: trials can be amended, imports cannot.
std::string remedy_for(const LoggedObservation& late, const LoggedObservation* early, double gap) {
  std::ostringstream sd;
  sd.precision(2);
  sd << gap;
  const LoggedObservation* one = late.trial ? &late : early != nullptr && early->trial ? early : nullptr;
  if (one != nullptr)
    return "State the noise: iqbo tell " + std::to_string(*one->trial) + " " + readable(one->observation.answer.value) +
           " --amend --sd " + sd.str();
  return "An import cannot be amended: make a new study of the same spec (iqbo export --what files --folder copy "
         "writes "
         "it) and import the table there with a larger noise_sd, such as " +
         sd.str();
}

// Without noise, g(a) or f(x) has one value: if two differ, no belief can agree with both.
void add_contradictions(const StudySetup& setup, const std::vector<LoggedObservation>& answers,
                        std::vector<std::string>& out) {
  using Point = std::pair<bool, std::vector<double>>;
  std::map<Point, const LoggedObservation*> first;
  std::set<Point> said;
  for (const LoggedObservation& each : answers) {
    if (noise_sd(setup, each) != 0.0) continue;
    const Point point{each.is_value, each.observation.point};
    const double value = each.observation.answer.value;
    const auto [found, fresh] = first.emplace(point, &each);
    const double before = found->second->observation.answer.value;
    if (fresh || before == value || !said.insert(point).second) continue;
    out.push_back(std::string(each.is_value ? "values of f at " : "answers at ") + name_of(setup, each) + " differ (" +
                  readable(before) + " and " + readable(value) + ") although their noise is 0. " +
                  remedy_for(each, found->second, std::abs(value - before)));
  }
}

}  // namespace

// What a contradiction means to the user: which trials, and how to mend it.
std::string Study::State::words_for(const Contradiction::Observed& it) {
  const StudySetup& current = setup();
  const auto is_it = [&](const LoggedObservation& each, double z) {
    if (each.is_value == it.averaged) return false;
    const Rows point = rows_of({each.observation.point});
    const Rows at = each.is_value ? point : Rows(current.policy_query(point).coordinates());
    return Vector(at.row(0)) == it.at &&
           current.policy_value(Vector::Constant(1, each.observation.answer.value))[0] == z;
  };
  const auto find = [&](double z) -> const LoggedObservation* {
    for (const LoggedObservation& each : ledger_.answers())
      if (is_it(each, z)) return &each;
    return nullptr;
  };
  const auto label = [&](const LoggedObservation& each) {
    const std::string who = each.trial ? "trial " + std::to_string(*each.trial) : "what was imported";
    return who + " (" + readable(each.observation.answer.value) + ")";
  };
  const auto digits = [](double value, int count = 2) {
    std::ostringstream out;
    out.precision(count);
    out << value;
    return out.str();
  };
  const LoggedObservation* late = find(it.z);
  const LoggedObservation* early = it.repeat ? find(it.expected) : nullptr;
  if (late == nullptr) return Contradiction(it).what();
  const double gap = std::abs(it.z - it.expected);
  std::string out = label(*late) + " contradicts ";
  if (early != nullptr)
    out += label(*early) + ": both measured " + name_of(current, *late);
  else
    out += "the others: from these the model predicts " + digits(current.user_value(it.expected), 6) + " at " +
           name_of(current, *late);
  out += ", the stated noise sd is at most " + digits(it.noise_sd) + ", and they differ by " + digits(gap) +
         ". Nothing is lost. " + remedy_for(*late, early, gap);
  if (current.setting().kernel == nullptr && !current.setting().noise_var) return out;  // so the noise was told
  return out + R"(; or use a spec with "kernel": "auto", "noise_sd": "auto")";
}

std::vector<std::string> Study::State::warnings() {
  std::vector<std::string> out;
  for (const auto& [first, again] : ledger_.repeated_imports())
    out.push_back("events " + std::to_string(first) + " and " + std::to_string(again) +
                  " imported the same rows from " + ledger_.source(again) + ": they count twice");
  add_contradictions(setup(), ledger_.answers(), out);
  return out;
}

}  // namespace iqbo
