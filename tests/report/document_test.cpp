// The document against the records it was made from. That real studies have such records is tested with the program.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/experiment_document.hpp"
#include "report/study_document.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Json = nlohmann::json;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

RecommendationRecord best_at(double x) {
  return {{x}, "", 1.0 / 3, 0.1, 0.2, 0.5, x > 0.5 ? 0.9 : kNan, 0.05, {"a note"}};
}

Trial trial(std::int64_t number, TrialState state, double value) {
  Trial out;
  out.number = number;
  out.query = {0.1 * static_cast<double>(number)};
  out.state = state;
  out.why = {"because.", "Indeed."};
  out.score = -kInf;
  if (state == TrialState::kTold) out.answer = Answer{value, {}, 2};
  if (state == TrialState::kFailed) out.reason = "road closed";
  return out;
}

// Twenty answers, of which `within` lay within the 50 % interval and the others 5 sd away.
History some_history(int within = 10) {
  History out;
  out.status.told = 20;
  out.status.left = 2.5;
  out.now.observations = 20;
  out.now.x = {{{0.0}, {1.0}}, {}, {1.0 / 3, 2.0}, {0.5, 0.25}, {2}};
  out.now.a = {{{0.0}, {0.5}, {1.0}}, {}, {0.1, 0.2, 0.3}, {0, 0, 1}, {3}};
  out.now.scores = {-kInf, -2.5, -3.0};
  out.now.logarithms = true;
  out.now.next = 1;
  out.now.next_query = {0.5};
  out.now.why = {"policy cmes"};
  out.now.policy = "cmes";
  out.now.best = best_at(0.6);
  out.now.best->unseen = 0.25;
  out.now.best->optimum_low = 0.5;
  out.now.best->optimum_high = 1.5;
  for (int i = 0; i < 20; ++i) {
    out.trials.push_back({trial(i, TrialState::kTold, i < within ? 1.0 : 6.0), 100.0, 200.4, 1.0, 1.0, 0});
    if (i % 4 == 0)
      out.frames.push_back(
          {i + 1, i + 1, best_at(i < 8 ? 0.1 : 0.601), {0.12345678, 1}, {1, 1}, {0, kNan, 2}, {1, kNan, 1}});
  }
  out.frames.push_back({20, 22, best_at(0.6), {0, 1}, {1, 1}, {0, 1, 2}, {1, 1, 1}});
  out.trials.push_back({trial(20, TrialState::kFailed, 0), 300, 301, {}, {}, 0});
  out.trials.push_back({trial(21, TrialState::kPending, 0), 300, {}, {}, {}, 0});
  out.footprints = {{FootprintRecord::Kind::kEllipse, {0.5}, {0.1}, {}, {}},
                    {FootprintRecord::Kind::kBox, {0.5}, {0.6}, {}, {}},
                    {FootprintRecord::Kind::kMembers, {}, {}, {0, 1}, {1.0 / 3, 2.0 / 3}}};
  out.imported = {{true, {{0.3}, "p", {4.0, 0.5, 1}}}};
  out.fits = {{.observations = 5,
               .family = "rbf",
               .lengthscale = {{0.2, 0.1, 0.4}},
               .noise_var = {{1e-3, 0, kInf}},
               .log_evidence = -3.25}};
  return out;
}

History untouched() {
  History out;
  out.frames.resize(1);
  return out;
}

Json document_of(const History& history, int kind = 0) {
  const SpecData data = load(test::every_kind()[static_cast<std::size_t>(kind)].second);
  return Json::parse(study_document(data, history, {"iqbo 1", 123.0}));
}

TEST(StudyDocument, HoldsWhatTheRecordsSay) {
  const Json d = document_of(some_history());
  EXPECT_EQ(d["kind"], "study");
  EXPECT_EQ(d["program"], "iqbo 1");
  EXPECT_EQ(d["answer"]["mean"].get<double>(), 1.0 / 3) << "all digits";
  EXPECT_EQ(d["answer"]["unseen"], 0.25);
  EXPECT_EQ(d["answer"]["optimum_low"], 0.5);
  EXPECT_EQ(d["answer"]["optimum_high"], 1.5);
  EXPECT_TRUE(d["frames"][0]["best"]["unseen"].is_null());
  EXPECT_EQ(d["f"]["mean"], Json({0.333333, 2.0})) << "those that can be seen";
  EXPECT_EQ(d["f"]["grid"], Json({2}));
  EXPECT_EQ(d["scores"]["values"], Json({nullptr, -2.5, -3.0}));
  EXPECT_EQ(d["scores"]["next"], 1);
  EXPECT_EQ(d["status"]["left"], 2.5);
  EXPECT_TRUE(d["status"]["budget"].is_null());
  EXPECT_EQ(d["trials"]["state"][20], "failed");
  EXPECT_EQ(d["trials"]["reason"][20], "road closed");
  EXPECT_TRUE(d["trials"]["value"][21].is_null());
  EXPECT_EQ(d["trials"]["why"][0], Json({"because.", "Indeed."}));
  EXPECT_TRUE(d["trials"]["score"][0].is_null());
  for (const auto& column : d["trials"]) EXPECT_EQ(column.size(), 22U);
  EXPECT_EQ(d["footprints"][1], Json::parse(R"({"kind": "box", "lower": [0.5], "upper": [0.6]})"));
  EXPECT_EQ(d["footprints"][2]["weights"], Json({0.33333, 0.66667}));
  EXPECT_EQ(d["observations"][0]["kind"], "value");
  EXPECT_EQ(d["frames"][0]["f_mean"][0], 0.1235) << "the range is 1, a frame shows 4 decimals";
  EXPECT_TRUE(d["frames"][0]["g_mean"][1].is_null());
  EXPECT_TRUE(d["frames"][0]["best"]["probability"].is_null());
  EXPECT_EQ(d["fits"][0]["parameters"][0]["name"], "lengthscale of x");
  EXPECT_TRUE(d["fits"][0]["parameters"][1]["high"].is_null());
  EXPECT_EQ(d["target"]["axes"][0]["to"], 1.0);
  EXPECT_EQ(Json::parse(d["spec"].get<std::string>())["version"], 2);
}

TEST(StudyDocument, SaysSinceWhenTheAnswerIsThere) {
  const Json d = document_of(some_history());
  EXPECT_EQ(d["answer"]["moving"]["since"], 9) << "0.601 is 0.6 in a picture";
  EXPECT_NE(d["answer"]["moving"]["text"].get<std::string>().find("since answer 9 of 20"), std::string::npos);
  EXPECT_EQ(d["frames"][1]["best"]["moving"]["since"], 1);
  History large = some_history();
  large.frames.erase(large.frames.begin(), large.frames.end() - 1);
  const std::string alone = document_of(large)["answer"]["moving"]["text"];
  EXPECT_NE(alone.find("not computed for so large a scene"), std::string::npos) << alone;
}

TEST(StudyDocument, JudgesItsIntervals) {
  EXPECT_EQ(document_of(some_history(10))["checks"]["cover50"], 0.5);
  const auto says = [](int within) { return document_of(some_history(within))["checks"]["text"].get<std::string>(); };
  EXPECT_NE(says(10).find("too sure"), std::string::npos) << "half of them are 5 sd away";
  EXPECT_NE(says(20).find("less sure than necessary"), std::string::npos);
  History doubted = some_history(20);
  const std::string note = "the model is too sure of itself: repeat some queries";
  doubted.now.best->notes.push_back(note);
  EXPECT_NE(document_of(doubted)["checks"]["text"].get<std::string>().find(note.substr(1) + "."), std::string::npos);
  History few = some_history(20);
  few.trials.resize(3);
  EXPECT_NE(document_of(few)["checks"]["text"].get<std::string>().find("too few"), std::string::npos);
  few.trials.clear();
  EXPECT_EQ(document_of(few)["checks"]["n"], 0);
  EXPECT_TRUE(document_of(few)["checks"]["cover90"].is_null());
}

TEST(StudyDocument, OfAnEmptyStudy) {
  History empty;
  empty.now.best = best_at(0.6);
  empty.frames.resize(1);
  const Json d = document_of(empty);
  EXPECT_TRUE(d["answer"].is_null());
  EXPECT_TRUE(d["scores"].is_null());
  EXPECT_EQ(d["frames"].size(), 1U);
  EXPECT_TRUE(d["frames"][0]["best"].is_null());
  EXPECT_TRUE(d["trials"]["number"].empty());
}

TEST(StudyDocument, DescribesEveryKind) {
  const auto kinds = test::every_kind();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    SCOPED_TRACE(kinds[i].first);
    const Json d = document_of(untouched(), static_cast<int>(i));
    EXPECT_FALSE(d["conditional"]["summary"].get<std::string>().empty());
    const Spec spec = load(kinds[i].second).spec;
    EXPECT_EQ(d["query"]["axes"].size(), coordinate_names(spec.queries, spec.targets).size());
    EXPECT_EQ(d["target"]["axes"].size(), coordinate_names(spec.targets).size());
    for (const auto& axis : d["query"]["axes"]) EXPECT_LE(axis["from"].get<double>(), axis["to"].get<double>());
  }
  EXPECT_EQ(document_of(untouched(), 10)["query"]["kind"], "tree");
}

TEST(StudyDocument, MendsTextThatIsNotUtf8) {
  History history = some_history();
  history.trials[20].trial.reason = "bad \xFF byte";
  EXPECT_EQ(document_of(history)["trials"]["reason"][20], "bad \xEF\xBF\xBD byte");
}

TEST(ExperimentDocument, HoldsWhatTheRecordsSay) {
  ExperimentRecord experiment{"title", {"text"}, {{"noise", "0.1", "usual"}}, {}, {}};
  experiment.panels = {
      {"figure 3", "answers", "log10 simple regret", 4, {}, {{"cmes", {1, 2}, {0.5, 0.25}, {-kInf, 0}, {kInf, 1}}}}};
  experiment.findings = {
      {"lemma", "claim", "measure", {}, "holds", "", false},
      {"figure", "claim", "measure", DifferenceRecord{-0.5, -kInf, kInf, 1}, "undecided", "one seed", true}};
  const Json d = Json::parse(experiment_document(experiment, {"iqbo 1", 5.0}));
  EXPECT_EQ(d["kind"], "experiment");
  EXPECT_EQ(d["settings"][0]["reason"], "usual");
  EXPECT_EQ(d["panels"][0]["curves"][0]["mean"], Json({0.5, 0.25}));
  EXPECT_TRUE(d["panels"][0]["curves"][0]["low"][0].is_null());
  EXPECT_TRUE(d["panels"][0]["floor"].is_null());
  EXPECT_TRUE(d["findings"][0]["difference"].is_null());
  EXPECT_EQ(d["findings"][1]["difference"]["n"], 1);
  EXPECT_TRUE(d["findings"][1]["difference"]["high"].is_null());
}

}  // namespace
}  // namespace iqbo
