#include "setup/study_setup.hpp"

#include <gtest/gtest.h>

#include "setup/snapshot_of.hpp"
#include "support/errors.hpp"
#include "support/finite_difference.hpp"
#include "support/oracle.hpp"
#include "support/spec_bundles.hpp"
#include "support/tolerance.hpp"

namespace iqbo {

using namespace internal;

namespace {

using test::every_kind;
using test::kGivenPrior;
using test::line_bundle;

StudySetup model_of(const SpecBundle& bundle) { return StudySetup(load(bundle, policy_names())); }

double peak_at_two_thirds(double x) { return -10.0 * (x - 2.0 / 3.0) * (x - 2.0 / 3.0); }

TEST(StudySetup, EveryKindOfSpecRuns) {
  for (const auto& [name, bundle] : every_kind()) {
    SCOPED_TRACE(name);
    const StudySetup setup = model_of(bundle);
    Policy policy = setup.policy();
    for (int t = 0; t < 4; ++t) {
      const Suggestion said = policy.suggest();
      ASSERT_EQ(said.queries.size(), 1);
      const Rows a = setup.user_query(said.queries);
      EXPECT_EQ(a.cols(), static_cast<Index>(coordinate_names(setup.spec().queries, setup.spec().targets).size()));
      EXPECT_EQ(setup.policy_query(a).coordinates(), said.queries.coordinates()) << "there and back";
      EXPECT_GT(setup.cost(said.queries), 0.0);
      policy.observe(said.queries, setup.policy_value(Vector::Constant(1, peak_at_two_thirds(a(0, 0)))));
    }
    const Snapshot snapshot = snapshot_of(setup, policy, shown_points(setup, policy));
    EXPECT_FALSE(snapshot.x.points.empty());
    EXPECT_FALSE(snapshot.a.points.empty());
    EXPECT_EQ(snapshot.a.points.size(), snapshot.a.mean.size());
    EXPECT_TRUE(snapshot.best.has_value());
  }
}

TEST(StudySetup, EveryTemplateRuns) {
  for (const std::string& name : template_names()) {
    SCOPED_TRACE(name);
    const StudySetup setup = model_of(test::template_bundle(name));
    Policy policy = setup.policy();
    EXPECT_EQ(policy.suggest(2).queries.size(), 2);
  }
}

TEST(StudySetup, ResolutionAndLevelComeLast) {
  for (const auto& [name, bundle] : every_kind()) {
    if (name != "resolutions" && name != "tree" && name != "cells") continue;
    SCOPED_TRACE(name);
    const StudySetup setup = model_of(bundle);
    const Rows a = setup.user_query(setup.policy().suggest(2).queries);
    if (name == "cells")
      EXPECT_EQ(a(0, 1), 0.0) << "the root";
    else
      EXPECT_TRUE(a(0, 1) == 0.2 || a(0, 1) == 0.05 || a(0, 1) == 0.5) << a;
  }
}

// Windows by columns, by an affine map and given by hand see the same.
TEST(StudySetup, MapsGiveTheWindowsThatTheySay) {
  for (const auto& [name, bundle] : every_kind()) {
    if (name != "columns" && name != "affine") continue;
    const StudySetup setup = model_of(bundle);
    const Queries a = name == "columns" ? Queries({{1.0}}) : Queries({{2.0}});
    const double sd = name == "columns" ? 0.05 : 0.04;
    const double mu = name == "columns" ? 0.5 : 0.55;
    const Rbf k(1.0, Vector{{0.2}});
    const double wide = 0.04 + 2.0 * sd * sd;
    EXPECT_NEAR(setup.setting().conditional->q_diagonal(k, a)[0], 0.2 / std::sqrt(wide), 1e-12) << name;
    const double there = setup.setting().conditional->c(k, Inputs({{mu}}), a)(0, 0);
    EXPECT_NEAR(there, 0.2 / std::sqrt(0.04 + sd * sd), 1e-12) << name;
  }
}

// What is left of a uniform window inside X is uniform: averages to all digits, with the gradient that follows.
TEST(StudySetup, RenormalisedUniformWindowsAreExact) {
  const StudySetup setup = model_of(line_bundle(
      R"({"kind": "box", "axes": [{"name": "u", "from": 0, "to": 2}]})",
      R"("conditional": {"kind": "uniform", "mu": {"slope": [[0.5]]}, "width": {"slope": [[0.1]], "offset": [0.2]},
                         "truncate": "renormalise"}, )" +
          kGivenPrior));
  const Rbf k(1.0, Vector{{0.2}});
  const Conditional& p = *setup.setting().conditional;
  for (const double u : {0.0, 0.1, 0.7, 1.0, 1.9, 2.0}) {
    const test::Real from = std::max(0.0L, 0.5L * u - 0.1L * u - 0.2L), to = std::min(1.0L, 0.5L * u + 0.1L * u + 0.2L);
    const test::Real average =
        test::integrate([](test::Real x) { return std::exp(-(x - 0.3L) * (x - 0.3L) / 0.08L); }, from, to, 20) /
        (to - from);
    EXPECT_NEAR(p.c(k, Inputs({{0.3}}), Queries({{u}}))(0, 0), static_cast<double>(average), 1e-12) << u;
  }
  const Posterior belief = Posterior(k, p).condition(Queries({{0.4}, {1.5}}), Vector{{1.0, -1.0}}, 0.01);
  for (const double u : {0.1, 0.7, 1.0, 1.8}) {
    const auto mean = [&](const Vector& at) { return belief.g(Queries({{at[0]}})).mean[0]; };
    const double exact = belief.g_pull_back(Queries({{u}}), {Vector::Ones(1), Vector()})(0, 0);
    EXPECT_NEAR(exact, test::finite_difference(mean, Vector{{u}})[0], test::kFiniteDifference) << u;
  }
}

// To minimise z with mean m is to maximise m - z: the same queries, the same answer but for its sign.
TEST(StudySetup, MinimisingIsMaximisingTheNegative) {
  const std::string query = R"({"kind": "points", "points": "q.csv", "id": "q"})";
  const std::string rest = R"("conditional": {"kind": "bags", "bags": "bags.csv"}, "mean": 3, )";
  const StudySetup up = model_of(line_bundle(query, rest + kGivenPrior));
  const StudySetup down = model_of(line_bundle(query, rest + R"("goal": "minimize", )" + kGivenPrior));
  Policy a = up.policy();
  Policy b = down.policy();
  for (int t = 0; t < 6; ++t) {
    const Queries at = a.suggest().queries;
    ASSERT_EQ(at.coordinates(), b.suggest().queries.coordinates());
    const double z = 3.0 + 0.3 * at.row(0)[0];
    a.observe(at, up.policy_value(Vector::Constant(1, z)));
    b.observe(at, down.policy_value(Vector::Constant(1, 6.0 - z)));
  }
  const auto best = recommendation_record(up, a.best());
  const auto least = recommendation_record(down, b.best());
  EXPECT_EQ(best.x, least.x);
  EXPECT_NEAR(best.mean, 6.0 - least.mean, 1e-12);
  EXPECT_NEAR(best.low, 6.0 - least.high, 1e-12);
  EXPECT_LT(least.low, least.high);
}

TEST(StudySetup, MistakesAreNamedByTheirPath) {
  const auto refused = [](const SpecBundle& bundle, std::initializer_list<std::string_view> pieces) {
    test::expect_error<std::invalid_argument>([&] { model_of(bundle).policy(); }, pieces);
  };
  const std::string box = R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}])";
  const std::string follows = R"("conditional": {"kind": "uniform", "width": "resolution"}, )";
  refused(line_bundle(box + R"(, "resolutions": [0.1, 0.1]})", follows + kGivenPrior),
          {"queries.resolutions[1]: is 0.1, as one before it"});
  refused(line_bundle(box + R"(, "cost": 7})",
                      R"("conditional": {"kind": "gaussian", "width": 0.1}, "budget": 5, )" + kGivenPrior),
          {"budget: 5, expected at least 7"});
  refused(
      line_bundle(box + "}", R"("conditional": {"kind": "gaussian", "width": 0.1}, "policy": "cmse", )" + kGivenPrior),
      {"policy", "cmes"});
  refused(
      line_bundle(box + "}", R"("conditional": {"kind": "gaussian", "width": 0.1}, "policy": "mfmes", )" + kGivenPrior),
      {"policy: is \"mfmes\"", "queries.resolutions"});
}

// The columns price and w of the file, beside the queries; a number for a box; the top-level noise for values of f.
TEST(StudySetup, ListedQueriesHaveCostsAndNoisesOfTheirOwn) {
  const StudySetup setup = model_of(every_kind()[12].second);
  const Queries all = setup.policy_query(Rows{{0.0}, {1.0}, {2.0}});
  EXPECT_EQ(setup.setting().queries->cost(all), (Vector{{1.0, 2.0, 1.0}}));
  EXPECT_TRUE(setup.setting().queries->noise_var(all).isApprox(Vector{{0.01, 0.0025, 0.01}}));
  Policy policy = setup.policy();
  policy.observe(all, Vector{{0.1, 0.2, 0.3}});
  policy.observe(Inputs{{0.5}}, Vector{{0.2}});
  EXPECT_TRUE(policy.posterior().noise_var().isApprox(Vector{{0.01, 0.0025, 0.01, 0.0025}}));
  const StudySetup box =
      model_of(line_bundle(R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}], "noise_sd": 0.2})",
                           R"("conditional": {"kind": "gaussian", "width": 0.1}, )" + kGivenPrior));
  EXPECT_DOUBLE_EQ(box.setting().queries->noise_var(box.setting().queries->any())[0], 0.2 * 0.2);
}

// What a spreadsheet writes for a grid point, a tile, a cell, is that point; what is none of them has no cost.
TEST(StudySetup, NumbersNearListedOnesAreThose) {
  const auto setup = [](std::size_t kind) { return model_of(every_kind()[kind].second); };
  const StudySetup grid =
      model_of(line_bundle(R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 11}]})",
                           R"("conditional": {"kind": "gaussian", "width": 0.1}, )" + kGivenPrior));
  const QueryDomain& list = *grid.setting().queries;
  for (const double third : {0.3, std::nextafter(0.3, 1.0), 0.3 + 1e-10})
    EXPECT_EQ(list.find(grid.measured_query(Rows{{third}}).row(0)), 3);
  EXPECT_FALSE(list.find(grid.measured_query(Rows{{0.3001}}).row(0))) << "a place in the box is one of its own";
  const StudySetup tree = setup(10);
  const Queries tile = tree.measured_query(Rows{{0.625 + 1e-11, 0.12 * (1 - 1e-12)}});
  EXPECT_EQ(tree.level(tile), 2);
  EXPECT_EQ(tree.cost(tile), 1.5);
  const StudySetup cells = setup(11);
  EXPECT_EQ(cells.level(cells.measured_query(Rows{{0.25 + 1e-12, 1.0}})), 1);
  const StudySetup mixed = setup(8);
  EXPECT_EQ(mixed.cost(mixed.measured_query(Rows{{0.41, 0.05 + 1e-12}})), 2.0);
}

TEST(StudySetup, WhatCannotHaveBeenMeasuredIsRefused) {
  const auto refused = [](std::size_t kind, const Rows& a, std::initializer_list<std::string_view> pieces) {
    const StudySetup setup = model_of(every_kind()[kind].second);
    test::expect_refusal([&] { setup.measured_query(a); }, pieces);
  };
  refused(0, Rows{{1.5}}, {"column \"x\"", "1.5", "0 to 1", "queries.axes"});
  refused(6, Rows{{0.5}}, {"a: is not in queries.points", "3 rows"});
  refused(8, Rows{{0.5, 0.1}}, {"column \"resolution\"", "0.1", "queries.resolutions"});
  refused(10, Rows{{0.6, 0.12}}, {"queries.tree", "centre"});
  refused(10, Rows{{0.625, 0.25}}, {"queries.tree"});
  refused(11, Rows{{0.3, 1.0}}, {"centre"});
  const StudySetup box = model_of(every_kind()[2].second);
  test::expect_refusal([&] { box.measured_input(Rows{{-0.5}}); }, {"column \"x\"", "-0.5", "0 to 1", "targets.axes"});
  EXPECT_EQ(box.measured_input(Rows{{0.123}}).coordinates()(0, 0), 0.123);
  const StudySetup points = model_of(every_kind()[11].second);
  EXPECT_EQ(points.measured_input(Rows{{0.3 + 1e-11}}).coordinates()(0, 0), 0.3);
  test::expect_refusal([&] { points.measured_input(Rows{{0.35}}); }, {"x: is not in targets.points", "8 rows"});
}

TEST(StudySetup, RefusesCellsThatDoNotExist) {
  const StudySetup setup = model_of(every_kind()[11].second);
  test::expect_error<std::invalid_argument>([&] { setup.policy_query(Rows{{0.5, 9.0}}); }, {"level: 9", "0 to 2"});
  test::expect_error<std::invalid_argument>([&] { setup.policy_query(Rows{{0.51, 0.0}}); }, {"row 0", "centre"});
}

}  // namespace
}  // namespace iqbo
