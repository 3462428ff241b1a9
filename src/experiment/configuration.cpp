#include <nlohmann/json.hpp>

#include "iqbo/experiment/experiment.hpp"

namespace iqbo {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(AskedAs asking) {
  if (asking == AskedAs::kList) return "list";
  return asking == AskedAs::kTree ? "tree" : "leaves";
}

void describe_assumed(const Entry& entry, Json& out) {
  out["queries"] = name_of(entry.asking);
  const auto& lengths = entry.assumed.lengthscales;
  if (!lengths)
    out["kernel"] = std::string(entry.assumed.rbf ? "RBF" : "RBF or Matern") + ", fitted, with mean and noise";
  else if (lengths->empty())
    out["kernel"] = "that of the problem; mean and noise known";
  else
    out["kernel"] = Json{{"rbf", *lengths}, {"variance", "that of f"}, {"mean_and_noise", "known"}};
  if (!entry.assumed.query_lengthscales.empty()) out["query_kernel"] = Json{{"rbf", entry.assumed.query_lengthscales}};
  // What has its default value is left out, so that runs of earlier versions can be continued.
  if (entry.assumed.plain_evidence && !lengths) out["fit"] = "by evidence alone, without a nugget, after every answer";
  if (entry.assumed.learned) {
    out["conditional"] = Json{{"learned", to_string(*entry.assumed.learned)}, {"pairs", entry.assumed.pairs}};
    if (entry.assumed.printed_cme) out["conditional"]["embedding"] = "as printed";
    if (!entry.assumed.discrepancy) out["conditional"]["discrepancy"] = "none";
  } else
    out["conditional"] = "known";
  out["initial"] = entry.initial;
  out["samples"] = entry.samples;
  if (entry.printed_tree) out["tree"] = "as printed";
  if (entry.noise_by_level) out["noise"] = "by level";
}

Json describe(const Entry& entry) {
  Json out{{"problem", entry.problem}, {"policy", entry.policy}};
  if (!entry.details.empty()) out["details"] = entry.details;
  out["kind"] = entry.schedule ? "scheduled-ucb" : to_string(entry.kind);
  if (entry.schedule) out["schedule"] = *entry.schedule;
  if (!entry.world) describe_assumed(entry, out);
  if (entry.budget)
    out["budget"] = *entry.budget;
  else
    out["steps"] = entry.steps;
  return out;
}

}  // namespace

std::string configuration(const Experiment& experiment) {
  Json entries = Json::array();
  for (const Entry& entry : experiment.entries) entries.push_back(describe(entry));
  const Json out{{"format", 1},
                 {"name", experiment.name},
                 {"first_seed", experiment.first_seed},
                 {"seeds", experiment.seeds},
                 {"entries", entries}};
  return out.dump(1) + "\n";
}

}  // namespace iqbo
