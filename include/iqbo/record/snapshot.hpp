// What is believed at one moment, for people and plots: f on X, g on A, the scores of queries, the cells of the tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/record/trial.hpp"

namespace iqbo {

struct BeliefRecord {
  std::vector<std::vector<double>> points;
  std::vector<std::string> names;  // of the points; empty if they have none
  std::vector<double> mean;
  std::vector<double> sd;
  std::vector<std::int64_t> grid = {};  // lengths along the axes, the last varying fastest, if the points form a grid
  bool operator==(const BeliefRecord&) const = default;
};

struct CellRecord {
  std::int64_t level = 0;
  std::vector<double> lower;
  std::vector<double> upper;
  std::int64_t asked = 0;  // how many times
  bool candidate = false;  // may be asked next
  std::optional<double> mean = {};
  std::optional<double> sd = {};
  bool operator==(const CellRecord&) const = default;
};

struct RecommendationRecord {
  std::vector<double> x;
  std::string name;
  double mean = 0;
  double sd = 0;
  double low = 0;  // 95 % interval
  double high = 0;
  double probability = 0;
  double tolerance = 0;
  std::vector<std::string> notes;
  std::optional<double> probability_error = {};  // its standard error; older records have none
  std::optional<double> widened = {};            // how many times as wide as the model's own the interval is; none: 1
  // Where rare spots are searched for: the probability that a better one is unseen; 95 % interval of the optimum.
  std::optional<double> unseen = {};
  std::optional<double> optimum_low = {}, optimum_high = {};
  bool operator==(const RecommendationRecord&) const = default;
};

struct Snapshot {
  std::int64_t seq = 0;  // the last event it includes
  std::int64_t observations = 0;
  BeliefRecord x;                    // of f
  BeliefRecord a;                    // of g
  std::vector<double> scores;        // of the queries of `a`, by `policy`; -inf: worth nothing, or not a candidate now
  bool logarithms = false;           // scores are logarithms
  std::optional<std::int64_t> next;  // the row of `a` that would be asked next, or the one nearest to that query
  std::vector<double> next_query;    // that query exactly; empty: nothing is left to ask
  std::vector<std::string> why;      // why that query was chosen
  std::string policy;
  std::vector<CellRecord> cells;
  std::optional<Hyperparameters> fit;
  std::optional<RecommendationRecord> best;
  std::vector<std::string> notes;
  bool operator==(const Snapshot&) const = default;
};

}  // namespace iqbo
