// What was learned from pairs, and its conversion to and from plain numbers.
#pragma once

#include <vector>

#include "held_out.hpp"
#include "models.hpp"

namespace iqbo {

struct LearnedChoice {
  std::vector<LearnedKind> kinds;
  Vector weight;  // of each kind
  ModelSettings settings;
  LearnedReport report;
  bool cells = false;        // trained on cells of all pairs (large_log.hpp) ...
  PointsModel trained = {};  // ... which gave this
  std::shared_ptr<const internal::QueryEncoding> encoding = {};
};

// Scores, best first, and a note if nothing was learned. any_column: queries differ in at least one.
LearnedReport report_on(const LearnedChoice& choice, const HeldOut& held_out, LearnedKind model, bool any_column);

LearnedNumbers to_numbers(const LearnedChoice& choice, double print);

// Refuses numbers that have another fingerprint or are incomplete.
LearnedChoice from_numbers(const LearnedNumbers& numbers, const LoggedPairs& pairs, double print);

// The same for what was trained on cells of all `pairs`, and whether it was.
LearnedChoice from_cell_numbers(const LearnedNumbers& numbers, Index groups, Index pairs, double print);
bool of_cells(const LearnedNumbers& numbers);

}  // namespace iqbo
