// What the page of a study shows, as one JSON document: web/src/document.ts says what is in it.
//
// The recommendation, trials and other numbers that people may copy have all their digits; plots only visible ones.
// A number that does not exist (no answer yet, a score of minus infinity) is null. Text not in UTF-8 gets U+FFFD.
#pragma once

#include <string>

#include "colophon.hpp"
#include "iqbo/record/history.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

std::string study_document(const SpecData& data, const History& history, const Colophon& colophon);

}  // namespace iqbo::internal
