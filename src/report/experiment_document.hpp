// What the page of `iqbo paper` and `iqbo bench` shows, as one JSON document: web/src/document.ts says what is in it.
#pragma once

#include <string>

#include "colophon.hpp"
#include "iqbo/record/experiment_record.hpp"

namespace iqbo::internal {

std::string experiment_document(const ExperimentRecord& experiment, const Colophon& colophon);

}  // namespace iqbo::internal
