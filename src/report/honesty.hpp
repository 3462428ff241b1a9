// Are the intervals honest, and has the answer settled? What a report says about itself.
#pragma once

#include <span>

#include "iqbo/record/history.hpp"
#include "iqbo/record/spec.hpp"
#include "json_numbers.hpp"

namespace iqbo::internal {

// Each answer against what was believed just before it came: residual = (z - expected) / expected_sd.
Json checks_json(const std::vector<PastTrial>& trials);

// Since which answer the recommended point has stayed where it is, as far as `frames` tell. On a list it moves if it is
// another point; in a box, if it is further than kStill of an axis away.
constexpr double kStill = 0.02;
Json moving_json(const Spec& spec, std::span<const FrameRecord> frames);

}  // namespace iqbo::internal
