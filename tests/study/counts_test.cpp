// Studies whose answers are counts: told, imported, amended, minimised, predicted, and continued.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "study_cases.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_error;

Answer counted(std::int64_t count, std::optional<double> exposure = {}) {
  Answer out;
  out.count = count;
  out.exposure = exposure;
  return out;
}

SpecBundle counts_bundle(const std::string& rest) {
  return test::line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q", "cost": "price"})",
                           R"("conditional": {"kind": "bags", "bags": "bags.csv"}, )" + rest);
}
const std::string kRates = R"("answers": "poisson", "value": {"name": "rate", "per": 1000})";

TEST(CountStudy, ToldCountsAreRatesInTheUsersUnits) {
  Study study = Study::create("memory:told", counts_bundle(kRates));
  study.ask({3});
  EXPECT_EQ(study.tell(0, counted(12, 2000)).trial.answer->value, 6.0);
  EXPECT_EQ(study.tell(0, counted(12, 2000)).verdict, Settled::Verdict::kRepeated);
  study.tell(1, counted(0, 1500));  // nothing seen is an answer like any other
  study.tell(2, counted(30, 1000));
  expect_error<std::invalid_argument>([&] { study.tell(0, counted(13, 2000)); }, {"count 12, not 13", "--amend"});
  const RecommendationRecord best = study.best();
  EXPECT_GT(best.low, 0.0);
  EXPECT_GT(best.mean, 6.0);
  EXPECT_LT(best.mean, 200.0);
  const Prediction said = study.predict_g(Rows{{0}, {1}, {2}});
  EXPECT_TRUE((said.low.array() > 0.0).all());
  EXPECT_TRUE((said.low.array() < said.mean.array()).all() && (said.mean.array() < said.high.array()).all());
  study.amend(0, counted(13, 2000));
  EXPECT_EQ(study.storage().trial(0).answer->value, 6.5);
}

TEST(CountStudy, RefusesWhatCannotHaveBeenCounted) {
  Study study = Study::create("memory:refuses", counts_bundle(R"("answers": "binomial")"));
  study.ask();
  const auto refused = [&](const Answer& answer, std::initializer_list<std::string_view> words) {
    expect_error<std::invalid_argument>([&] { study.tell(0, answer); }, words);
  };
  refused({0.2}, {"trial 0", "value", "12/2000", "answers of this study are counts"});
  refused(counted(3), {"trial 0", "no exposure"});
  refused(counted(-1, 10), {"trial 0", "count -1"});
  refused(counted(11, 10), {"trial 0", "11 of 10"});
  refused(counted(1, 10.5), {"trial 0", "10.5", "whole"});
  Answer noisy = counted(1, 10);
  noisy.noise_sd = 0.1;
  refused(noisy, {"trial 0", "noise_sd"});
  const auto past = [&](const char* csv) { study.import_observations(parse_csv(csv, "past.csv"), "past.csv"); };
  expect_error<std::invalid_argument>([&] { past("q,count,trials\nleft,3,20\nright,21,20\n"); },
                                      {"past.csv: row 3", "21 of 20"});
  EXPECT_EQ(study.storage().last_event(), 1);  // the question alone
  Study plain = Study::create("memory:plain", test::given_bundle());
  plain.ask();
  expect_error<std::invalid_argument>([&] { plain.tell(0, counted(1, 10)); }, {"trial 0", "count", "\"answers\""});
}

TEST(CountStudy, TheSpecGivesTheExposureThatIsNotTold) {
  Study listed = Study::create("memory:listed", counts_bundle(kRates + R"(, "exposure": "price")"));
  const Trial asked = listed.ask().trials[0];
  const double price = asked.name == "middle" ? 2.0 : 1.0;
  EXPECT_EQ(listed.tell(0, counted(4)).trial.answer->exposure, price);
  EXPECT_EQ(listed.import_observations(parse_csv("q,cases\nmiddle,3\nleft,1\n", "p.csv"), "p.csv"), 2U);
  Study all = Study::create("memory:all", counts_bundle(kRates + R"(, "exposure": 250)"));
  all.ask();
  EXPECT_EQ(all.tell(0, counted(1)).trial.answer->value, 4.0);
  EXPECT_EQ(all.tell(0, counted(1, 250)).verdict, Settled::Verdict::kRepeated);
}

TEST(CountStudy, AnUnknownExposureIsTheMedianOfThoseToldAndThatIsSaid) {
  Study study = Study::create("memory:median", counts_bundle(kRates));
  study.import_observations(
      parse_csv("q,count,exposure\nleft,3,100\nmiddle,9,300\nright,5,700\nleft,2,120\nright,4,650\n", "p.csv"),
      "p.csv");
  const Trial next = study.ask().trials[0];
  bool said = false;
  for (const std::string& why : next.why) said |= why.find("300, the median") != std::string::npos;
  EXPECT_TRUE(said);
  const CountForecast usual = study.predict_counts(Rows{{0}});
  EXPECT_EQ(usual.exposure[0], 300.0);
  const CountForecast more = study.predict_counts(Rows{{0}}, Vector{{3000.0}});
  EXPECT_NEAR(more.mean[0], 10.0 * usual.mean[0], 1e-9 * more.mean[0]);
  EXPECT_LE(more.low[0], more.mean[0]);
  EXPECT_GE(more.high[0], more.mean[0]);
}

// Fewest defects of N are most of what is in order of N.
TEST(CountStudy, AProportionMayBeMinimised) {
  const std::string binomial = R"("answers": "binomial", "link": "logit", "fit": "point", "value": {"per": 100}, )";
  Study least = Study::create("memory:least", counts_bundle(binomial + R"("goal": "minimize")"));
  Study most = Study::create("memory:most", counts_bundle(binomial + R"("goal": "maximize")"));
  const char* defects = "q,count,trials\nleft,30,100\nmiddle,2,100\nright,25,100\nleft,33,100\nright,20,90\n";
  const char* rest = "q,count,trials\nleft,70,100\nmiddle,98,100\nright,75,100\nleft,67,100\nright,70,90\n";
  least.import_observations(parse_csv(defects, "d.csv"), "d.csv");
  most.import_observations(parse_csv(rest, "d.csv"), "d.csv");
  const RecommendationRecord low = least.best(), high = most.best();
  EXPECT_EQ(low.x, high.x);
  EXPECT_NEAR(low.mean, 100.0 - high.mean, 1e-9);
  EXPECT_NEAR(low.low, 100.0 - high.high, 1e-9);
  EXPECT_NEAR(low.sd, high.sd, 1e-9);
  EXPECT_LT(low.mean, 15.0);
  const CountForecast few = least.predict_counts(Rows{{1}}, Vector{{50.0}});
  const CountForecast many = most.predict_counts(Rows{{1}}, Vector{{50.0}});
  EXPECT_NEAR(few.mean[0], 50.0 - many.mean[0], 1e-9);
  EXPECT_EQ(few.high[0], 50.0 - many.low[0]);
}

TEST(CountStudy, ProposesAnExposureWithTheQueryWithinTheBudget) {
  const std::string chosen = kRates + R"(, "exposure": {"choices": [100, 1000], "cost": 0.01}, "budget": 40)";
  Study study = Study::create("memory:chosen", counts_bundle(chosen));
  std::mt19937_64 random(5);
  std::map<double, int> asked;
  for (int t = 0; t < 12; ++t) {
    const AskResult said = study.ask();
    if (said.trials.empty()) break;
    const Trial& trial = said.trials[0];
    const double exposure = trial.query.back(), price = trial.name == "middle" ? 2.0 : 1.0;
    EXPECT_FALSE(trial.name.empty());
    EXPECT_EQ(trial.cost, price + 0.01 * exposure);
    ++asked[exposure];
    const double rate = trial.name == "middle" ? 0.02 : 0.005;
    const auto told = study.tell(trial.number, counted(std::poisson_distribution<int>(rate * exposure)(random)));
    EXPECT_EQ(told.trial.answer->exposure, exposure);
  }
  EXPECT_LE(study.status().spent, 40.0);
  EXPECT_GE(asked.size(), 1U);
  EXPECT_NEAR(study.best().x[0], 0.5, 0.3);
  const Snapshot now = study.snapshot();
  EXPECT_EQ(now.a.names, (std::vector<std::string>{"left", "left", "middle", "middle", "right", "right"}));
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  if (at != std::string::npos) text.replace(at, part.size(), by);
  return text;
}

// Boxes and grids, windows that are cut, bags, learned laws, resolutions, trees, cells: given a kernel, and fitted.
TEST(CountStudy, EveryKindOfQueryIsCounted) {
  const std::string given = R"("answers": "poisson", "link": "log", "mean": 0.05,
                               "kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1})";
  const std::string fitted = R"("answers": "auto", "fit": "point")";
  for (auto [name, bundle] : test::every_kind()) {
    if (name == "own noise") continue;  // which counts do not have
    for (const std::string& prior : {given, fitted}) {
      SpecBundle of = bundle;
      of.text = replaced(of.text, test::kGivenPrior, prior);
      of.text = replaced(of.text, R"(,
                                   "noise_sds": [0.05, 0.05, 0.1, 0.1])",
                         "");
      Study study = Study::create("memory:" + name + (prior == given ? " given" : " fitted"), of);
      std::mt19937_64 random(2);
      for (int t = 0; t < 6; ++t) {
        const AskResult asked = study.ask();
        if (asked.trials.empty()) break;
        const Trial& trial = asked.trials[0];
        const double rate = 0.02 + 0.1 * std::exp(-10.0 * std::pow(trial.query[0] - 0.6, 2));
        study.tell(trial.number, counted(std::poisson_distribution<int>(200.0 * rate)(random), 200));
      }
      const RecommendationRecord best = study.best();
      EXPECT_TRUE(std::isfinite(best.mean) && best.low >= 0.0 && best.low < best.high) << name;
      const Rows at = Eigen::Map<const Eigen::RowVectorXd>(study.storage().trial(0).query.data(),
                                                           static_cast<Index>(study.storage().trial(0).query.size()));
      const CountForecast next = study.predict_counts(at);
      EXPECT_EQ(next.exposure[0], 200.0) << name;
      EXPECT_LT(next.low[0], next.high[0]) << name;
      EXPECT_FALSE(study.snapshot().a.mean.empty() && study.snapshot().cells.empty()) << name;
    }
  }
}

// Whoever opens the study gets the same, bit for bit; what was fitted is not fitted again.
TEST(CountStudy, IsContinuedWhereItWasLeft) {
  const test::Place place("sqlite");
  const std::string location = place.fresh();
  const SpecBundle bundle = test::template_bundle("counts");
  std::mt19937_64 random(3);
  {
    Study study = Study::create(location, bundle);
    for (int t = 0; t < 8; ++t) {
      const Trial trial = study.ask().trials[0];
      study.tell(trial.number, counted(std::poisson_distribution<int>(3.0 + trial.query[0])(random), 2000));
    }
  }
  Study again = Study::open(location);
  Study third = Study::open(location, Access::kReadOnly);
  EXPECT_EQ(to_json(again.snapshot()), to_json(third.snapshot()));
  const auto next = again.ask().trials[0];
  EXPECT_EQ(next.number, 8);
  ASSERT_TRUE(again.fit());
  EXPECT_FALSE(again.fit()->link.empty());
  EXPECT_TRUE(again.fit()->dispersion);
}

// A rate has no unit of its own: before a fit, all that is known of its level is the first count.
TEST(CountStudy, OneCountSaysHowHighRatesAre) {
  Study study = Study::create("memory:one count", test::template_bundle("counts"));
  study.tell_query("d4", counted(12, 2000));  // 6 of 1,000
  const RecommendationRecord best = study.best();
  EXPECT_GT(best.low, 0.1);
  EXPECT_LT(best.low, 6.0);
  EXPECT_GT(best.high, 6.0);
  EXPECT_LT(best.high, 200.0);
  EXPECT_THAT(best.notes, testing::Contains(testing::HasSubstr("only one answer")));
  const Prediction g = study.predict_g(Rows{{4.0}});
  EXPECT_NEAR(g.mean[0], 6.0, 3.0);
}

// Shares are at most one, whichever link explains the answers best.
TEST(CountStudy, SharesStayInTheirRange) {
  SpecBundle bundle = test::template_bundle("counts");
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(bundle.text.find(from), std::string::npos) << from;
    bundle.text.replace(bundle.text.find(from), from.size(), to);
  };
  replace(R"("answers": "auto")", R"("answers": "binomial")");
  replace(R"("link": "auto")", R"("link": "identity")");
  replace(R"("per": 1000)", R"("per": 100)");
  replace(R"("exposure": "population")", R"("exposure": 200)");
  Study study = Study::create("memory:shares", bundle);
  for (const char* name : {"d4", "d16", "d0", "d2", "d1"}) study.tell_query(name, counted(200, 200));
  study.tell_query("d7", counted(1, 200));
  const RecommendationRecord best = study.best();
  EXPECT_LE(best.mean, 100.0);
  EXPECT_LE(best.high, 100.0);
  EXPECT_GE(best.low, 0.0);
  const Prediction f = study.predict_f(Rows{{best.x[0], best.x[1]}});
  EXPECT_LE(f.mean[0], 100.0);
  EXPECT_LE(f.high[0], 100.0);
  ChanceOptions all;
  all.above = 100.0;
  EXPECT_EQ(study.chances_f(Rows{{best.x[0], best.x[1]}}, all).above[0], 0.0);
}

}  // namespace
}  // namespace iqbo
