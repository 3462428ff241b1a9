// Pairs (x, a) from which p(x given a) is learned: those of a spec first, then those that a study logged later.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/record/trial.hpp"

namespace iqbo::internal {

// Refuses pairs from which nothing can be learned, naming the cell of `table`, whose rows are the last of all pairs.
void require_learnable(const SpecData& data, const PairTable& more, const CsvTable& table);
void require_learnable(const SpecData& data, const SpecBundle& bundle);  // of the spec alone, if it learns

// If every pair is there equally often, as after a log has been imported twice, each is used once: how often x follows a is
// the same then, and settings are found by leaving pairs out, which says nothing while their copies stay.
struct LearnedPairs {
  std::shared_ptr<const Conditional> conditional;
  Index copies = 1;
};

// `known`: what was learned before; if it was learned from these very pairs, nothing is learned again.
LearnedPairs learned_from(const SpecData& data, const PairTable& more, const std::vector<LearnedRecord>& known);
std::optional<LearnedRecord> learned_record(
    const Conditional& conditional);  // to be `known`; none if it was not learned

}  // namespace iqbo::internal
