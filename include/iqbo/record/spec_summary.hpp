// What a spec and its tables hold, in words for the person who wrote them, and what in them looks like a slip.
//
//   62 areas, 900 cells of which 3 in no area; population 1,204,331 in all; coordinates in km: ...
//
// A warning is not a mistake: the study can be made, and may be right.
#pragma once

#include <string>
#include <vector>

#include "iqbo/record/spec_bundle.hpp"

namespace iqbo {

struct SpecSummary {
  std::vector<std::string> lines;
  std::vector<std::string> warnings;
};

SpecSummary summary_of(const SpecData& data, const SpecBundle& bundle);

// A number as people write it, with thousands and at most four significant decimals: 1,204,331 or 12.25.
std::string grouped(double value);

// The first few names, and how many more there are.
std::string some_of(const std::vector<std::string>& names);

}  // namespace iqbo
