#include "iqbo/paper/paper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace iqbo {
namespace {

using testing::HasSubstr;

// Made-up tables in which CMES and CMETS are as good as the paper says, seeds differing a little.
ResultTable flattering(const Figure& figure) {
  ResultTable out;
  for (const Entry& entry : figure.experiment.entries)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (std::int64_t t = 0; t < figure.grid.size(); ++t) {
        const double early = t < figure.grid.size() / 2 ? 10.0 : 3.0;
        const bool tree = entry.policy == "cmets" || entry.policy == "mfmes";
        const bool theirs = entry.policy.rfind("cme", 0) == 0;
        const double regret =
            (1.0 + 0.01 * static_cast<double>(seed)) * (theirs ? 1.0 : early) * (tree ? 0.5 : 1.0) * 10.0;
        out.push_back({entry.problem, entry.policy, seed, t, {0.0}, 0.0, regret, regret, figure.grid[t]});
      }
  return out;
}

TEST(Paper, ClaimsHoldWhereTheTablesSaySo) {
  for (const Choices choices : {Choices::kFixed, Choices::kLearned}) {
    PaperOptions options;
    options.choices = choices;
    options.steps = 24;
    options.budget = 20.0;
    const Figure third = paper_figure(3, options), fourth = paper_figure(4, options);
    Findings findings = figure3_findings(Regrets(flattering(third), third), choices);
    const Findings more = figure4_findings(Regrets(flattering(fourth), fourth), choices);
    findings.insert(findings.end(), more.begin(), more.end());
    int of_the_paper = 0;
    for (const Finding& finding : findings) {
      if (finding.extra) continue;
      ++of_the_paper;
      EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.claim << ": " << finding.measure;
    }
    EXPECT_EQ(of_the_paper, 2 * 2 * 5 + 2 * 2 * 6);
  }
}

TEST(Paper, PlansEveryCurve) {
  const Figure known = paper_figure(3, {});
  EXPECT_EQ(known.experiment.entries.size(), 2U * 9U);
  PaperOptions options;
  options.choices = Choices::kLearned;
  EXPECT_EQ(paper_figure(3, options).experiment.entries.size(), 2U * 10U);
  EXPECT_EQ(paper_figure(4, {}).experiment.entries.size(), 2U * 10U);
  EXPECT_NEAR(known.panels[0].instant_floor, 1.58, 0.005);
  EXPECT_NE(configuration(known.experiment), configuration(paper_figure(3, options).experiment));
  EXPECT_THAT(paper_settings(options), HasSubstr("learned from 100 pairs"));
  test::expect_refusal([] { paper_figure(2, {}); }, {"figure: 2, expected 1, 3 or 4"});
}

TEST(Paper, WhatIsNotRandom) {
  for (const Finding& finding : lemma_findings(1)) EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.measure;
  for (const Finding& finding : figure2_findings()) EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.measure;
  const Finding savings = figure5_findings()[0];
  EXPECT_EQ(savings.verdict, Verdict::kDoesNotHold);
  EXPECT_EQ(savings.measure, "saved of 1000 at d = 1: 263, 2: 235, 3: 384, 4: 751, 5: 970");
  EXPECT_THAT(paper_drawings(2)[0].second, HasSubstr("x,f,delta=1,"));
  EXPECT_EQ(paper_drawings(1)[0].second.substr(0, 11), "arm,reward\n");
}

TEST(Paper, WindowsMayEndAtTheEdge) {
  PaperOptions options;
  options.truncation = truncation("renormalise");
  const Figure cut = paper_figure(3, options);
  EXPECT_NEAR(cut.panels[0].instant_floor, 0.89, 0.06) << "docs/problems.md, on a grid";
  EXPECT_NE(configuration(cut.experiment), configuration(paper_figure(3, {}).experiment));
  EXPECT_EQ(paper_title(options), "`fixed`, renormalised, 30 seeds");
  EXPECT_THAT(paper_settings(options), HasSubstr("what is left counts as the whole"));
  options.truncation = truncation("clip");
  EXPECT_NEAR(paper_figure(4, options).panels[0].simple_floor, paper_figure(4, {}).panels[0].simple_floor, 1e-12);
  EXPECT_FALSE(truncation("none").has_value());
  test::expect_refusal([] { truncation("clipp"); }, {"truncation: \"clipp\", expected \"clip\""});
}

TEST(Paper, ChoicesByName) {
  EXPECT_EQ(choices("evidence"), Choices::kEvidence);
  test::expect_refusal([] { choices("learnt"); }, {"choices: \"learnt\", expected \"learned\""});
}

}  // namespace
}  // namespace iqbo
