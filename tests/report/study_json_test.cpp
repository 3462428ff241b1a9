// One dialect for all who read a study from outside.
#include "report/study_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/study_document.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Json = nlohmann::json;

// Queries of a number and of a category, which a record holds as its place in the sorted list of names.
SpecBundle soils() {
  SpecBundle out = test::line_bundle(
      R"({"kind": "points", "points": "s.csv", "id": "q", "coordinates": ["depth", "soil"], "categories": ["soil"]})",
      R"("conditional": {"kind": "bags", "bags": "bags.csv"}, )" + test::kGivenPrior);
  out.files["s.csv"] = "q,depth,soil\nleft,1.5,sand\nmiddle,2,clay\nright,3,sand\n";
  return out;
}

Trial told_trial() {
  Trial out;
  out.number = 3;
  out.query = {1.5, 1.0};
  out.name = "deep";
  out.cost = 2.0;
  out.policy = "cmes";
  out.why = {"policy cmes", "few answers"};
  out.score = 0.25;
  out.state = TrialState::kTold;
  out.answer = Answer{4.5, 0.1, 2};
  out.worker = "w";
  return out;
}

TEST(StudyJson, ATrialNamesItsCoordinatesAndCategories) {
  EXPECT_EQ(Json::parse(trial_json(load_names(soils()), told_trial())), Json::parse(R"({
    "number": 3, "trial": 3, "state": "told", "name": "deep", "query": {"depth": 1.5, "soil": "sand"}, "cost": 2.0,
    "policy": "cmes", "why": ["policy cmes", "few answers"], "score": 0.25, "value": 4.5, "noise_sd": 0.1,
    "replicates": 2, "worker": "w"})"));
}

TEST(StudyJson, WhatATrialDoesNotHaveIsAbsent) {
  Trial failed;
  failed.query = {2.0, 0.0};
  failed.state = TrialState::kFailed;
  failed.reason = "road closed";
  const Json out = Json::parse(trial_json(load_names(soils()), failed));
  EXPECT_EQ(out["query"]["soil"], "clay");
  EXPECT_EQ(out["reason"], "road closed");
  EXPECT_TRUE(out["score"].is_null());
  for (const char* key : {"name", "level", "value", "noise_sd", "replicates"}) EXPECT_FALSE(out.contains(key)) << key;
}

// The page reads columns; each holds, under its key, what the trial itself says.
TEST(StudyJson, ADocumentHasTheSameKeysAndValues) {
  const SpecData data = load(soils());
  History history;
  history.frames.resize(1);
  history.status = {1, 2, 3, 4, 5, 6, 7.5, {}, 8};
  history.trials.push_back({told_trial(), 0, {}, {}, {}, {}});
  const Json document = Json::parse(study_document(data, history, {"iqbo 1", 1.0}));
  Json trial = Json::parse(trial_json(data, told_trial()));
  trial.erase("trial");
  trial["query"] = told_trial().query;
  for (const auto& [key, value] : trial.items()) EXPECT_EQ(document["trials"][key][0], value) << key;

  Json status = Json::parse(status_json(data, history.status, "s.db", {told_trial()}));
  EXPECT_EQ(status["study"], "s.db");
  EXPECT_EQ(status["pending_trials"][0]["number"], 3);
  EXPECT_EQ(status["out"], status["pending_trials"]);  // the former name
  EXPECT_EQ(status["events"], 8);
  for (const char* key : {"study", "name", "pending_trials", "out", "events"}) status.erase(key);
  EXPECT_EQ(document["status"], status);
}

}  // namespace
}  // namespace iqbo
