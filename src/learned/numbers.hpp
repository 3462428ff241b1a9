// What was learned from pairs, and the same as plain numbers.
#pragma once

#include <vector>

#include "models.hpp"

namespace iqbo {

struct LearnedChoice {
  std::vector<LearnedKind> kinds;
  Vector weight;  // of each
  ModelSettings settings;
  LearnedReport report;
};

LearnedNumbers to_numbers(const LearnedChoice& choice, double print);

// Refuses numbers with another fingerprint, or that lack something.
LearnedChoice from_numbers(const LearnedNumbers& numbers, const LoggedPairs& pairs, double print);

}  // namespace iqbo
