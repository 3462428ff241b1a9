// What a policy believes, as records in the user's units and signs.
#pragma once

#include "iqbo/record/history.hpp"
#include "study_setup.hpp"

namespace iqbo::internal {

RecommendationRecord recommendation_record(const StudySetup& setup, const Recommendation& best);

// f at inputs and E[f(X) | a] at queries, in rates where f = h(eta).
Marginals believed_f(Policy& policy, const Inputs& x);
Vector mean_f(Policy& policy, const Inputs& x);  // the mean of believed_f(), in less time
Marginals believed_g(Policy& policy, const Queries& a);

// The points at which people are shown f and g: those of a list, or a grid that stands for a box (a coarser one if the
// grid of X is finer), at most kSnapshotPoints; none for boxes of more than two dimensions. Of a tree: coarse levels
// and every cell that the search has opened.
constexpr Index kSnapshotPoints = 10000;
struct ShownPoints {
  Inputs x;
  Queries a;
};
ShownPoints shown_points(const StudySetup& setup, Policy& policy);

// What is believed there. Cells of a tree that may be asked now are candidates.
struct SnapshotOptions {
  Queries asked = {};    // counted in cells
  Queries pending = {};  // as in Policy::suggest
  Queries avoid = {};
  bool scores = false;  // also the scores of queries
};
Snapshot snapshot_of(const StudySetup& setup, Policy& policy, const ShownPoints& shown,
                     const SnapshotOptions& options = {});

// What the learned p(x given a) is worth, in words; empty if it is not learned.
std::string learned_summary(const StudySetup& setup);
std::optional<LearningRecord> learning_record(const StudySetup& setup, Policy& policy);

}  // namespace iqbo::internal
