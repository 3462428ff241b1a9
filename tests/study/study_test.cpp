// Ask and tell: traces, leases, budgets, lists that end.
#include <gtest/gtest.h>

#include <set>

#include "study_cases.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_error;
using test::fitted_bundle;
using test::given_bundle;
using test::once_bundle;
using test::steps;
using test::StudyIn;
using test::survey;
using test::trace;

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
    if (t % 5 == 0) study.best();  // looking changes nothing
  }
  EXPECT_EQ(trace(whole), trace(Study::open(other, Access::kReadOnly)));
  EXPECT_EQ(whole.best(), Study::open(other).best());
}

// Members of an ensemble that disagree about a query are told the same of it, so that the next one in a batch is another one;
// and what has failed is left aside for a while, although queries may be repeated.
TEST(Study, ABatchSpreadsAndFailedQueriesRest) {
  Study study = Study::create("memory:spread", test::template_bundle("districts"));
  for (int t = 0; t < 7; ++t) study.tell(study.ask().trials.at(0).number, {1.0 + t});
  AskOptions eight;
  eight.count = 8;
  std::set<std::string> names;
  const AskResult batch = study.ask(eight);
  for (const Trial& trial : batch.trials) names.insert(trial.name);
  EXPECT_GE(names.size(), 5U) << "one name eight times, where members kept their own opinions";
  for (const Trial& trial : batch.trials) study.fail(trial.number, "a flood");
  EXPECT_EQ(names.count(study.ask().trials.at(0).name), 0U);
}

// One exact answer among others, where f = exp(eta) is tried too, which has no limit without noise.
TEST(Study, OneExactAnswerAmongOthers) {
  Study study = Study::create("memory:exact", test::template_bundle("districts"));
  const auto tell = [&](const char* name, double value, std::optional<double> sd) {
    Answer answer{value};
    answer.noise_sd = sd;
    study.tell_query(name, answer);
  };
  for (const auto& [name, value] : {std::pair("d19", 3.0), {"d8", 3.31}, {"d4", 3.5}, {"d22", 3.1}})
    tell(name, value, 0.1);
  tell("d23", 2.8, 0.0);
  for (const auto& [name, value] : {std::pair("d15", 3.1), {"d2", 3.0}, {"d16", 4.15}, {"d6", 2.8}})
    tell(name, value, {});
  const RecommendationRecord best = study.best();
  EXPECT_GT(best.mean, 3.5);
  EXPECT_LT(best.high, 8.0);
  EXPECT_EQ(study.ask().trials.size(), 1U);
}

// A unit prior is nobody's statement, so no answer contradicts it.
TEST(Study, AHugeFirstAnswerContradictsNothing) {
  Study study = Study::create("memory:huge", test::template_bundle("districts"));
  study.tell(study.ask().trials.at(0).number, {1e15});
  const RecommendationRecord first = study.best();
  EXPECT_GE(first.high, 1e15);
  EXPECT_EQ(study.history().trials.size(), 1U);
  study.tell(study.ask().trials.at(0).number, {101324.7});
  EXPECT_GE(study.best().high, 1e15);
  EXPECT_EQ(study.history().trials.size(), 2U);
}

// Leaving pairs out says nothing while their copies stay.
TEST(Study, ALogThatIsThereTwiceTeachesWhatItTeachesOnce) {
  const SpecBundle once = test::template_bundle("trial");
  SpecBundle twice = once;
  std::string& pairs = twice.files.at("pairs.csv");
  pairs += pairs.substr(pairs.find('\n') + 1);
  Study one = Study::create("memory:log once", once), two = Study::create("memory:log twice", twice);
  for (int t = 0; t < 4; ++t)
    for (Study* each : {&one, &two}) each->tell(each->ask().trials.at(0).number, {1.0 + t});
  EXPECT_EQ(one.best().x, two.best().x);
  EXPECT_EQ(one.best().high, two.best().high);
  EXPECT_EQ(two.learned().find("every logged pair is there 2 times"), 0U) << two.learned();
  EXPECT_EQ(one.learned().find("every logged pair"), std::string::npos);
  Study later = Study::create("memory:log later", once);
  const std::string& log = once.files.at("pairs.csv");
  later.import_pairs(parse_csv(log, "pairs.csv"), "pairs.csv");
  EXPECT_EQ(later.learned(), two.learned());
}

// Telling must not cost what reading large tables does; so a study can be told whose tables nobody can read.
TEST(Study, IsToldWithoutItsTables) {
  SpecBundle bundle = given_bundle();
  for (auto& [name, text] : bundle.files) text = "not,the\ncolumns,expected\n";
  Storage storage = Storage::create("memory:unread", bundle);
  Trial draft;
  draft.query = {0.0};
  ASSERT_TRUE(storage.claim({draft}, 0, "w", 60));
  Study study = Study::open("memory:unread");
  EXPECT_EQ(study.tell(0, {1.5}).verdict, Settled::Verdict::kStored);
  EXPECT_EQ(study.tell(0, {1.5}).verdict, Settled::Verdict::kRepeated);
  expect_error<std::invalid_argument>([&] { study.tell(0, {2.5}); }, {"trial 0 was told value 1.5, not 2.5"});
  expect_error<std::invalid_argument>([&] { study.amend(0, {1e200}); }, {"value is 1e+200"});
  EXPECT_EQ(study.amend(0, {2.5}).trial.answer->value, 2.5);
  EXPECT_EQ(study.names().spec.budget, 9.0);
  expect_error<std::invalid_argument>([&] { study.data(); }, {"q.csv"});
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
  const AskResult three = study.ask({3});
  ASSERT_EQ(three.trials.size(), 3U);
  EXPECT_EQ(study.status().pending, 3);
  const AskResult again = study.ask({3});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(again.trials.at(i).query, three.trials[i].query) << "given back";
  const Trial next = study.ask({1, {0, 1, 2}}).trials.at(0);
  EXPECT_EQ(next.number, 3);
}

TEST(Study, SpendsTheBudgetAndNotMore) {
  Study study = Study::create("memory:budget", given_bundle());
  for (int t = 0; t < 30; ++t) {
    const AskResult asking = study.ask();
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
    const AskResult asking = study.ask();
    if (asking.trials.empty()) break;
    study.tell(asking.trials[0].number, {std::sin(6.0 * asking.trials[0].query[0])});
  }
  const StudyStatus status = study.status();
  EXPECT_LE(status.spent, 8.0);
  EXPECT_GT(status.spent, 7.0) << "the cheaper resolution would still have been paid";
  EXPECT_NE(study.ask().why.at(0).find("no query is affordable"), std::string::npos);
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
  const AskResult none = study.ask();
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
    const AskResult asking = study.ask();
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
  const AskResult all = study.ask({14});
  EXPECT_EQ(all.trials.size(), 3U);
  EXPECT_NE(all.why.back().find("every query"), std::string::npos) << all.why.back();
  EXPECT_TRUE(study.snapshot().next_query.empty());
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

// With one answer nothing is fitted, and the interval is that of a guess: whoever shows it is told.
TEST(Study, AnIntervalOfNoFitSaysSo) {
  Study study = Study::create("memory:oneanswer", fitted_bundle());
  steps(study, 1);
  ASSERT_FALSE(study.best().notes.empty());
  EXPECT_NE(study.best().notes[0].find("fewer than two answers"), std::string::npos);
  const double z = std::abs(study.storage().trial(0).answer->value);
  EXPECT_LT(study.best().low, study.best().mean - z);
  EXPECT_GT(study.best().high, study.best().mean + z);
  EXPECT_LT(study.best().probability, 0.5);
  EXPECT_EQ(study.snapshot(false).best->notes, study.best().notes);
  steps(study, 1);
  for (const std::string& note : study.best().notes) EXPECT_EQ(note.find("fewer than two"), std::string::npos);
}

}  // namespace
}  // namespace iqbo
