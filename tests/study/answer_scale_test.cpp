#include "study/answer_scale.hpp"

#include <gtest/gtest.h>

#include "iqbo/core/errors.hpp"
#include "iqbo/study/study.hpp"
#include "study_cases.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

std::vector<LoggedObservation> logged(const std::vector<double>& values) {
  std::vector<LoggedObservation> out;
  for (const double value : values) out.push_back({false, {{0}, "", {value, {}, 1}}});
  return out;
}

TEST(AnswerScale, LevelsAreSubtractedOnlyWhereTheyHideDifferences) {
  EXPECT_EQ(answer_level(logged({})), 0);
  EXPECT_EQ(answer_level(logged({1e12})), 0) << "one answer has no differences";
  EXPECT_EQ(answer_level(logged({1e12, 1e12})), 0);
  EXPECT_EQ(answer_level(logged({1e12 + 1, 1e12 - 1})), 1e12 + 1);
  EXPECT_EQ(answer_level(logged({-1e12, 1 - 1e12})), -1e12);
  EXPECT_EQ(answer_level(logged({1e12 + 1, 1e12 - 1, 5})), 0);
  EXPECT_EQ(answer_level(logged({1000, 1001})), 0);
}

TEST(AnswerScale, WhatSquaresToZeroIsRefused) {
  EXPECT_EQ(unworkable_scale(logged({})), "");
  EXPECT_EQ(unworkable_scale(logged({0, 0})), "");
  EXPECT_EQ(unworkable_scale(logged({1e-150, 1})), "") << "one tiny answer is a zero among others";
  EXPECT_NE(unworkable_scale(logged({1e-150, -2e-150})).find("the largest is 2e-150"), std::string::npos);
}

SpecBundle fitted() {
  return {
      R"({"version": 2, "seed": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 21}]},
              "queries": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 21}]},
              "conditional": {"kind": "gaussian", "width": 0.05}, "policy": "ei"})",
      {}};
}

CsvTable answers(double level, double scale) {
  std::string text = "x,value\n";
  const std::vector<double> values{0.25, -1, 0.75, 1, -0.5, 0.125, 0.875, -0.75};
  for (std::size_t i = 0; i < values.size(); ++i)
    text += csv_number(0.1 * static_cast<double>(i + 1)) + "," + csv_number(level + scale * values[i]) + "\n";
  return parse_csv(text, "z.csv");
}

// The same answers in another unit or on another level: the same beliefs, in that unit and on that level.
TEST(AnswerScale, BeliefsMoveWithTheAnswers) {
  Study usual = Study::create("memory:usual", fitted());
  usual.import_observations(answers(0, 1), "z.csv");
  const RecommendationRecord expected = usual.best();
  struct Case {
    double level, scale;
  };
  for (const auto& [level, scale] : {Case{1e12, 1}, Case{-1e13, 1}, Case{0, 1e-120}, Case{0, 1e90}}) {
    SCOPED_TRACE(csv_number(level) + " +- " + csv_number(scale));
    Study study = Study::create("memory:at" + csv_number(level) + "x" + csv_number(scale), fitted());
    study.import_observations(answers(level, scale), "z.csv");
    const RecommendationRecord found = study.best();
    EXPECT_EQ(found.x, expected.x);
    EXPECT_NEAR((found.mean - level) / scale, expected.mean, 0.02);
    EXPECT_NEAR(found.sd / scale, expected.sd, 0.02);
    EXPECT_EQ(study.ask().trials.size(), 1U);
  }
}

TEST(AnswerScale, TinyAnswersAreRefused) {
  Study study = Study::create("memory:tiny", fitted());
  test::expect_refusal([&] { study.import_observations(answers(0, 1e-150), "z.csv"); },
                       {"z.csv", "smaller than 1e-130"});
  EXPECT_EQ(study.storage().last_event(), 0);
  for (int i = 0; i < 3; ++i) study.tell(study.ask().trials.at(0).number, {0, {}, 1});
  const std::int64_t trial = study.ask().trials.at(0).number;
  for (const double value : {1e-150, -1e-150, 5e-324})
    test::expect_refusal(
        [&] {
          study.tell(trial, {value, {}, 1});
        },
        {"trial 3: value is", "smaller than 1e-130", "0 or a unit"});
  test::expect_refusal([&] { study.amend(0, {1e-150, {}, 1}); }, {"trial 0: value is 1e-150"});
  EXPECT_EQ(study.storage().last_event(), 7) << "nothing of it was stored";
  study.tell(trial, {1e-120, {}, 1});
  EXPECT_NEAR(study.best().mean / 1e-120, 0.5, 2);
}

// Studies of earlier versions may hold such answers: they open, and say so.
TEST(AnswerScale, TinyAnswersThatAreStoredAreNamed) {
  Study study = Study::create("memory:stored", fitted());
  for (int i = 0; i < 3; ++i) study.tell(study.ask().trials.at(0).number, {0, {}, 1});
  const std::int64_t trial = study.ask().trials.at(0).number;
  Storage::open("memory:stored").tell(trial, {1e-150, {}, 1});
  test::expect_error<NumericalError>([&] { study.best(); }, {"smaller than 1e-130", "unit"});
}

// A study that is opened again goes on as one that was not.
TEST(AnswerScale, ResumesToTheSameTrace) {
  const auto value = [](const Trial& trial) { return 1e12 + std::round(8 * trial.query[0] * (1 - trial.query[0])); };
  Study whole = Study::create("memory:whole", fitted());
  Study::create("memory:parts", fitted());
  for (int i = 0; i < 12; ++i) {
    const Trial trial = whole.ask().trials.at(0);
    whole.tell(trial.number, {value(trial), {}, 1});
    Study part = Study::open("memory:parts");
    const Trial again = part.ask().trials.at(0);
    EXPECT_EQ(again.query, trial.query) << i;
    part.tell(again.number, {value(again), {}, 1});
  }
}

}  // namespace
}  // namespace iqbo
