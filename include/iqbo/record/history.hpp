// Everything a report of a study shows: what is believed now, what was believed before, and what was asked in between.
//
// Values are in the user's units and signs. A number that does not exist is NaN.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/record/snapshot.hpp"
#include "iqbo/record/study_status.hpp"
#include "iqbo/record/trial.hpp"

namespace iqbo {

// A belief along one axis or over two of them; the other coordinates stay at `at`, or were averaged over.
struct SliceRecord {
  std::vector<std::int64_t> axes;
  std::vector<double> at;
  std::vector<std::vector<double>> points;  // coordinates along `axes` only
  std::vector<double> mean;
  std::vector<double> sd;
};

struct SlicesRecord {
  std::vector<SliceRecord> slices;   // one per axis, then one per pair of axes
  std::vector<SliceRecord> effects;  // averages over the other axes, one per axis
};

// p(x given a) as it is drawn on a map.
struct FootprintRecord {
  enum class Kind { kEllipse, kBox, kMembers };
  Kind kind = Kind::kEllipse;
  std::vector<double> first;          // the centre, or the lower corner
  std::vector<double> second;         // one sd along each axis, or the upper corner
  std::vector<std::int64_t> members;  // positions in Snapshot::x
  std::vector<double> weights;        // of the members; they sum to one
};

// What was believed after `told` answers, imported ones included.
struct FrameRecord {
  std::int64_t told = 0;
  std::int64_t trial = 0;  // trials with a smaller number had been handed out
  std::optional<RecommendationRecord> best;
  std::vector<double> f_mean, f_sd;  // at the points of Snapshot::x
  std::vector<double> g_mean, g_sd;  // at those of Snapshot::a
};

struct LearnedModelRecord {
  std::string name;
  double score;   // on held-out pairs; smaller is better
  double weight;  // in the model that is used
};

struct LearningRecord {
  std::string summary;
  std::vector<LearnedModelRecord> models;
  std::optional<double> discrepancy;  // sd
};

// A trial and what a report adds to it.
struct PastTrial {
  Trial trial;
  double asked = 0;                       // when it was handed out, in seconds since 1970
  std::optional<double> told;             // when it was told or failed
  std::optional<double> expected;         // predicted mean of its answer, just before it came
  std::optional<double> expected_sd;      // predicted sd of its answer, noise included
  std::optional<std::int64_t> footprint;  // position in History::footprints
};

// An answer at a query that was imported, among the trials: before the one with number `before`.
struct PastImport {
  LoggedObservation logged;
  std::int64_t before = 0;
  std::optional<double> expected, expected_sd;  // as of a trial
  std::optional<std::int64_t> footprint;
};

// A rectangle along the axes of X, over which a query averages evenly.
struct TileRecord {
  std::vector<double> lower, upper;
};

// What joint draws of f at the points of Snapshot::x say (policy/chances.hpp).
struct ChanceRecord {
  std::int64_t draws = 0;
  double regret = 0, regret_error = 0;
  std::vector<std::int64_t> smallest;  // positions
  double smallest_probability = 0;
  std::vector<double> best;
  std::vector<double> above, above_g;  // at Snapshot::x and Snapshot::a; empty without a limit
  std::string stop;                    // why the study may stop now; "" if its rule is not met, or there is none
};

struct History {
  StudyStatus status;
  Snapshot now;
  SlicesRecord f, g;  // only where there are more than two dimensions
  std::vector<PastTrial> trials;
  std::vector<FootprintRecord> footprints;
  std::vector<LoggedObservation> imported;
  std::vector<PastImport> surveys;      // those of them that are answers at queries
  std::vector<TileRecord> tiles;        // of the queries of Snapshot::a, if all of them are rectangles; else empty
  bool noise_told = false;              // every answer came with its noise sd, or the spec has it: none was fitted
  std::optional<double> limit;          // a threshold of f that the spec names
  std::optional<ChanceRecord> chances;  // where X is listed, or shown by a grid
  std::vector<FrameRecord> frames;      // oldest first; the last is now
  std::vector<Hyperparameters> fits;    // oldest first
  std::optional<LearningRecord> learned;
  std::string geojson;  // the file, or ""
};

}  // namespace iqbo
