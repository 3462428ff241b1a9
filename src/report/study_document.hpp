// What the page of a study shows, as one JSON document: web/src/document.ts says what is in it.
//
// The answer, trials and whatever else somebody might copy have all their digits; pictures have those that can be seen.
// What does not exist (no answer yet, a score of minus infinity) is null. Text that is not UTF-8 is written with U+FFFD.
#pragma once

#include <string>

#include "colophon.hpp"
#include "iqbo/record/history.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

std::string study_document(const SpecData& data, const History& history, const Colophon& colophon);

}  // namespace iqbo::internal
