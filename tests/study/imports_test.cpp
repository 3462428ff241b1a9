// What comes from outside: imports, numbers beyond reason, specs that nothing could be made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "iqbo/core/errors.hpp"
#include "study_cases.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_error;
using test::fitted_bundle;
using test::given_bundle;
using test::steps;
using test::survey;

// One bad row, and p(x given a) could never be learned again: it must not reach the log.
TEST(Study, PairsThatCannotBeMeantAreNotLogged) {
  Study study = Study::create("memory:badpairs", test::every_kind()[7].second);  // nine pairs in the spec
  study.import_pairs(parse_csv("x,u\n0.3,1\n", "good.csv"), "good.csv");
  const std::int64_t events = study.storage().last_event();
  expect_error<std::invalid_argument>([&] { study.import_pairs(parse_csv("u,x\n1,0.3\n2,1e9\n", "p.csv"), "p.csv"); },
                                      {"p.csv", "row 3, column \"x\"", "1e+09", "0 to 1"});
  expect_error<std::invalid_argument>(
      [&] { study.import_pairs(parse_csv("a.u,x\n1,0.3\n1e7,0.2\n", "p.csv"), "p.csv"); },
      {"p.csv", "row 3, column \"a.u\"", "1e+07", "units"});
  EXPECT_EQ(study.storage().last_event(), events);
  EXPECT_EQ(study.pairs().x.rows(), 1);
  EXPECT_EQ(Study::open("memory:badpairs").ask().trials.size(), 1U);
}

TEST(Study, ImportsOutsideTheDomainAreNotLogged) {
  Study study = Study::create("memory:outside", test::every_kind()[0].second);  // a box
  const auto table = [](const char* text) { return parse_csv(text, "t.csv"); };
  expect_error<std::invalid_argument>([&] { study.import_values(table("x,value\n0.5,1\n7,1\n"), "t.csv"); },
                                      {"t.csv: row 3", "\"x\"", "7", "0 to 1"});
  expect_error<std::invalid_argument>([&] { study.import_observations(table("x,value\n-2,1\n"), "t.csv"); },
                                      {"t.csv: row 2", "\"x\"", "-2", "0 to 1"});
  EXPECT_EQ(study.storage().last_event(), 0);
}

// 0.3 is what the grid calls 0.30000000000000004: it has been asked, and is not asked again.
TEST(Study, AnImportedGridPointCountsAsAsked) {
  Study study = Study::create(
      "memory:snap", test::line_bundle(R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 11}]})",
                                       R"("conditional": {"kind": "gaussian", "width": 0.1},
                                          "policy": {"name": "auto", "repeats": false}, "budget": 20, )" +
                                           test::kGivenPrior));
  study.import_observations(parse_csv("x,value\n0.1,1\n0.3,1\n0.6,2\n0.7,1\n", "o.csv"), "o.csv");
  EXPECT_EQ(study.status().spent, 4.0);
  EXPECT_EQ(study.ask({20}).trials.size(), 7U);
}

// What was accepted once must never stop a study: numbers whose squares overflow are refused at the door.
TEST(Study, NumbersBeyondReasonAreRefusedAtTheDoor) {
  Study study = Study::create("memory:huge", fitted_bundle());
  const Trial trial = study.ask().trials.at(0);
  const auto refused = [&](const Answer& answer, std::initializer_list<std::string_view> pieces) {
    expect_error<std::invalid_argument>([&] { study.tell(trial.number, answer); }, pieces);
    expect_error<std::invalid_argument>([&] { study.amend(trial.number, answer); }, pieces);
  };
  refused({-1e308}, {"trial 0", "value", "-1e+308"});
  refused({1.0, 1e200}, {"trial 0", "noise_sd", "1e+200"});
  refused({1.0, {}, std::int64_t{1} << 40}, {"trial 0", "replicates", "2147483647"});
  const auto table = [](const char* text) { return parse_csv(text, "t.csv"); };
  expect_error<std::invalid_argument>(
      [&] { study.import_observations(table("district,value\nd1,1\nd2,1e300\n"), "t.csv"); },
      {"t.csv: row 3", "value", "1e+300"});
  expect_error<std::invalid_argument>(
      [&] { study.import_values(table("pixel,value,noise_sd\np1,1,1e200\n"), "t.csv"); }, {"t.csv: row 2", "noise_sd"});
  study.tell(trial.number, {Study::kLargest, Study::kLargest});
  for (int t = 0; t < 6; ++t) {
    const Trial next = study.ask().trials.at(0);
    study.tell(next.number, {survey(next)});
  }
  EXPECT_TRUE(std::isfinite(study.best().mean)) << "the largest number does no harm";
}

TEST(Study, MistakesInTheLogAreNoted) {
  const std::string exact = R"("kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1}, "noise_sd": 0)";
  Study study = Study::create("memory:notes",
                              test::line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q"})",
                                                R"("conditional": {"kind": "bags", "bags": "bags.csv"}, )" + exact));
  const CsvTable table = parse_csv("q,value\nleft,1\nright,2\n", "o.csv");
  study.import_observations(table, "o.csv");
  EXPECT_TRUE(study.warnings().empty());
  study.import_observations(parse_csv("q,value,noise_sd\nleft,1.5,0.1\n", "p.csv"), "p.csv");
  EXPECT_TRUE(study.warnings().empty()) << "it has noise of its own";
  study.import_observations(table, "o.csv");
  ASSERT_EQ(study.warnings().size(), 1U);
  EXPECT_NE(study.warnings()[0].find("events 1 and 3 imported the same rows from o.csv"), std::string::npos);
  study.import_observations(parse_csv("q,value\nright,2.5\n", "q.csv"), "q.csv");
  ASSERT_EQ(study.warnings().size(), 2U);
  EXPECT_NE(study.warnings()[1].find("right differ (2 and 2.5)"), std::string::npos) << study.warnings()[1];
  for (const auto& predict :
       std::vector<std::function<void()>>{[&] { study.best(); }, [&] { study.ask(); }, [&] { study.snapshot(false); },
                                          [&] { study.history(); }, [&] { study.predict_f(Rows::Zero(1, 1)); }})
    expect_error<NumericalError>(predict, {"what was imported (2.5) contradicts what was imported (2)", "right",
                                           "Nothing is lost", R"("noise_sd": "auto")"});
}

// Different answers at noise 0 are told, kept and named, until the noise of one is stated.
TEST(Study, ContradictionsAreNamedAndMended) {
  for (const std::string goal : {"maximize", "minimize"}) {
    Study study =
        Study::create("memory:contradiction" + goal,
                      test::line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q"})",
                                        R"("conditional": {"kind": "bags", "bags": "bags.csv"}, "goal": ")" + goal +
                                            R"(", "policy": "ucb", "mean": 0.7,
                                                      "kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1}, "noise_sd": 0)"));
    std::map<std::string, std::int64_t> first;
    std::optional<std::pair<std::int64_t, std::int64_t>> repeat;
    while (!repeat) {
      const Trial trial = study.ask().trials.at(0);
      const auto [known, fresh] = first.emplace(trial.name, trial.number);
      if (!fresh) repeat = {known->second, trial.number};
      study.tell(trial.number, {fresh ? 1.0 : 1.5});
    }
    const std::string again = std::to_string(repeat->second);
    const std::string text = "trial " + again + " (1.5) contradicts trial " + std::to_string(repeat->first) + " (1)";
    const std::string remedy = "iqbo tell " + again + " 1.5 --amend --sd 0.5";
    const std::int64_t told = study.status().told;
    expect_error<NumericalError>([&] { study.best(); }, {text, remedy});
    expect_error<NumericalError>([&] { study.ask(); }, {text, remedy});
    EXPECT_EQ(study.status().told, told);
    EXPECT_EQ(study.status().pending, 0);
    study.amend(repeat->second, {1.5, 0.5});
    EXPECT_TRUE(std::isfinite(study.best().mean));
    EXPECT_EQ(study.ask().trials.size(), 1U);
  }
}

TEST(Study, ImportsAtAnyTime) {
  Study study = Study::create("memory:imports", test::every_kind()[7].second);  // learned
  steps(study, 1);
  const auto table = [](const char* text) { return parse_csv(text, "new.csv"); };
  EXPECT_EQ(study.import_observations(table("q,value,noise_sd,replicates\nright,2,,4\nleft,1,0.1,1\n"), "new.csv"), 2U);
  EXPECT_EQ(study.import_values(table("x,value\n0.8,2.1\n"), "new.csv"), 1U);
  const double before = study.predict_f(Rows{{0.3}}).mean[0];
  EXPECT_EQ(study.import_pairs(table("x,u\n0.3,1\n0.35,1\n"), "new.csv"), 2U);
  EXPECT_NE(study.predict_f(Rows{{0.3}}).mean[0], before) << "p(x given a) was learned anew";
  const StudyStatus status = study.status();
  EXPECT_EQ(status.imported, 2);
  EXPECT_EQ(status.values, 1);
  EXPECT_EQ(status.pairs, 2);
  expect_error<std::invalid_argument>([&] { study.import_observations(table("u,value\n1.5,2\n"), "new.csv"); }, {"a"});
  EXPECT_NEAR(study.predict_f(Rows{{0.8}}).mean[0], 2.1, 0.2);
  EXPECT_EQ(study.ask().trials.size(), 1U);
}

TEST(Study, RefusesPairsWhereNothingIsLearned) {
  Study study = Study::create("memory:nopairs", given_bundle());
  expect_error<std::invalid_argument>([&] { study.import_pairs(parse_csv("x,u\n1,2\n", "p"), "p"); },
                                      {"pairs", "learned"});
}

// A study whose spec makes no policy is not created.
TEST(Study, RefusesASpecBeforeAnythingIsWritten) {
  const SpecBundle wrong = test::line_bundle(R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]})",
                                             R"("conditional": {"kind": "gaussian", "width": 0.1}, "budget": 0.5)");
  expect_error<std::invalid_argument>([&] { Study::create("memory:wrong", wrong); }, {"budget"});
  EXPECT_FALSE(study_exists("memory:wrong"));
}

TEST(Study, RefusesNonsense) {
  Study study = Study::create("memory:nonsense", given_bundle());
  const Trial trial = study.ask().trials.at(0);
  expect_error<std::invalid_argument>([&] { study.tell(trial.number, {std::nan("")}); }, {"value"});
  expect_error<std::invalid_argument>([&] { study.tell(trial.number, {1.0, -1.0}); }, {"noise_sd"});
  expect_error<std::invalid_argument>([&] { study.tell(trial.number, {1.0, {}, 0}); }, {"replicates"});
  expect_error<std::invalid_argument>([&] { study.tell(17, {1.0}); }, {"17"});
  expect_error<std::invalid_argument>([&] { study.ask({0}); }, {"count"});
  expect_error<std::invalid_argument>([&] { study.predict_f(Rows{{1.0, 2.0}}); }, {"x", "2 columns"});
  EXPECT_EQ(study.status().pending, 1);
}

}  // namespace
}  // namespace iqbo
