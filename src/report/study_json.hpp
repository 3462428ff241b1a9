// Trials and the state of a study as JSON: what commands print with --json and iqbo serve returns. The page's document
// (report/study_document.hpp) has the same keys. docs/json.md lists them; docs/serve.schema.json is their schema.
//
// `names` needs only the spec and the names of categories, as load_names() returns them.
#pragma once

#include <string>
#include <vector>

#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/record/study_status.hpp"

namespace iqbo::internal {

std::string query_json(const SpecData& names, const std::vector<double>& query);  // {"east": 2.5, "soil": "clay"}
std::string trial_json(const SpecData& names, const Trial& trial);
std::string trials_json(const SpecData& names, const std::vector<Trial>& trials);  // a list of them

// `location`: where the study is stored, to be shown. `pending`: the pending trials, with their leases.
std::string status_json(const SpecData& names, const StudyStatus& status, const std::string& location,
                        const std::vector<Trial>& pending);

}  // namespace iqbo::internal
