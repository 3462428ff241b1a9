// What a study will take, found out before it is made.
#pragma once

#include <string>

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

// Memory by the time of kExpectedAnswers answers, as the engines of room finite use it; docs/scaling.md has measurements.
struct MemoryNeed {
  double bytes = 0.0;
  std::string largest;  // what takes most of it: "501,264 targets for 4 sets of hyperparameters"
  std::string remedy;   // what would need less
};

inline constexpr Index kExpectedAnswers = 100;

MemoryNeed memory_need(const SpecData& data);

// Refuses listed targets that are off a lattice and too many for an answer within minutes, and a study that needs more than
// `free` bytes.
void require_workable_size(const SpecData& data, double free);

}  // namespace iqbo::internal
