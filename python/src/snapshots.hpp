// A snapshot whose beliefs know the names of their coordinates, for tables and plots.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "iqbo/record/snapshot.hpp"

namespace iqbo::python {

struct BeliefObject : BeliefRecord {
  std::vector<std::string> coordinates;
  bool operator==(const BeliefObject&) const = default;
};

struct SnapshotObject : Snapshot {
  BeliefObject f, g;  // instead of x and a
  bool operator==(const SnapshotObject&) const = default;
};

inline SnapshotObject named(Snapshot snapshot, std::vector<std::string> x_names, std::vector<std::string> a_names) {
  BeliefObject f{std::exchange(snapshot.x, {}), std::move(x_names)};
  BeliefObject g{std::exchange(snapshot.a, {}), std::move(a_names)};
  return {std::move(snapshot), std::move(f), std::move(g)};
}

}  // namespace iqbo::python
