// Counts in specs, in records and in tables.
#include <gtest/gtest.h>

#include "iqbo/record/json.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "support/errors.hpp"
#include "support/spec_bundles.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

SpecBundle districts(const std::string& rest) {
  return test::line_bundle(R"({"kind": "points", "points": "q.csv", "id": "q"})",
                           R"("conditional": {"kind": "bags", "bags": "bags.csv"}, )" + rest);
}

Spec spec_with(const std::string& rest) { return parse_spec(districts(rest).text); }

void expect_spec_refused(const std::string& rest, std::initializer_list<std::string_view> words) {
  expect_refusal([&] { spec_with(rest); }, words);
}

TEST(CountSpec, IsReadAndWritten) {
  const Spec spec = spec_with(R"("answers": "negative-binomial", "exposure": "price", "link": "log",
                                 "value": {"name": "rate", "unit": "per 1,000", "per": 1000})");
  EXPECT_EQ(spec.answers, AnswerFamily::kNegativeBinomial);
  EXPECT_EQ(spec.queries.exposure->column, "price");
  EXPECT_EQ(spec.link, LinkKind::kLog);
  EXPECT_EQ(spec.value.per, 1000);
  EXPECT_EQ(parse_spec(to_json(spec)), spec);
  const Spec chosen = spec_with(R"("answers": "binomial", "exposure": {"choices": [20, 50], "cost": 0.1})");
  EXPECT_EQ(chosen.queries.exposure->choices, (std::vector<double>{20, 50}));
  EXPECT_EQ(chosen.queries.exposure->cost, 0.1);
  EXPECT_EQ(parse_spec(to_json(chosen)), chosen);
  EXPECT_EQ(coordinate_names(chosen.queries, chosen.targets), (std::vector<std::string>{"number", "exposure"}));
}

// A spec that says nothing about answers means what it always meant.
TEST(CountSpec, AnswersAreGaussianUnlessTheSpecSaysOtherwise) {
  const Spec spec = spec_with(R"("noise_sd": 0.1)");
  EXPECT_EQ(spec.answers, AnswerFamily::kGaussian);
  EXPECT_FALSE(is_count(spec.answers) || spec.queries.exposure);
  EXPECT_EQ(spec.value.per, 1.0);
}

TEST(CountSpec, RefusesWhatDoesNotGoTogether) {
  expect_spec_refused(R"("answers": "poison")", {"answers", "poisson"});
  expect_spec_refused(R"("exposure": 100)", {"exposure", "\"answers\""});
  expect_spec_refused(R"("value": {"per": 1000})", {"value.per", "\"answers\""});
  expect_spec_refused(R"("answers": "poisson", "noise_sd": 0.1)", {"noise", "exposure"});
  expect_spec_refused(R"("answers": "poisson", "exposure": 0)", {"exposure", "> 0"});
  expect_spec_refused(R"("answers": "poisson", "exposure": [1, 2])", {"exposure", "choices"});
  expect_spec_refused(R"("answers": "poisson", "exposure": {"choices": [50, 20]})", {"exposure.choices", "rising"});
  expect_spec_refused(R"("answers": "poisson", "link": "logit")", {"link", "binomial"});
  expect_spec_refused(R"("answers": "binomial", "link": "log")", {"link", "logit"});
  expect_spec_refused(R"("answers": "poisson", "goal": "minimize")", {"goal", "binomial"});
  expect_spec_refused(R"("answers": "poisson", "dispersion": 0.1)", {"dispersion", "negative-binomial"});
  expect_spec_refused(R"("answers": "poisson", "mean": 0.1)", {"mean", "auto"});
  const std::string kernel = R"("kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1})";
  expect_spec_refused(R"("answers": "poisson", )" + kernel, {"link", "eta"});
  expect_spec_refused(R"("answers": "poisson", "link": "log", )" + kernel, {"mean", "usual value"});
  expect_spec_refused(R"("answers": "auto", "link": "log", "mean": 0.1, )" + kernel, {"dispersion", "number"});
  EXPECT_NO_THROW(spec_with(R"("answers": "poisson", "link": "log", "mean": 0.1, )" + kernel));
  EXPECT_NO_THROW(spec_with(R"("answers": "binomial", "goal": "minimize")"));
}

TEST(CountSpec, AColumnOfExposuresMustBePositive) {
  SpecBundle bundle = districts(R"("answers": "poisson", "exposure": "price")");
  EXPECT_EQ(load(bundle).exposure, (Vector{{1, 2, 1}}));
  bundle.files["q.csv"] = "q,price\nleft,10\nmiddle,0\nright,30\n";
  expect_refusal([&] { load(bundle); }, {"row 3", "price", "> 0"});
}

TEST(CountRecord, RoundTripsAndOldAnswersStayReadable) {
  Answer told;
  told.value = 6;
  told.count = 12;
  told.exposure = 2000.5;
  EXPECT_EQ(from_json<Answer>(to_json(told)), told);
  const auto before = from_json<Answer>(R"({"value": 4.2, "noise_sd": 0.3, "replicates": 2})");
  EXPECT_FALSE(before.count || before.exposure);
  EXPECT_EQ(to_json(before).find("count"), std::string::npos);  // what is stored of them has not changed
  expect_refusal([] { from_json<Answer>(R"({"value": 0, "count": -1, "exposure": 2})"); }, {"count", "-1"});
}

std::vector<Observation> read(const std::string& rest, const std::string& csv) {
  return load_observations(load(districts(rest)), parse_csv(csv, "past.csv"));
}

TEST(CountTable, ReadsCountsByTheNamesThatPeopleUse) {
  const std::string counts = R"("answers": "poisson")";
  for (const char* head : {"q,count,exposure", "q,cases,population", "q,clicks,impressions", "q,count,trials"}) {
    const auto rows = read(counts, std::string(head) + "\nleft,0,500\nright,12,2000\n");
    ASSERT_EQ(rows.size(), 2U) << head;
    EXPECT_EQ(rows[0].answer.count, 0);
    EXPECT_EQ(rows[1].answer.count, 12);
    EXPECT_EQ(rows[1].answer.exposure, 2000);
  }
  const auto exact = read(counts, "q,count,cases,exposure,population\nleft,3,9,10,99\n");  // the exact names win
  EXPECT_EQ(exact[0].answer.count, 3);
  EXPECT_EQ(exact[0].answer.exposure, 10);
  EXPECT_FALSE(read(counts, "q,count\nleft,3\n")[0].answer.exposure);
}

TEST(CountTable, RefusesWhatIsAmbiguousOrNoCount) {
  const std::string counts = R"("answers": "poisson")";
  const auto refused = [&](const std::string& csv, std::initializer_list<std::string_view> words) {
    expect_refusal([&] { read(counts, csv); }, words);
  };
  refused("q,cases,clicks,exposure\nleft,1,2,10\n", {"past.csv", "\"cases\" and \"clicks\"", "\"count\""});
  refused("q,count,population,trials\nleft,1,2,10\n", {"\"population\" and \"trials\"", "\"exposure\""});
  refused("q,value\nleft,1\n", {"past.csv", "\"count\"", "answers of this study are counts"});
  refused("q,count,exposure,noise_sd\nleft,1,2,1\n", {"noise_sd", "exposure"});
  refused("q,count,exposure\nleft,1,10\nright,-2,10\n", {"row 3", "\"count\"", "-2", "0 or more"});
  refused("q,count,exposure\nleft,1.5,10\n", {"row 2", "\"count\"", "1.5", "whole"});
  refused("q,count,exposure\nleft,1,0\n", {"row 2", "\"exposure\"", "> 0"});
  expect_refusal([] { read(R"("noise_sd": 0.1)", "q,cases,population\nleft,1,10\n"); }, {"counts", "\"answers\""});
}

TEST(CountTable, PastCountsAreQueriesWithTheNearestExposureThatMayBeChosen) {
  const auto rows = read(R"("answers": "poisson", "exposure": {"choices": [100, 400]})",
                         "q,count,exposure\nleft,1,90\nright,12,2000\n");
  EXPECT_EQ(rows[0].point, (std::vector<double>{0, 100}));
  EXPECT_EQ(rows[1].point, (std::vector<double>{2, 400}));
  EXPECT_EQ(rows[1].answer.exposure, 2000);
}

}  // namespace
}  // namespace iqbo
