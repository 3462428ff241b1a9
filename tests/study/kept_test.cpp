// What a study keeps so that nobody has to find it again: fits, what was learned, the name of a score.
#include <gtest/gtest.h>

#include <filesystem>

#include "iqbo/learned/learned.hpp"
#include "study_cases.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_error;
using test::fitted_bundle;
using test::Place;
using test::steps;
using test::StudyIn;
using test::trace;

// The keys of the spec had other names then.
std::string in_version_1(std::string text) {
  const std::pair<const char*, const char*> renamed[] = {{R"("version": 2)", R"("version": 1)"},
                                                         {R"("targets":)", R"("target":)"},
                                                         {R"("queries":)", R"("query":)"},
                                                         {R"("noise_sd":)", R"("noise":)"}};
  for (const auto& [now, before] : renamed) text.replace(text.find(now), std::string(now).size(), before);
  return text;
}

TEST_P(StudyIn, ASpecOfVersionOneGivesTheSameTrace) {
  SpecBundle bundle = fitted_bundle();
  Study now = Study::create(place_.fresh(), bundle);
  bundle.text = in_version_1(bundle.text);
  const std::string location = place_.fresh();
  { Study::create(location, bundle); }
  Study before = Study::open(location);
  EXPECT_EQ(before.names().spec, now.names().spec);
  EXPECT_EQ(before.storage().bundle().text, bundle.text);  // kept as it was written
  steps(now, 6);
  steps(before, 6);
  EXPECT_EQ(trace(before), trace(now));
}

TEST(Study, OpensTheGoldenStudy) {
  const test::Scratch scratch;
  const std::string file = scratch.file("study.db");
  std::filesystem::copy(std::string(IQBO_SOURCE_DIR) + "/tests/golden/study_v1.db", file);
  Study study = Study::open(file);
  EXPECT_EQ(study.names().spec.targets.coordinates, std::vector<std::string>{"x"});
  EXPECT_EQ(study.names().spec.queries.axes.at(0).name, "x");
  EXPECT_EQ(study.status().told, 1);
  study.tell(1, {0.5});
  EXPECT_EQ(study.status().told, 2);
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

// A spec that names no model means `auto`, as it always has, and so does a LearnedConditional that is told nothing else.
TEST(Study, NoModelMeansWhatTheLibraryMeans) {
  SpecBundle unsaid = test::every_kind()[7].second;  // learned
  const std::string named = R"(, "model": "nw")";
  unsaid.text.replace(unsaid.text.find(named), named.size(), "");
  SpecBundle said = unsaid;
  const std::string pairs = R"("pairs": "pairs.csv")";
  said.text.replace(said.text.find(pairs), pairs.size(), pairs + R"(, "model": "auto")");
  Study of_unsaid = Study::create("memory:unsaid", unsaid);
  EXPECT_EQ(of_unsaid.learned(), Study::create("memory:said", said).learned());
  const auto learned_in = [](const Study& study) {
    return std::get<Refit>(study.storage().events(0).at(0).body).learned->values.at(0).values.at(0);
  };
  LearnedOptions nothing_said;
  nothing_said.domain = InputBox(Vector{{0.0}}, Vector{{1.0}});
  const Inputs x({{0.2}, {0.22}, {0.25}, {0.5}, {0.55}, {0.45}, {0.8}, {0.83}, {0.77}});  // pairs.csv
  const Queries u({{1.0}, {1.0}, {1.0}, {2.0}, {2.0}, {2.0}, {3.0}, {3.0}, {3.0}});
  EXPECT_EQ(learned_in(of_unsaid), fingerprint(x, u, nothing_said));
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
  EXPECT_EQ(stranger.best(), study.best());
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
