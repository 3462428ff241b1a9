// The append-only log of a study. Everything that happened is an event; the state of a study is a fold over all events,
// and what ask() chooses depends only on them and the spec. Only leases are not in the log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "iqbo/record/trial.hpp"

namespace iqbo {

struct Asked {  // a trial was handed out; its state is pending
  Trial trial;
  bool operator==(const Asked&) const = default;
};
struct Taken {  // its lease had run out, or its own worker came back for it
  std::int64_t trial = 0;
  std::string worker;
  std::string from;  // the worker that had it
  bool operator==(const Taken&) const = default;
};
struct Told {
  std::int64_t trial = 0;
  Answer answer;
  std::string worker;
  bool operator==(const Told&) const = default;
};
struct Amended {  // an answer replaced another, or a failure
  std::int64_t trial = 0;
  std::optional<Answer> before;
  Answer after;
  std::string worker;
  bool operator==(const Amended&) const = default;
};
struct Failed {
  std::int64_t trial = 0;
  std::string reason;
  std::string worker;
  bool operator==(const Failed&) const = default;
};
struct ImportedObservations {  // answers z at queries a
  std::vector<Observation> observations;
  std::string source;
  bool operator==(const ImportedObservations&) const = default;
};
struct ImportedValues {  // values of f at inputs x
  std::vector<Observation> values;
  std::string source;
  bool operator==(const ImportedValues&) const = default;
};
struct ImportedPairs {  // logged (x, a), row by row
  std::vector<std::vector<double>> x;
  std::vector<std::vector<double>> a;
  std::string source;
  std::optional<LearnedRecord> learned = {};  // from these and all pairs before them
  bool operator==(const ImportedPairs&) const = default;
};
struct Refit {          // of f, or of p(x given a) learned from the pairs of the spec
  Hyperparameters fit;  // none if there are no observations
  std::optional<LearnedRecord> learned = {};
  bool operator==(const Refit&) const = default;
};

// The order is the order of event_kinds().
using EventBody =
    std::variant<Asked, Taken, Told, Amended, Failed, ImportedObservations, ImportedValues, ImportedPairs, Refit>;

struct Event {
  std::int64_t seq = 0;  // 1, 2, ... without gaps
  double time = 0;       // seconds since 1970, for people only
  EventBody body;
  bool operator==(const Event&) const = default;
};

// "asked", "taken", "told", "amended", "failed", "observations", "values", "pairs", "refit".
const std::vector<std::string>& event_kinds();
const std::string& event_kind(const EventBody& body);

// The body alone, as storage keeps it beside its kind.
std::string body_to_json(const EventBody& body);
EventBody body_from_json(std::string_view kind, std::string_view text);

}  // namespace iqbo
