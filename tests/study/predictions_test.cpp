// What is predicted of f where the recommendation is, against what the recommendation says.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "iqbo/study/study.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo {
namespace {

// Windows over [0, 1], with `more` in the spec: how answers are modelled.
SpecBundle windows(const std::string& more) {
  return {
      R"({"version": 2, "seed": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 21}]},
              "queries": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 21}]},
              "conditional": {"kind": "gaussian", "width": 0.05}, "policy": "ei", )" +
          more + "}",
      {}};
}

constexpr const char* kGiven =
    R"("kernel": {"family": "rbf", "variance": 1, "lengthscale": [0.3]}, "mean": 0, "noise_sd": 0.01)";
constexpr const char* kFitted = R"("fit": "point")";

// Answers that differ by far more than they should where a query is repeated.
void tell_surprises(Study& study, double level) {
  std::string text = "x,value\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(0.05 * (i % 21)) + "," + std::to_string(level + 0.4 * ((7 * i) % 5 - 2)) + "\n";
  study.import_observations(parse_csv(text, "z.csv"), "z.csv");
}

Prediction at_recommended(Study& study) { return study.predict_f(Rows{{study.best().x[0]}}); }

TEST(Predictions, AreWidenedAsTheRecommendationIs) {
  Study study = Study::create("memory:given", windows(kGiven));
  tell_surprises(study, 0.0);
  const RecommendationRecord best = study.best();
  ASSERT_TRUE(best.widened);
  EXPECT_GT(*best.widened, 2.0);
  const Prediction f = at_recommended(study);
  EXPECT_NEAR(f.mean[0], best.mean, 1e-9);
  EXPECT_NEAR(f.sd[0], best.sd, 1e-9);
  EXPECT_NEAR(f.low[0], best.low, 1e-9);
  EXPECT_NEAR(f.high[0], best.high, 1e-9);
}

TEST(Predictions, OfAFittedModelAreThoseOfTheRecommendation) {
  Study study = Study::create("memory:fitted", windows(kFitted));
  tell_surprises(study, 0.0);
  const RecommendationRecord best = study.best();
  const Prediction f = at_recommended(study);
  EXPECT_NEAR(f.high[0] - f.low[0], best.high - best.low, 1e-7 * (best.high - best.low));
}

// An ensemble's interval is of its quantiles, also where nothing was off.
TEST(Predictions, OfAnEnsembleAreThoseOfTheRecommendation) {
  Study study = Study::create("memory:ensemble", test::template_bundle("districts"));
  for (int t = 0; t < 7; ++t) study.tell(study.ask().trials.at(0).number, {1.0 + t});
  const RecommendationRecord best = study.best();
  const Prediction f = study.predict_f(Rows{{best.x[0], best.x[1]}});
  EXPECT_NEAR(f.mean[0], best.mean, 1e-6);
  EXPECT_NEAR(f.low[0], best.low, 1e-6);
  EXPECT_NEAR(f.high[0], best.high, 1e-6);
  EXPECT_GT(std::abs(f.low[0] + f.high[0] - 2.0 * f.mean[0]), 1e-3)
      << "not symmetric, so that quantiles are told apart";
}

// Two answers that hardly differ do not say that f hardly varies.
TEST(Predictions, AfterTwoAnswersAreThoseOfStudentsLaw) {
  const auto width = [](int answers) {
    Study study = Study::create("memory:few" + std::to_string(answers), windows(kFitted));
    for (int i = 0; i < answers; ++i)
      study.import_observations(
          parse_csv("x,value\n" + std::to_string(0.2 + 0.1 * i) + "," + std::to_string(4 + 0.01 * (i % 2)) + "\n",
                    "z.csv"),
          "z.csv");
    const RecommendationRecord best = study.best();
    const Prediction f = at_recommended(study);
    EXPECT_NEAR(f.high[0] - f.low[0], best.high - best.low, 1e-7 * (best.high - best.low));
    EXPECT_EQ(best.widened.has_value(), answers < 4);
    return best.high - best.low;
  };
  EXPECT_GT(width(2), 2.0 * width(4));
}

// f = exp(eta): the interval is widened on the scale of eta, and stays positive.
TEST(Predictions, OfALogLinkAreThoseOfTheRecommendation) {
  Study study = Study::create("memory:log", windows(R"("link": "log", "fit": "point", "noise_sd": 0.02)"));
  tell_surprises(study, 3.0);
  const RecommendationRecord best = study.best();
  ASSERT_TRUE(best.widened);
  const Prediction f = at_recommended(study);
  EXPECT_NEAR(f.low[0], best.low, 1e-6 * best.low);
  EXPECT_NEAR(f.high[0], best.high, 1e-6 * best.high);
  EXPECT_GT(f.low[0], 0.0);
}

// Of an average whose answers were off by so many times, the forecast says so too.
TEST(Predictions, OfAveragesAreAsWideAsForecastsWereOff) {
  Study study = Study::create("memory:averages", windows(kGiven));
  const double before = study.predict_g(Rows{{0.5}}).sd[0];
  tell_surprises(study, 0.0);
  Study sure = Study::create("memory:sure", windows(kGiven));
  std::string text = "x,value\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(0.05 * (i % 21)) + ",0.2\n";
  sure.import_observations(parse_csv(text, "z.csv"), "z.csv");
  EXPECT_LT(sure.predict_g(Rows{{0.5}}).sd[0], before);
  EXPECT_NEAR(study.predict_g(Rows{{0.5}}).sd[0], *study.best().widened * sure.predict_g(Rows{{0.5}}).sd[0], 1e-6);
}

// One answer says nothing of how f varies: what is predicted of f is no surer than the recommendation.
TEST(Predictions, AfterOneAnswerAreAsWideAsTheAnswerIsLarge) {
  Study study = Study::create("memory:one", windows(kFitted));
  study.import_observations(parse_csv("x,value\n0.5,3800\n", "z.csv"), "z.csv");
  const RecommendationRecord best = study.best();
  const Prediction f = at_recommended(study);
  EXPECT_LE(f.low[0], 0.0);
  EXPECT_NEAR(f.high[0] - f.low[0], best.high - best.low, 1e-6 * (best.high - best.low));
}

}  // namespace
}  // namespace iqbo
