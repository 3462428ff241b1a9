// What was learned from pairs, and its conversion to and from plain numbers.
#pragma once

#include <vector>

#include "models.hpp"

namespace iqbo {

struct LearnedChoice {
  std::vector<LearnedKind> kinds;
  Vector weight;  // of each kind
  ModelSettings settings;
  LearnedReport report;
};

LearnedNumbers to_numbers(const LearnedChoice& choice, double print);

// Refuses numbers that have another fingerprint or are incomplete.
LearnedChoice from_numbers(const LearnedNumbers& numbers, const LoggedPairs& pairs, double print);

}  // namespace iqbo
