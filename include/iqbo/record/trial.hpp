// One query that was handed out, and what became of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/core/hyperparameters.hpp"

namespace iqbo {

// What came back for a query; or a value of f, measured at an input.
struct Answer {
  double value = 0;
  std::optional<double> noise_sd = {};  // of the value, which is a mean of all replicates
  std::int64_t replicates = 1;
  // Where answers are counts (Spec::answers): `count` events among `exposure`. The value is then their rate, which a study
  // computes itself.
  std::optional<std::int64_t> count = {};
  std::optional<double> exposure = {};
  bool operator==(const Answer&) const = default;
};

// An answer and where it was measured.
struct Observation {
  std::vector<double> point;  // a, or x
  std::string name;           // of the region or point, if it has one
  Answer answer = {};
  bool operator==(const Observation&) const = default;
};

// An observation as it stands in the log of a study.
struct LoggedObservation {
  bool is_value = false;  // of f at an input; else an answer at a query
  Observation observation;
  std::optional<std::int64_t> trial = {};  // none: it was imported
};

// p(x given a) as it was learned from pairs, as named numbers that the learner can read back.
struct NamedNumbers {
  std::string name;
  std::vector<double> values;
  bool operator==(const NamedNumbers&) const = default;
};
struct LearnedRecord {
  std::vector<NamedNumbers> values;
  std::vector<std::string> notes;
  bool operator==(const LearnedRecord&) const = default;
};

enum class TrialState { kPending, kTold, kFailed };
const std::string& to_string(TrialState state);  // "pending", "told", "failed"

struct Trial {
  std::int64_t number = 0;  // from 0, in the order of asking
  std::vector<double> query;
  std::string name;  // of the query, if it has one
  std::optional<std::int64_t> level;
  double cost = 1;

  std::string policy;  // the policy that chose it
  std::vector<std::string> why;
  std::optional<double> score;
  std::optional<Hyperparameters> fit;        // the fit that was used, in the user's units
  std::optional<Hyperparameters> plain_fit;  // the fit of the plain GP on (a, z), where the policy uses one
  std::int64_t seen = 0;                     // the last event known when it was chosen; 0: none

  TrialState state = TrialState::kPending;
  std::optional<Answer> answer;  // if told
  std::string reason;            // if failed

  std::string worker;         // the worker that holds it, or finished it
  double lease_until = 0;     // seconds since 1970; only while pending
  std::int64_t handouts = 1;  // how many times it was handed out, to one worker after the other
  bool operator==(const Trial&) const = default;
};

}  // namespace iqbo
