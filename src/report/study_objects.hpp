// The objects of study_json.hpp before they become text, for use in other documents.
#pragma once

#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/record/study_status.hpp"
#include "json_numbers.hpp"

namespace iqbo::internal {

Json trial_object(const SpecData& names, const Trial& trial);
Json status_object(const SpecData& names, const StudyStatus& status);

}  // namespace iqbo::internal
