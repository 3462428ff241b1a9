#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "iqbo/record/event.hpp"
#include "iqbo/record/json.hpp"
#include "iqbo/record/result_table.hpp"
#include "iqbo/record/snapshot.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

constexpr double kInf = std::numeric_limits<double>::infinity();

Hyperparameters some_fit() {
  return {.observations = 12,
          .family = "rbf",
          .variance = {{2, 1, 4}},
          .lengthscale = {{0.1, 5e-324, kInf}, 3.0},
          .others = {{"period", 7, 6, 8}},
          .nugget = 0.01,
          .noise_var = {{1.0 / 3, 0, 1}},
          .mean = {-1.0, {2, -0.0, 3}, 4.0},
          .discrepancy_var = 0.5,
          .log_evidence = -3.25,
          .notes = {"a note", ""}};
}

Trial some_trial() {
  Trial trial;
  trial.number = 7;
  trial.query = {0.1, -0.0, 5e-324};
  trial.name = "Zürich \"west\"";
  trial.level = 3;
  trial.cost = 2.5;
  trial.policy = "cjes";
  trial.why = {"because", ""};
  trial.score = -kInf;
  trial.fit = some_fit();
  trial.seen = 41;
  trial.state = TrialState::kTold;
  trial.answer = Answer{1.7976931348623157e308, 1e-310, 4};
  trial.worker = "host-1";
  trial.lease_until = 1.75e9 + 1.0 / 3;
  trial.handouts = 2;
  return trial;
}

std::vector<EventBody> all_bodies() {
  Trial failed = some_trial();
  failed.state = TrialState::kFailed;
  failed.answer.reset();
  failed.reason = "timed out";
  return {Asked{some_trial()},
          Asked{failed},
          Taken{7, "b", "a"},
          Told{7, {0.1, {}, 1}, "w"},
          Amended{7, Answer{1, 2, 3}, {4, {}, 1}, ""},
          Amended{7, {}, {4, {}, 1}, "w"},
          Failed{7, "exit code 3", "w"},
          ImportedObservations{{{{1, 2}, "d7", {0.5, 0.1, 3}}}, "past.csv"},
          ImportedValues{{{{1, 2}, "", {0.5, {}, 1}}}, ""},
          ImportedPairs{{{1, 2}, {3, 4}}, {{5}, {6}}, "more.csv"},
          ImportedPairs{{{1}}, {{5}}, "", LearnedRecord{{{"ridge", {0.1}}, {"none", {}}}, {"few pairs"}}},
          Refit{some_fit()},
          Refit{{}, LearnedRecord{{{"weights", {1.0 / 3, -0.0, 5e-324}}}, {}}}};
}

TEST(Records, EveryEventComesBack) {
  std::int64_t seq = 0;
  for (const EventBody& body : all_bodies()) {
    const Event event{++seq, 1.75e9 + 0.1, body};
    EXPECT_EQ(from_json<Event>(to_json(event)), event) << to_json(event);
    EXPECT_EQ(body_from_json(event_kind(body), body_to_json(body)), body);
    EXPECT_TRUE(to_json(event).ends_with("\"body\":" + body_to_json(body) + "}")) << body_to_json(body);
  }
}

TEST(Records, SnapshotsAndRowsComeBack) {
  Snapshot snapshot;
  snapshot.seq = 9;
  snapshot.observations = 4;
  snapshot.x = {{{0.1, 0.2}, {0.3, 0.4}}, {"p", ""}, {1.0 / 3, -2}, {0, 1e-300}};
  snapshot.a = {{{1}}, {}, {0.5}, {0.25}};
  snapshot.scores = {-kInf};
  snapshot.policy = "ckg";
  snapshot.cells = {{2, {0, 0}, {1, 0.5}, 3, true}};
  snapshot.fit = some_fit();
  snapshot.best = RecommendationRecord{{0.1, 0.2}, "p", 1, 0.5, 0, 2, 0.9, 0, {"note"}, 0.02};
  EXPECT_EQ(from_json<Snapshot>(to_json(snapshot)), snapshot);
  EXPECT_EQ(from_json<Snapshot>(to_json(Snapshot{})), Snapshot{});
  const ResultRow row{"p", "q", 18446744073709551615U, 3, {0.1}, 1, 2, 3, 4};
  EXPECT_EQ(from_json<ResultRow>(to_json(row)), row);
  const Observation observation{{1}, "", {2, {}, 1}};
  EXPECT_EQ(from_json<Observation>(to_json(observation)), observation);
  EXPECT_EQ(from_json<Hyperparameters>(to_json(some_fit())), some_fit());
}

// The form in which every version has stored a fit; studies that are years old hold it.
TEST(Records, AFitIsStoredByNames) {
  const std::string text =
      R"({"observations":3,"family":"matern32","log_evidence":-1.5,"parameters":[)"
      R"({"name":"variance","value":2.0,"low":1.0,"high":4.0},)"
      R"({"name":"lengthscale[0]","value":0.5,"low":0.25,"high":1.0},)"
      R"({"name":"lengthscale[1]","value":0.75,"low":0.75,"high":0.75},)"
      R"({"name":"noise_var","value":0.1,"low":0.0,"high":1.0},)"
      R"({"name":"mean","value":-1.0,"low":-2.0,"high":0.0},{"name":"slope[0]","value":3.0,"low":3.0,"high":3.0},)"
      R"({"name":"slope[1]","value":4.0,"low":4.0,"high":4.0}],"notes":["few data"]})";
  const auto fit = from_json<Hyperparameters>(text);
  EXPECT_EQ(fit.variance, FittedNumber(2, 1, 4));
  EXPECT_EQ(fit.lengthscale, (std::vector<FittedNumber>{{0.5, 0.25, 1}, 0.75}));
  EXPECT_EQ(fit.noise_var, FittedNumber(0.1, 0, 1));
  EXPECT_EQ(fit.mean, (std::vector<FittedNumber>{{-1, -2, 0}, 3.0, 4.0}));
  EXPECT_FALSE(fit.nugget.has_value());
  EXPECT_EQ(to_json(fit), text);
}

RC_GTEST_PROP(Records, DoublesComeBackBitForBit, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const auto back = from_json<Answer>(to_json(Answer{value, {}, 1}));
  RC_ASSERT(std::bit_cast<std::uint64_t>(back.value) == bits);
}

TEST(Records, RefuseNanUnknownKeysAndDoubledOnes) {
  expect_refusal([] { to_json(Answer{std::nan(""), {}, 1}); }, {"nan"});
  expect_refusal([] { from_json<Answer>(R"({"value": "inf"})"); }, {"record.value", "\"inf\"", "a number"});
  expect_refusal([] { from_json<Answer>(R"({"value": 1, "replicates": 0})"); }, {"record.replicates", "0", ">= 1"});
  expect_refusal([] { from_json<Answer>(R"({"valu": 1})"); }, {"unknown key \"valu\"", "\"value\""});
  expect_refusal([] { from_json<Answer>(R"({"value": 1, "value": 2})"); }, {"given twice"});
  expect_refusal([] { from_json<Answer>("{}"); }, {"missing key \"value\""});
  expect_refusal([] { from_json<Answer>(R"({"value": 1e999})"); }, {"record", "JSON"});
  expect_refusal([] { body_from_json("tlod", "{}"); }, {"\"tlod\"", "\"told\""});
  expect_refusal([] { from_json<Event>(R"({"seq": 1, "time": 0, "kind": "told"})"); }, {"missing key \"body\""});
  expect_refusal([] { from_json<Trial>("[1]"); }, {"record: is [1]", "an object"});
}

TEST(Records, TextThatIsNotUtf8IsReplaced) {
  const Failed failed{1, "said \xFF\xFE", ""};
  EXPECT_EQ(std::get<Failed>(body_from_json("failed", body_to_json(failed))).reason, "said \xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace iqbo
