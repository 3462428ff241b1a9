#include "setup/snapshot_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "iqbo/record/json.hpp"
#include "support/errors.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo {

using namespace internal;

namespace {

StudySetup fitted_model(const std::string& more) {
  return StudySetup(load(test::line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q", "coordinates": ["u"]})",
                                           R"("conditional": {"kind": "bags", "bags": "bags.csv"})" + more)));
}

Policy told(const StudySetup& setup) {
  Policy policy = setup.policy();
  const Queries a = setup.setting().queries->probes();
  policy.observe(a, setup.policy_value(Vector{{0.1, 0.7, 0.4}}));
  policy.observe(a, setup.policy_value(Vector{{0.12, 0.69, 0.43}}));
  return policy;
}

// What a fit found goes through JSON and comes back bit for bit.
TEST(StudySetup, FitsComeBackBitForBit) {
  for (const std::string more : {R"()", R"(, "goal": "minimize")", R"(, "mean": 0.3)", R"(, "mean": "linear")"}) {
    SCOPED_TRACE(more);
    const StudySetup setup = fitted_model(more);
    Policy policy = told(setup);
    const Hyperparameters& was = *policy.hyperparameters();
    const Hyperparameters kept = setup.user_fit(was);
    EXPECT_EQ(kept.observations, 5);
    const auto back = from_json<Hyperparameters>(to_json(kept));
    EXPECT_EQ(back, kept);
    EXPECT_EQ(setup.policy_fit(back).parameters(), was.parameters());
    for (const FittedParameter& p : kept.parameters()) EXPECT_LE(p.low, p.high) << p.name;
  }
}

// A cell that holds one point is not divided further; it belongs to one level, and is shown once.
TEST(SnapshotOf, ShowsLonelyPointsOnce) {
  const StudySetup setup(load({R"({"version": 2, "targets": {"kind": "points", "points": "p.csv", "coordinates": ["x"]},
           "queries": {"kind": "cells", "tree": {"levels": 5}}, "conditional": {"kind": "cells"}, )" +
                                   test::kGivenPrior + "}",
                               {{"p.csv", "x\n0\n0.01\n0.02\n0.3\n1\n"}}}));
  Policy policy = setup.policy();
  policy.observe(policy.suggest().queries, Vector{{0.3}});
  const Snapshot snapshot = snapshot_of(setup, policy, shown_points(setup, policy), {.scores = true});
  ASSERT_EQ(snapshot.scores.size(), snapshot.a.points.size());
  const std::set<std::vector<double>> distinct(snapshot.a.points.begin(), snapshot.a.points.end());
  EXPECT_EQ(distinct.size(), snapshot.a.points.size());
  EXPECT_TRUE(std::any_of(snapshot.scores.begin(), snapshot.scores.end(), [](double s) { return std::isfinite(s); }));
}

// A family with more than lengthscales: its shape is recorded by name.
TEST(StudySetup, KeepsTheShapeOfAFamily) {
  const StudySetup setup = fitted_model("");
  PolicyOptions options = setup.options();
  options.fit.families = {"periodic"};
  Policy policy(setup.setting(), options, 1);
  const Queries a = setup.setting().queries->overview(3);
  policy.observe(a, setup.policy_value(Vector{{0.1, 0.7, 0.4}}));
  policy.observe(a, setup.policy_value(Vector{{0.12, 0.69, 0.43}}));
  const Hyperparameters was = *policy.hyperparameters();
  EXPECT_EQ(was.family, "periodic");
  ASSERT_EQ(was.others.size(), 1U);
  EXPECT_EQ(was.others[0].name, "period[0]");
  std::vector<std::string> shown;
  for (const FittedParameter& p : was.parameters({"east"})) shown.push_back(p.name);
  EXPECT_EQ(std::vector<std::string>(shown.begin() + 1, shown.begin() + 3),
            (std::vector<std::string>{"lengthscale of east", "period of east"}));
  const Hyperparameters back = setup.policy_fit(from_json<Hyperparameters>(to_json(setup.user_fit(was))));
  EXPECT_EQ(back.others, was.others);
  EXPECT_EQ(prior_of(back, *setup.setting().conditional, nullptr).kernel().description(),
            policy.prior().kernel().description());
}

TEST(SnapshotOf, ShowsACoarserGridWhereXIsAFinerOne) {
  const StudySetup setup(load(test::line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q"})",
                                                R"("conditional": {"kind": "gaussian", "mu": {"columns": ["m"]},
                                                   "width": 0.1}, )" +
                                                    test::kGivenPrior,
                                                "10001")));
  PolicyOptions options = setup.options();
  options.recommend_paths = 0;  // over ten thousand points they take seconds
  Policy policy(setup.setting(), options, 1);
  const Snapshot snapshot = snapshot_of(setup, policy, shown_points(setup, policy));
  EXPECT_EQ(snapshot.x.points.size(), 201U);
  EXPECT_EQ(snapshot.x.grid, std::vector<std::int64_t>{201});
}

TEST(SnapshotOf, TellsBeliefsInTheUsersUnits) {
  const StudySetup setup = fitted_model(R"(, "goal": "minimize")");
  Policy policy = told(setup);
  const Snapshot snapshot = snapshot_of(setup, policy, shown_points(setup, policy));
  ASSERT_EQ(snapshot.a.mean.size(), 3U);
  EXPECT_NEAR(snapshot.a.mean[1], 0.7, 0.1);
  EXPECT_EQ(snapshot.a.names, (std::vector<std::string>{"left", "middle", "right"}));
  const Marginals exact = policy.belief().f(std::get<InputSet>(setup.setting().targets).points());
  for (std::size_t i = 0; i < snapshot.x.mean.size(); ++i)
    EXPECT_NEAR(snapshot.x.mean[i], -exact.mean[static_cast<Index>(i)], 1e-6);
  EXPECT_LE(snapshot.best->low, snapshot.best->mean);
  EXPECT_LE(snapshot.best->mean, snapshot.best->high);
}

}  // namespace
}  // namespace iqbo
