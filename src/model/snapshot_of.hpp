// What a policy believes as records, in the user's units and signs.
#pragma once

#include "iqbo/record/history.hpp"
#include "study_model.hpp"

namespace iqbo::internal {

RecommendationRecord recommendation_record(const StudyModel& model, const Recommendation& best);

// E[f(X) | a] at queries, f at inputs. From the belief that is kept where all points are listed, else from the exact one.
Marginals believed_f(const StudyModel& model, Policy& policy, const Inputs& x);
Marginals believed_g(const StudyModel& model, Policy& policy, const Queries& a);

// The points at which people are shown f and g: those of a list, or a grid that stands for a box (a coarser one, where X is a
// finer), at most kSnapshotPoints; none for boxes of more than two dimensions. Of a tree the coarse levels and every cell that
// the search has come to.
constexpr Index kSnapshotPoints = 10000;
struct ShownPoints {
  Inputs x;
  Queries a;
};
ShownPoints shown_points(const StudyModel& model, Policy& policy);

// What is believed there. Of a tree's cells, those that may be asked are candidates.
struct SnapshotOptions {
  Queries asked = {};    // to be counted in cells
  Queries pending = {};  // as in Policy::suggest
  Queries avoid = {};
  bool scores = false;  // what the next query is worth
};
Snapshot snapshot_of(const StudyModel& model, Policy& policy, const ShownPoints& shown,
                     const SnapshotOptions& options = {});

// What the learned p(x given a) is worth, for people; empty if it is not learned.
std::string learned_summary(const StudyModel& model);
std::optional<LearningRecord> learning_record(const StudyModel& model, Policy& policy);

}  // namespace iqbo::internal
