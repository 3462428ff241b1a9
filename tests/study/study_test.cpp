#include "iqbo/study/study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "iqbo/core/rng.hpp"
#include "iqbo/record/json.hpp"
#include "storage/places.hpp"
#include "support/errors.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo {
namespace {

using test::expect_error;
using test::Place;

// A district's average of a bump around pixel (11, 4), and noise that depends on the trial alone.
double survey(const Trial& trial) {
  const double d = trial.query[0];
  Rng rng(9, {static_cast<std::uint64_t>(trial.number)});
  return 10.0 * std::exp(-0.02 * (d - 13.0) * (d - 13.0)) + 0.3 * rng.normal();
}

SpecBundle fitted_bundle() { return test::template_bundle("districts"); }
SpecBundle given_bundle() { return test::every_kind()[6].second; }  // bags, costs, budget 9

SpecBundle once_bundle() {
  return test::line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q"})",
                           R"("conditional": {"kind": "bags", "bags": "bags.csv"},
                              "policy": {"name": "auto", "repeats": false}, )" +
                               test::kGivenPrior);
}

std::string trace(const Study& study) {
  std::string out;
  for (Trial trial : study.storage().trials()) {
    trial.worker.clear();
    trial.lease_until = 0;
    trial.handouts = 1;
    out += to_json(trial) + "\n";
  }
  return out;
}

void steps(Study& study, int count) {
  for (int t = 0; t < count; ++t)
    for (const Trial& trial : study.ask().trials) study.tell(trial.number, {survey(trial)});
}

class StudyIn : public testing::TestWithParam<const char*> {
 protected:
  Place place_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, StudyIn, testing::Values("memory", "sqlite", "postgresql"),
                         [](const auto& kind) { return std::string(kind.param); });

// Closed and opened again after every step, in between an ask and its tell too: the same trace, bit for bit.
TEST_P(StudyIn, ResumesToTheSameTrace) {
  const std::string once = place_.fresh();
  Study whole = Study::create(once, fitted_bundle());
  steps(whole, 14);
  const std::string other = place_.fresh();
  { Study::create(other, fitted_bundle()); }
  for (int t = 0; t < 14; ++t) {
    std::int64_t number = -1;
    {
      Study study = Study::open(other);
      number = study.ask().trials.at(0).number;
    }
    Study study = Study::open(other);
    const Trial again = study.ask().trials.at(0);
    EXPECT_EQ(again.number, number) << "its own unfinished trial at once";
    study.tell(number, {survey(again)});
    if (t % 5 == 0) study.recommend();  // looking changes nothing
  }
  EXPECT_EQ(trace(whole), trace(Study::open(other, Access::kReadOnly)));
  EXPECT_EQ(whole.recommend(), Study::open(other).recommend());
}

// Amendments and imports are events like others: whoever opens the study after them chooses the same.
TEST(Study, ChangesOfThePastDoNotDependOnWhoWasThere) {
  const auto campaign = [](const std::string& location, bool reopen) {
    auto study = std::make_unique<Study>(Study::create(location, fitted_bundle()));
    for (int t = 0; t < 13; ++t) {
      if (reopen) study = std::make_unique<Study>(Study::open(location));
      steps(*study, 1);
      if (t == 6) study->amend(2, {7.5});
      if (t == 9) study->import_values(parse_csv("pixel,value\np40,3.5\n", "v.csv"), "v.csv");
      if (t == 10) study->import_observations(parse_csv("district,value,replicates\nd3,4.5,2\n", "o.csv"), "o.csv");
    }
    return trace(*study);
  };
  EXPECT_EQ(campaign("memory:stays", false), campaign("memory:leaves", true));
}

TEST_P(StudyIn, TellsAreIdempotentAndAmendmentsKept) {
  Study study = Study::create(place_.fresh(), given_bundle());
  const Trial trial = study.ask().trials.at(0);
  EXPECT_EQ(study.tell(trial.number, {0.5}).verdict, Settled::Verdict::kStored);
  EXPECT_EQ(study.tell(trial.number, {0.5}).verdict, Settled::Verdict::kRepeated);
  expect_error<std::invalid_argument>([&] { study.tell(trial.number, {0.6}); }, {"0.5", "0.6"});
  EXPECT_NEAR(study.predict_g(Rows{{trial.query[0]}}).mean[0], 0.5, 0.01);
  EXPECT_EQ(study.amend(trial.number, {0.6}).verdict, Settled::Verdict::kStored);
  EXPECT_NEAR(study.predict_g(Rows{{trial.query[0]}}).mean[0], 0.6, 0.01);
  EXPECT_EQ(study.status().told, 1);
}

TEST_P(StudyIn, AnExpiredTrialIsHandedOutAgainAndALateTellCountsOnce) {
  double now = 1000.0;
  StudyOptions options;
  options.lease_seconds = 10;
  options.storage.clock = [&] { return now; };
  options.worker = "first";
  const std::string location = place_.fresh();
  Study first = Study::create(location, given_bundle(), options);
  options.worker = "second";
  Study second = Study::open(location, Access::kReadWrite, options);
  const Trial lost = first.ask().trials.at(0);
  EXPECT_NE(second.ask().trials.at(0).query, lost.query) << "while the first is out";
  now += 8;
  EXPECT_TRUE(first.heartbeat(lost.number));
  now += 8;
  EXPECT_EQ(second.ask({1, {1}}).trials.at(0).number, 2);
  now += 8;
  const Trial again = second.ask({1, {1, 2}}).trials.at(0);
  EXPECT_EQ(again.number, lost.number);
  EXPECT_FALSE(first.heartbeat(lost.number));
  EXPECT_EQ(first.tell(lost.number, {0.3}).verdict, Settled::Verdict::kStored) << "late, and the first to tell";
  expect_error<std::invalid_argument>([&] { second.tell(lost.number, {0.4}); }, {"0.3"});
  EXPECT_EQ(second.tell(lost.number, {0.3}).verdict, Settled::Verdict::kRepeated);
}

TEST(Study, PendingTrialsAreAccountedFor) {
  Study study = Study::create("memory:pending", given_bundle());
  const Asking three = study.ask({3});
  ASSERT_EQ(three.trials.size(), 3U);
  EXPECT_EQ(study.status().pending, 3);
  const Asking again = study.ask({3});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(again.trials.at(i).query, three.trials[i].query) << "given back";
  const Trial next = study.ask({1, {0, 1, 2}}).trials.at(0);
  EXPECT_EQ(next.number, 3);
}

TEST(Study, SpendsTheBudgetAndNotMore) {
  Study study = Study::create("memory:budget", given_bundle());
  for (int t = 0; t < 30; ++t) {
    const Asking asking = study.ask();
    if (asking.trials.empty()) {
      EXPECT_NE(asking.why.at(0).find("budget"), std::string::npos) << asking.why.at(0);
      break;
    }
    study.tell(asking.trials[0].number, {survey(asking.trials[0])});
  }
  EXPECT_LE(study.status().spent, 9.0);
  EXPECT_GT(study.status().told, 4);
  EXPECT_GE(*study.status().left, 0.0);
}

// Places of a box, two resolutions with costs, and no list of anything.
TEST(Study, SpendsABudgetOnAContinuum) {
  const SpecBundle bundle = test::line_bundle(
      R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}], "resolutions": [0.2, 0.05], "costs": [1, 2.5]})",
      R"("conditional": {"kind": "uniform", "width": "resolution"}, "budget": 8, )" + test::kGivenPrior, "0");
  Study study = Study::create("memory:continuum", bundle);
  for (int t = 0; t < 20; ++t) {
    const Asking asking = study.ask();
    if (asking.trials.empty()) break;
    study.tell(asking.trials[0].number, {std::sin(6.0 * asking.trials[0].query[0])});
  }
  const StudyStatus status = study.status();
  EXPECT_LE(status.spent, 8.0);
  EXPECT_GT(status.spent, 7.0) << "the cheaper resolution would still have been paid";
  EXPECT_NE(study.ask().why.at(0).find("nothing affordable is left"), std::string::npos);
}

TEST(Study, AsksNoMoreThanWanted) {
  Study study = Study::create("memory:most", fitted_bundle());
  EXPECT_EQ(study.ask({5, {}, 3}).trials.size(), 3U);
  EXPECT_TRUE(study.ask({1, {0, 1, 2}, 3}).trials.empty());
  study.fail(0, "a flood");
  EXPECT_EQ(study.ask({5, {1, 2}, 3}).trials.size(), 1U) << "a failed one may be made up for";
}

TEST(Study, AListWithoutRepeatsComesToAnEnd) {
  Study study = Study::create("memory:once", once_bundle());
  steps(study, 3);
  const Asking none = study.ask();
  EXPECT_TRUE(none.trials.empty());
  EXPECT_NE(none.why.at(0).find("every query"), std::string::npos);
}

TEST(Study, AFailedQueryIsLeftAsideForAWhile) {
  Study study = Study::create("memory:failing", given_bundle());
  const Trial first = study.ask().trials.at(0);
  study.fail(first.number, "exit code 1");
  const Trial second = study.ask().trials.at(0);
  EXPECT_NE(second.query, first.query);
  study.tell(second.number, {0.1});
  bool again = false;
  for (int t = 0; t < 3 && !again; ++t) {
    const Trial next = study.ask().trials.at(0);
    again = next.query == first.query;
    study.tell(next.number, {0.2});
  }
  EXPECT_TRUE(again) << "and then asked again";
}

// Failures are not paid for, however many there are; and once nothing else may be asked, they are asked again.
TEST(Study, FailuresDoNotUseUpTheBudget) {
  Study study = Study::create("memory:failures", given_bundle());  // budget 9, costs 1 and 2
  for (int t = 0; t < 12; ++t) {
    const Asking asking = study.ask();
    ASSERT_EQ(asking.trials.size(), 1U) << asking.why.at(0);
    study.fail(asking.trials[0].number, "a flood");
  }
  EXPECT_EQ(study.status().spent, 0.0);
  EXPECT_EQ(*study.status().left, 9.0);
  EXPECT_TRUE(study.snapshot().next_query.size() == 1);
}

TEST(Study, TheLastQueryOfAListIsTriedAgain) {
  Study study = Study::create("memory:last", once_bundle());
  steps(study, 2);
  const Trial last = study.ask().trials.at(0);
  study.fail(last.number, "a flood");
  const Trial again = study.ask().trials.at(0);
  EXPECT_EQ(again.query, last.query);
  study.tell(again.number, {0.5});
  EXPECT_TRUE(study.ask().trials.empty());
}

TEST(Study, ABatchEndsWhereTheListDoes) {
  Study study = Study::create("memory:batch", once_bundle());
  const Asking all = study.ask({14});
  EXPECT_EQ(all.trials.size(), 3U);
  EXPECT_NE(all.why.back().find("every query"), std::string::npos) << all.why.back();
  EXPECT_TRUE(study.snapshot().next_query.empty());
}

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
  const auto refused = [&](const Outcome& outcome, std::initializer_list<std::string_view> pieces) {
    expect_error<std::invalid_argument>([&] { study.tell(trial.number, outcome); }, pieces);
    expect_error<std::invalid_argument>([&] { study.amend(trial.number, outcome); }, pieces);
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
  EXPECT_TRUE(std::isfinite(study.recommend().mean)) << "the largest number does no harm";
}

TEST(Study, APersonMayGiveUpAnyonesTrial) {
  StudyOptions options;
  options.worker = "cluster-7";
  Study run = Study::create("memory:person", given_bundle(), options);
  const Trial trial = run.ask().trials.at(0);
  options.worker = "ann@laptop";
  Study ann = Study::open("memory:person", Access::kReadWrite, options);
  expect_error<std::invalid_argument>([&] { ann.fail(trial.number, "dead"); }, {"held by cluster-7"});
  EXPECT_EQ(ann.fail(trial.number, "dead", FailedBy::kPerson).verdict, Settled::Verdict::kStored);
  EXPECT_EQ(ann.storage().trial(trial.number).reason, "dead (says ann@laptop)");
  EXPECT_EQ(ann.fail(trial.number, "dead", FailedBy::kPerson).verdict, Settled::Verdict::kRepeated);
}

TEST(Study, MistakesInTheLogAreNoted) {
  const std::string exact = R"("kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1}, "noise": 0)";
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
  const auto& notes = study.recommend().notes;
  EXPECT_NE(std::find(notes.begin(), notes.end(), study.warnings()[1]), notes.end());
  EXPECT_EQ(study.snapshot(false).best->notes, notes);
}

// With one answer nothing is fitted, and the interval is that of a guess: whoever shows it is told.
TEST(Study, AnIntervalOfNoFitSaysSo) {
  Study study = Study::create("memory:oneanswer", fitted_bundle());
  steps(study, 1);
  ASSERT_FALSE(study.recommend().notes.empty());
  EXPECT_NE(study.recommend().notes[0].find("unit prior"), std::string::npos);
  EXPECT_EQ(study.snapshot(false).best->notes, study.recommend().notes);
  steps(study, 1);
  for (const std::string& note : study.recommend().notes) EXPECT_EQ(note.find("unit prior"), std::string::npos);
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

// A baseline fits a second model, of (a, z); it is kept beside the first.
TEST_P(StudyIn, FitsOfBaselinesAreTakenFromTheLog) {
  SpecBundle bundle = fitted_bundle();
  bundle.text.replace(bundle.text.find(R"("policy": "auto")"), 16, R"("policy": "ei")");
  const std::string location = place_.fresh();
  Study study = Study::create(location, bundle);
  steps(study, 10);
  const Trial last = study.storage().trials().back();
  ASSERT_TRUE(last.plain_fit.has_value());
  EXPECT_EQ(last.plain_fit->observations, 9);
  EXPECT_NE(last.plain_fit, last.fit);
  const std::string other = place_.fresh();
  { Study::create(other, bundle); }
  for (int t = 0; t < 10; ++t) {
    Study reopened = Study::open(other);
    steps(reopened, 1);
  }
  EXPECT_EQ(trace(study), trace(Study::open(other, Access::kReadOnly)));
}

// Learned once, when the study is made, and again when pairs arrive; everybody else reads it, to the last bit.
TEST_P(StudyIn, WhatWasLearnedIsTakenFromTheLog) {
  const std::string location = place_.fresh();
  Study study = Study::create(location, test::every_kind()[7].second);  // learned
  const auto learned_in = [&](std::int64_t after) {
    const Event event = study.storage().events(after).at(0);
    if (const auto* refit = std::get_if<Refit>(&event.body)) return refit->learned;
    return std::get<ImportedPairs>(event.body).learned;
  };
  ASSERT_TRUE(learned_in(0).has_value());
  steps(study, 2);
  const Rows x{{0.3}, {0.8}};
  EXPECT_EQ(Study::open(location).predict_f(x).mean, study.predict_f(x).mean);
  EXPECT_EQ(Study::open(location).learned(), study.learned());
  study.import_pairs(parse_csv("x,u\n0.3,1\n0.35,1\n", "new.csv"), "new.csv");
  ASSERT_TRUE(learned_in(study.status().last_event - 1).has_value());
  EXPECT_NE(learned_in(study.status().last_event - 1), learned_in(0));
  EXPECT_EQ(Study::open(location).predict_f(x).mean, study.predict_f(x).mean);
  EXPECT_EQ(Study::open(location).learned(), study.learned());
}

// Fits are stored with the trials that used them, and are not made again.
TEST(Study, FitsAreTakenFromTheLog) {
  Study study = Study::create("memory:fits", fitted_bundle());
  steps(study, 10);
  const Trial last = study.storage().trials().back();
  ASSERT_TRUE(last.fit.has_value());
  EXPECT_EQ(last.fit->observations, 9);
  Study again = Study::open("memory:fits");
  EXPECT_EQ(again.fit(), study.fit());
  EXPECT_EQ(again.fit(), last.fit) << "intervals and notes included";
}

// --- a score of the user's own ---

SpecBundle custom_bundle() {
  SpecBundle bundle = fitted_bundle();
  const std::string before = "\"policy\": \"auto\"";
  bundle.text.replace(bundle.text.find(before), before.size(), "\"policy\": \"custom:optimist\"");
  return bundle;
}

StudyOptions with_score(const std::string& name) {
  StudyOptions out;
  out.score = CustomScore{name, [](const Outlook& g, const SampledMaxima&, const Eigen::Ref<const Matrix>&) -> Vector {
                            return g.nu + g.q.cwiseSqrt();
                          }};
  return out;
}

TEST(Study, KeepsTheNameOfACustomScore) {
  Place place("sqlite");
  const std::string location = place.fresh();
  Study study = Study::create(location, custom_bundle(), with_score("optimist"));
  steps(study, 7);
  EXPECT_EQ(study.storage().trials().back().policy, "custom:optimist");
  EXPECT_EQ(study.storage().trials().front().policy, "custom:optimist");

  Study stranger = Study::open(location);  // a program without the function, such as the command line
  EXPECT_EQ(stranger.recommend(), study.recommend());
  const Snapshot seen = stranger.snapshot();
  EXPECT_EQ(seen.x.mean, study.snapshot().x.mean);
  ASSERT_EQ(seen.why.size(), 1U);
  EXPECT_NE(seen.why[0].find("a score that this program does not have"), std::string::npos);
  EXPECT_TRUE(seen.next_query.empty());
  expect_error<std::invalid_argument>([&] { stranger.ask(); },
                                      {"\"custom:optimist\"", "this program does not have", "Python"});
  expect_error<std::invalid_argument>([&] { Study::open(location, Access::kReadWrite, with_score("other")).ask(); },
                                      {"acquisition: is \"other\"", "\"custom:optimist\""});
}

}  // namespace
}  // namespace iqbo
