// Folds of pairs for cross-validation over queries.
//
// A model is asked about queries that were not logged, so what is left out are regions of A: cells of about kCellPairs pairs
// (k-means of the encoded queries), each as a whole. If single pairs were left out at random, weights that repeat the nearest
// neighbours would look better than they are; large cells favour models that extrapolate, shift and plugin, over those that
// stay on the support. Where queries repeat (kRepeats pairs a query or more: classes, a few settings of a knob), no others will
// be asked, and the pairs of each query are divided between the folds.
//
// The folds do not depend on the order of the pairs, unless queries or cells tie.
#pragma once

#include <vector>

#include "pairs.hpp"

namespace iqbo {

inline constexpr Index kCellPairs = 4;
inline constexpr Index kRepeats = 3;

// The fold of each pair, 0 .. count - 1. A fold may be empty.
std::vector<Index> query_folds(const LoggedPairs& pairs, Index count);

}  // namespace iqbo
