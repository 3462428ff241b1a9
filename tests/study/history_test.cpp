#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/core/rng.hpp"
#include "iqbo/study/study.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo {
namespace {

double survey(const Trial& trial) {
  const double d = trial.query[0];
  Rng rng(9, {static_cast<std::uint64_t>(trial.number)});
  return 10.0 * std::exp(-0.02 * (d - 13.0) * (d - 13.0)) + 0.3 * rng.normal();
}

void steps(Study& study, int count) {
  for (int t = 0; t < count; ++t)
    for (const Trial& trial : study.ask().trials) study.tell(trial.number, {survey(trial)});
}

// What the study itself said and believed at each moment, noted while it ran.
TEST(History, ShowsWhatWasSaidThen) {
  Study study = Study::create("memory:then", test::template_bundle("districts"));
  std::vector<RecommendationRecord> said;
  std::vector<Prediction> expected;
  for (int t = 0; t < 13; ++t) {
    const Trial trial = study.ask().trials.at(0);
    expected.push_back(study.predict_g(Rows{{trial.query[0]}}));
    study.tell(trial.number, {survey(trial)});
    said.push_back(study.best());
  }
  const History past = Study::open("memory:then", Access::kReadOnly).history();
  ASSERT_EQ(past.frames.size(), 12U) << "1 to 10, 12 and now";
  for (const FrameRecord& frame : past.frames) {
    const RecommendationRecord& then = said[static_cast<std::size_t>(frame.told - 1)];
    EXPECT_EQ(frame.best->x, then.x) << frame.told;
    EXPECT_NEAR(frame.best->mean, then.mean, 1e-6);
    EXPECT_NEAR(frame.best->sd, then.sd, 1e-6);
    EXPECT_EQ(frame.trial, frame.told);
    EXPECT_EQ(frame.f_mean.size(), past.now.x.points.size());
    EXPECT_EQ(frame.g_sd.size(), past.now.a.points.size());
  }
  EXPECT_EQ(past.frames.back().best, said.back()) << "now, probability included";
  for (std::size_t i = 0; i < past.trials.size(); ++i) {
    const PastTrial& one = past.trials[i];
    EXPECT_EQ(one.expected.has_value(), i >= 2) << "two answers say nothing about hyperparameters";
    if (i < 2) continue;
    EXPECT_NEAR(*one.expected, expected[i].mean[0], 1e-5) << i;
    EXPECT_GT(*one.expected_sd, expected[i].sd[0]) << "noise is in it";
    EXPECT_GE(*one.told, one.asked);
  }
  EXPECT_EQ(past.fits.size(), 7U) << "2, 3, 4, 5, 7, 9, 12";
  EXPECT_EQ(past.now.best, study.best());
  EXPECT_EQ(past.status, study.status());
}

// Over 4,096 inputs a frame takes as long as many over a small list: there is every fourth of them, and each says what was
// said then.
TEST(History, HasFewerFramesOfALargeScene) {
  const auto scene = [](int side) {
    const std::string grid = std::to_string(side);
    return SpecBundle{
        R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": )" + grid +
            R"(}, {"name": "y", "from": 0, "to": 1, "grid": )" + grid +
            R"(}]}, "queries": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 6}, )"
            R"({"name": "y", "from": 0, "to": 1, "grid": 6}]}, "conditional": {"kind": "gaussian", "width": 0.1}, )"
            R"("kernel": {"family": "rbf", "lengthscale": 0.3, "variance": 1}, "noise_sd": 0.1, )"
            R"("policy": {"name": "max-variance"}})",
        {}};
  };
  const auto told = [](const History& past) {
    std::vector<std::int64_t> out;
    for (const FrameRecord& frame : past.frames) out.push_back(frame.told);
    return out;
  };
  Study small = Study::create("memory:small scene", scene(36));
  steps(small, 9);
  EXPECT_EQ(told(small.history()), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  Study large = Study::create("memory:large scene", scene(64));
  std::vector<RecommendationRecord> said;
  for (int t = 0; t < 9; ++t) {
    steps(large, 1);
    said.push_back(large.best());
  }
  const History past = large.history();
  ASSERT_EQ(told(past), (std::vector<std::int64_t>{4, 8, 9}));
  for (const FrameRecord& frame : past.frames)
    EXPECT_EQ(frame.best->x, said.at(static_cast<std::size_t>(frame.told - 1)).x) << frame.told;
}

TEST(History, NextIsWhatWillBeAsked) {
  Study study = Study::create("memory:next", test::template_bundle("districts"));
  const std::vector<double> first = study.history().now.next_query;
  EXPECT_EQ(first, study.ask().trials.at(0).query);
  study.tell(0, {1.0});
  steps(study, 7);
  const Snapshot now = study.history().now;
  ASSERT_EQ(now.scores.size(), now.a.points.size());
  const Trial next = study.ask().trials.at(0);
  EXPECT_EQ(now.next_query, next.query);
  EXPECT_EQ(now.a.points.at(static_cast<std::size_t>(*now.next)), next.query);
  EXPECT_EQ(now.scores.at(static_cast<std::size_t>(*now.next)), *next.score);
  EXPECT_EQ(now.why, next.why);
  EXPECT_EQ(now.policy, next.policy);
}

// Looking after every answer or once at the end: the same.
TEST(History, DoesNotDependOnWhoLooked) {
  Study watched = Study::create("memory:watched", test::template_bundle("districts"));
  for (int t = 0; t < 9; ++t) {
    steps(watched, 1);
    watched.history();
  }
  const History often = watched.history(), once = Study::open("memory:watched", Access::kReadOnly).history();
  ASSERT_EQ(often.frames.size(), once.frames.size());
  for (std::size_t i = 0; i < once.frames.size(); ++i) {
    EXPECT_EQ(often.frames[i].told, once.frames[i].told);
    EXPECT_EQ(often.frames[i].best->x, once.frames[i].best->x);
    for (std::size_t j = 0; j < once.frames[i].f_mean.size(); ++j)
      EXPECT_NEAR(often.frames[i].f_mean[j], once.frames[i].f_mean[j], 1e-6);
  }
  for (std::size_t i = 2; i < 9; ++i) EXPECT_NEAR(*often.trials[i].expected, *once.trials[i].expected, 1e-6);
}

TEST(History, OfEveryKindOfSpec) {
  for (const auto& [name, bundle] : test::every_kind()) {
    SCOPED_TRACE(name);
    Study study = Study::create("memory:kind " + name, bundle);
    History empty = study.history();
    EXPECT_EQ(empty.frames.size(), 1U);
    EXPECT_FALSE(empty.frames[0].best);
    for (int t = 0; t < 4; ++t)
      for (const Trial& trial : study.ask().trials) study.tell(trial.number, {std::sin(trial.query[0])});
    const History past = study.history();
    EXPECT_EQ(past.frames.size(), 4U);
    ASSERT_EQ(past.trials.size(), 4U);
    for (const PastTrial& one : past.trials) {
      ASSERT_TRUE(one.footprint);
      const FootprintRecord& footprint = past.footprints.at(static_cast<std::size_t>(*one.footprint));
      const bool members = name == "bags" || name == "cells";
      EXPECT_EQ(footprint.kind == FootprintRecord::Kind::kMembers, members && !footprint.members.empty());
      EXPECT_EQ(footprint.first.empty(), !footprint.members.empty());
      EXPECT_TRUE(one.expected) << "the kernel is given";
    }
    EXPECT_EQ(past.now.scores.size(), past.now.a.points.size());
    EXPECT_EQ(past.learned.has_value(), name == "learned");
    EXPECT_EQ(past.now.cells.empty(), name != "tree" && name != "cells");
    if (!past.now.a.grid.empty()) {
      std::int64_t size = 1;
      for (const std::int64_t length : past.now.a.grid) size *= length;
      EXPECT_EQ(static_cast<std::size_t>(size), past.now.a.points.size());
    }
  }
}

// The candidates of the snapshot are those that ask chooses from: here all that will ever be asked next.
TEST(History, CellsAreTheFrontier) {
  const auto all = test::every_kind();
  Study study = Study::create("memory:cells", all[10].second);
  for (int t = 0; t < 6; ++t) {
    const Snapshot now = study.snapshot();
    const Trial trial = study.ask().trials.at(0);
    bool among = false;
    for (const CellRecord& cell : now.cells) {
      const double middle = 0.5 * (cell.lower[0] + cell.upper[0]);
      if (cell.level == *trial.level && std::abs(middle - trial.query[0]) < 1e-12) among = cell.candidate;
    }
    EXPECT_TRUE(among) << t;
    study.tell(trial.number, {std::sin(6.0 * trial.query[0])});
  }
  std::int64_t asked = 0;
  for (const CellRecord& cell : study.snapshot().cells) {
    asked += cell.asked;
    EXPECT_TRUE(cell.mean && cell.sd);
  }
  EXPECT_EQ(asked, 6);
}

TEST(History, KeepsImportsFailuresAndAmendments) {
  Study study = Study::create("memory:mixed", test::template_bundle("districts"));
  steps(study, 5);
  study.import_observations(parse_csv("district,value,replicates\nd3,4.5,2\n", "o.csv"), "o.csv");
  study.import_values(parse_csv("pixel,value\np40,3.5\n", "v.csv"), "v.csv");
  study.amend(1, {7.5});
  study.fail(study.ask().trials.at(0).number, "road closed");
  study.ask();
  const History past = study.history();
  EXPECT_EQ(past.trials.at(1).trial.answer->value, 7.5);
  EXPECT_EQ(past.trials.at(5).trial.reason, "road closed");
  EXPECT_FALSE(past.trials.at(5).expected);
  EXPECT_TRUE(past.trials.at(5).told);
  EXPECT_FALSE(past.trials.at(6).told);
  ASSERT_EQ(past.imported.size(), 2U);
  EXPECT_EQ(past.imported[0].observation.name, "d3");
  EXPECT_EQ(past.imported[1].observation.name, "p40");
  EXPECT_EQ(past.frames.back().told, 7);
}

// Three dimensions: slices go through the answer and agree with predictions; effects are averages of them.
TEST(History, SlicesInThreeDimensions) {
  const std::string axes = R"([{"name": "x", "from": 0, "to": 1}, {"name": "y", "from": 0, "to": 2},
                               {"name": "z", "from": -1, "to": 1}])";
  Study study = Study::create("memory:slices",
                              {R"({"version": 2, "targets": {"kind": "box", "axes": )" + axes +
                                   R"(}, "queries": {"kind": "box", "axes": )" + axes +
                                   R"(}, "conditional": {"kind": "gaussian", "width": 0.1}, "policy": "max-variance",
            "kernel": {"family": "rbf", "lengthscale": 0.4, "variance": 1}, "noise_sd": 0.05})",
                               {}});
  for (int t = 0; t < 3; ++t)
    for (const Trial& trial : study.ask().trials) study.tell(trial.number, {trial.query[0] + trial.query[2]});
  const History past = study.history();
  EXPECT_TRUE(past.now.x.points.empty());
  ASSERT_EQ(past.f.slices.size(), 6U);
  ASSERT_EQ(past.f.effects.size(), 3U);
  EXPECT_EQ(past.g.slices.size(), 6U);
  const SliceRecord& pair = past.f.slices[4];
  EXPECT_EQ(pair.axes, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(pair.at, past.now.best->x);
  const std::vector<double>& point = pair.points.at(7);
  const Prediction there = study.predict_f(Rows{{point[0], pair.at[1], point[1]}});
  EXPECT_NEAR(pair.mean[7], there.mean[0], 1e-9);
  EXPECT_NEAR(pair.sd[7], there.sd[0], 1e-9);
  const SliceRecord& effect = past.f.effects[0];
  for (const double sd : effect.sd) EXPECT_LT(sd, 1.0) << "an average varies less than f";
  EXPECT_GT(effect.mean.back(), effect.mean.front());
}

}  // namespace
}  // namespace iqbo
