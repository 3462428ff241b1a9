#include "study_json.hpp"

#include "study_objects.hpp"

namespace iqbo::internal {
namespace {

Json query_object(const SpecData& names, const std::vector<double>& query) {
  const auto coordinates = coordinate_names(names.spec.queries, names.spec.targets);
  Json out = Json::object();
  for (std::size_t j = 0; j < query.size(); ++j) {
    const std::string* category = category_name(names.queries, j, query[j]);
    out[coordinates[j]] = category != nullptr ? Json(*category) : Json(query[j]);
  }
  return out;
}

}  // namespace

Json trial_object(const SpecData& names, const Trial& trial) {
  Json out = {{"number", trial.number},
              {"trial", trial.number},  // formerly the name of `number`
              {"state", to_string(trial.state)}};
  if (!trial.name.empty()) out["name"] = trial.name;
  out["query"] = query_object(names, trial.query);
  if (trial.level) out["level"] = *trial.level;
  out["cost"] = trial.cost;
  out["policy"] = trial.policy;
  out["why"] = trial.why;
  out["score"] = exact(trial.score);
  if (trial.answer) {
    out["value"] = trial.answer->value;
    if (trial.answer->noise_sd) out["noise_sd"] = *trial.answer->noise_sd;
    out["replicates"] = trial.answer->replicates;
    if (trial.answer->count) out["count"] = *trial.answer->count;
    if (trial.answer->exposure) out["exposure"] = *trial.answer->exposure;
  }
  if (!trial.reason.empty()) out["reason"] = trial.reason;
  out["worker"] = trial.worker;
  return out;
}

Json status_object(const SpecData& names, const StudyStatus& status) {
  return {{"told", status.told},        {"pending", status.pending},
          {"failed", status.failed},    {"imported", status.imported},
          {"values", status.values},    {"pairs", status.pairs},
          {"spent", status.spent},      {"budget", exact(names.spec.budget)},
          {"left", exact(status.left)}, {"last_event", status.last_event}};
}

std::string query_json(const SpecData& names, const std::vector<double>& query) {
  return written(query_object(names, query));
}

std::string trial_json(const SpecData& names, const Trial& trial) { return written(trial_object(names, trial)); }

std::string trials_json(const SpecData& names, const std::vector<Trial>& trials) {
  Json out = Json::array();
  for (const Trial& trial : trials) out.push_back(trial_object(names, trial));
  return written(out);
}

std::string status_json(const SpecData& names, const StudyStatus& status, const std::string& location,
                        const std::vector<Trial>& pending) {
  Json out = {{"study", location}, {"name", names.spec.name}};
  out.update(status_object(names, status));
  out["events"] = status.last_event;  // formerly the name of `last_event`
  Json trials = Json::array();
  for (const Trial& trial : pending) {
    trials.push_back(trial_object(names, trial));
    trials.back()["lease_until"] = trial.lease_until;
  }
  if (!pending.empty()) out["out"] = trials;  // formerly the name of `pending_trials`
  out["pending_trials"] = std::move(trials);
  return written(out);
}

}  // namespace iqbo::internal
