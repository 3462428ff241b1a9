// What a report says about itself: whether the intervals are honest, and whether the recommendation has settled.
#pragma once

#include <span>

#include "iqbo/record/history.hpp"
#include "iqbo/record/spec.hpp"
#include "json_numbers.hpp"

namespace iqbo::internal {

// Compares each answer, imported or not, with its prediction just before it came: residual = (z - expected) / expected_sd, in the
// order of the document's trials. Whether the present model is too sure is said in the words of the recommendation's notes.
Json checks_json(const History& history);

// Since which answer the recommendation has stayed the same, as far as `frames` tell. On a list it moves if it becomes
// another point; in a box, if it is further away than kStill of an axis. A single frame does not tell.
constexpr double kStill = 0.02;
Json moving_json(const Spec& spec, std::span<const FrameRecord> frames);

}  // namespace iqbo::internal
