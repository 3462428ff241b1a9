// What a policy believes as records, in the user's units and signs; and fits as records and back.
#pragma once

#include "iqbo/model/study_model.hpp"
#include "iqbo/record/snapshot.hpp"

namespace iqbo {

// None if nothing was fitted. `known`: the record of a fit that was remembered, whose intervals are then kept.
std::optional<FitRecord> fit_record(const StudyModel& model, Policy& policy, const FitRecord* known = nullptr);
Hyperparameters hyperparameters_of(const StudyModel& model, const FitRecord& record);  // bit for bit

RecommendationRecord recommendation_record(const StudyModel& model, const Recommendation& best);

// E[f(X) | a] at queries, f at inputs. From the belief that is kept where all points are listed, else from the exact one.
Marginals believed_f(const StudyModel& model, Policy& policy, const Inputs& x);
Marginals believed_g(const StudyModel& model, Policy& policy, const Queries& a);

// f on X and g on A, listed or on a grid of at most kSnapshotPoints; nothing for boxes of more than two dimensions. The cells
// of a tree: `asked` queries, and the parts of these.
constexpr Index kSnapshotPoints = 10000;
Snapshot snapshot_of(const StudyModel& model, Policy& policy, const Queries& asked);

// What the learned p(x given a) is worth, for people; empty if it is not learned.
std::string learned_summary(const StudyModel& model);

}  // namespace iqbo
