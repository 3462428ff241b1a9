#include "iqbo/experiment/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "iqbo/experiment/bench.hpp"
#include "iqbo/experiment/finding.hpp"
#include "iqbo/experiment/reader.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using testing::HasSubstr;
using testing::Not;

// Three answers a run: simple regret 10, 1, 0.1 times `factor`, instant regret 2 throughout, costs 1, 3, 6.
void add_run(ResultTable& table, const std::string& policy, std::uint64_t seed, double factor) {
  const double cost[] = {1.0, 3.0, 6.0}, regret[] = {10.0, 1.0, 0.1};
  for (std::int64_t t = 0; t < 3; ++t)
    table.push_back({"p", policy, seed, t, {0.0}, 0.0, 2.0, factor * regret[t], cost[t]});
}

Figure figure(Axis axis, const Vector& grid) {
  Figure out;
  out.experiment = {"f", {{"p", "a"}, {"p", "b"}}, 3};
  out.axis = axis;
  out.grid = grid;
  out.panels = {{"p", "A problem, so called", 0.05, 0.01, 1.5}};
  return out;
}

ResultTable table() {
  ResultTable out;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    add_run(out, "a", seed, 0.1);
    add_run(out, "b", seed, 1.0);
  }
  return out;
}

TEST(Regrets, ByAnswersAndByCost) {
  const Regrets answers(table(), figure(Axis::kAnswers, Vector{{1.0, 2.0, 3.0, 4.0}}));
  EXPECT_TRUE(answers.logs("p", "b", Regret::kSimple).row(0).isApprox(Eigen::RowVector4d(1.0, 0.0, -1.0, -1.0)))
      << "a run that has ended stays where it was";
  EXPECT_NEAR(answers.logs("p", "a", Regret::kSimple)(2, 2), std::log10(0.05), 1e-15) << "what is too small to matter";
  const Regrets cost(table(), figure(Axis::kCost, Vector{{1.0, 2.0, 3.0, 5.9, 6.0}}));
  EXPECT_TRUE(cost.logs("p", "b", Regret::kSimple).row(1).isApprox(Vector{{1.0, 1.0, 0.0, 0.0, -1.0}}.transpose()))
      << "spent at most";
  EXPECT_TRUE(cost.mean_log("p", "b", Regret::kSimple, 1.0, 3.0).isApprox(Vector::Constant(3, 0.5)));
  test::expect_refusal([&] { cost.logs("p", "c", Regret::kSimple); }, {"policy: c on p, expected one of the table"});
  test::expect_refusal([&] { cost.mean_log("p", "b", Regret::kSimple, 7.0, 9.0); },
                       {"low, high: 7, 9, expected a part of the grid"});
}

// b's regret is worse than a's by the same factor in all seeds, c's by more on average, but not in all.
TEST(Finding, ShowsTheDifferenceThatDecides) {
  ResultTable runs = table();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) add_run(runs, "c", seed, seed == 1 ? 0.02 : 1e4);
  Figure it = figure(Axis::kAnswers, Vector{{1.0}});
  it.experiment.entries.push_back({"p", "c"});
  const Finding finding =
      compare(Regrets(runs, it), {"p", "a", {"b", "c"}, Regret::kSimple, 0.0, 1.0}, "", "a is best");
  EXPECT_EQ(finding.verdict, Verdict::kUndecided);
  EXPECT_EQ(finding.remark, "decided by c");
  EXPECT_EQ(is_smaller(finding.difference.value()), finding.verdict);
}

TEST(Regrets, AsRecordsForAReader) {
  const auto panels = panel_records(Regrets(table(), figure(Axis::kCost, Vector{{1.0, 6.0}})));
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_EQ(panels[0].title, "A problem, so called, simple regret");
  EXPECT_EQ(panels[0].x, "cost");
  EXPECT_NEAR(*panels[0].floor, std::log10(0.05), 1e-15) << "not below what is told apart";
  EXPECT_NEAR(*panels[1].floor, std::log10(1.5), 1e-15);
  ASSERT_EQ(panels[0].curves.size(), 2U);
  EXPECT_EQ(panels[0].curves[1].policy, "b");
  EXPECT_NEAR(panels[0].curves[1].mean[1], -1.0, 1e-15);
  EXPECT_NEAR(panels[1].curves[0].high[0], std::log10(2.0), 1e-15);
  const auto findings =
      finding_records({{"figure", "claim", "measure", Interval{-1, -2, 0.5, 3}, Verdict::kUndecided, "r", true}});
  EXPECT_EQ(findings[0].verdict, "undecided");
  EXPECT_EQ(findings[0].difference->high, 0.5);
  EXPECT_TRUE(findings[0].extra);
}

TEST(Regrets, AsCsv) {
  const Figure it = figure(Axis::kCost, Vector{{1.0, 6.0}});
  EXPECT_THAT(curves_csv(Regrets(table(), it)),
              HasSubstr("problem,policy,regret,at,mean,low,high\np,a,simple,1,1,1,1\n"));
  EXPECT_EQ(panels_csv(it),
            "problem,title,axis,seeds,simple_floor,instant_floor\np,\"A problem, so called\",cost,3,0.01,1.5\n");
}

TEST(Finding, ComparesAndWrites) {
  const Regrets regrets(table(), figure(Axis::kAnswers, Vector{{1.0, 2.0, 3.0}}));
  const Findings findings{compare(regrets, {"p", "a", {"b"}, Regret::kSimple, 0.0, 2.0}, "figure 0", "a beats b"),
                          compare(regrets, {"p", "b", {"a"}, Regret::kSimple, 1.0, 2.0}, "figure 0", "b beats a"),
                          compare(regrets, {"p", "a", {"b", "b"}, Regret::kInstant, 1.0, 2.0}, "figure 0", "all")};
  EXPECT_NEAR(findings[0].difference->mean, -1.0, 1e-14);
  EXPECT_EQ(findings[0].verdict, Verdict::kHolds);
  EXPECT_EQ(findings[0].measure, "p, simple regret, t = 1 to 2: a - b");
  EXPECT_EQ(findings[1].measure, "p, simple regret, t = 2: b - a");
  EXPECT_EQ(tally(findings), "1 hold, 2 do not hold, 0 undecided");
  EXPECT_THAT(to_text(findings), HasSubstr("figure 0: a beats b\n  p, simple regret, t = 1 to 2: a - b\n"
                                           "  -1.000 [-1.000, -1.000]\n  holds\n"));
  EXPECT_THAT(to_markdown(findings),
              HasSubstr("| figure 0 | b beats a | p, simple regret, t = 2: b - a | +1.000 [+1.000, "));
  EXPECT_THAT(to_json(findings), HasSubstr("\"verdict\": \"does not hold\""));
}

TEST(Finding, SurvivesJson) {
  const Regrets regrets(table(), figure(Axis::kAnswers, Vector{{1.0, 2.0, 3.0}}));
  Findings findings{compare(regrets, {"p", "a", {"b"}, Regret::kSimple, 0.0, 2.0}, "figure 0", "a beats b"),
                    Finding{"lemma 1", "it \"holds\"", "counted"}};
  findings[1].extra = true;
  findings.push_back(findings[0]);
  findings[2].difference = mean_interval(Vector{{0.5}});
  EXPECT_EQ(to_json(findings_from_json(to_json(findings), "v")), to_json(findings));
  test::expect_refusal([] { findings_from_json("[{}]", "v.json"); }, {"v.json: ", "expected verdicts as iqbo paper"});
  test::expect_refusal([] { findings_from_json("[", "v.json"); }, {"v.json: "});
}

TEST(Finding, RunsSideBySide) {
  Finding one{"figure 3", "A outperforms B", "measured"}, other = one;
  one.problem = other.problem = "branin-nonlinear";
  one.regret = other.regret = "simple";
  one.difference = {-0.123, -0.2, -0.046, 9};
  one.verdict = Verdict::kHolds;
  other.difference = {0.25, -0.5, 1.0, 9};
  Finding control{"figure 3", "A outperforms random queries", "measured"};
  control.extra = true;
  const std::string text = verdict_table({{"`fixed`, 9 seeds", {one, control}}, {"`learned`, 2 seeds", {other}}});
  EXPECT_THAT(text, HasSubstr("| run | claims | hold | equal | do not hold | undecided | the same, uncorrected |\n"
                              "|---|---|---|---|---|---|---|\n"
                              "| `fixed`, 9 seeds | 1 | 1 | 0 | 0 | 0 | 1 / 0 / 0 / 0 |\n"
                              "| `learned`, 2 seeds | 1 | 0 | 0 | 0 | 1 | 0 / 0 / 0 / 1 |\n"));
  EXPECT_THAT(
      text, HasSubstr("| | claim | map | regret | `fixed`, 9 seeds | `learned`, 2 seeds |\n|---|---|---|---|---|---|\n"
                      "| figure 3 | A outperforms B | non-linear | simple | -0.12 [-0.20, -0.05] **holds** | "
                      "+0.25 [-0.50, +1.00] undecided |\n"));
  EXPECT_THAT(text, HasSubstr("| figure 3 | A outperforms random queries | | | undecided | |\n"));
}

TEST(Finding, AtAGlanceEachTimeAndMapHasASign) {
  const auto finding = [](const char* problem, const char* when, Verdict jointly, Verdict alone) {
    Finding out{"figure 3", std::string("A outperforms B, ") + when, "measured"};
    out.problem = problem;
    out.regret = "simple";
    out.verdict = jointly;
    out.uncorrected = alone;
    return out;
  };
  using enum Verdict;
  const Findings decided{finding("branin-linear", "early", kEqual, kEqual),
                         finding("branin-linear", "at the end", kUndecided, kHolds),
                         finding("branin-nonlinear", "early", kDoesNotHold, kDoesNotHold)};
  EXPECT_THAT(verdict_table({{"`x`", decided}, {"`y`", {decided[0]}}}),
              HasSubstr("| | claim | regret | `x` | `y` |\n|---|---|---|---|---|\n"
                        "| figure 3 | A outperforms B | simple | `=? -` / `=+ -` | `=` |\n"));
  Finding theory{"lemma 1", "it holds", "counted"};
  EXPECT_THAT(verdict_table({{"`x`", {theory}}}), Not(HasSubstr("glance"))) << "no regret is compared";
}

TEST(Bench, SuggestsNames) {
  test::expect_refusal([] { bench_figure({{"two-peak"}, {"ei"}}); }, {"\"two-peaks\""});
  test::expect_refusal([] { bench_figure({{"two-peaks"}, {"cme"}}); }, {"policy: \"cme\", expected \"cmes\""});
  test::expect_refusal([] { bench_figure({{}, {"ei"}}); }, {"problem: none, expected at least one"});
  test::expect_refusal(
      [] {
        bench_figure({{"bandit"}, {"ei"}, 1, 1, 3});
      },
      {"steps: 3, expected more than the 4 initial queries"});
}

TEST(Bench, ComparesWithTheBest) {
  Figure it = bench_figure({{"bandit"}, {"ei", "cmes", "random"}, 3, 1, 10});
  ResultTable rows;
  for (const Entry& entry : it.experiment.entries)
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      for (std::int64_t t = 0; t < 10; ++t) {
        const double regret = entry.policy == "cmes" ? 0.01 : 0.1;
        rows.push_back({"bandit", entry.policy, seed, t, {1.0}, 0.0, 0.5, regret, 1.0});
      }
  const Regrets regrets(rows, it);
  const Findings findings = bench_findings(regrets);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].claim, "cmes outperforms ei");
  EXPECT_EQ(findings[1].verdict, Verdict::kHolds);
  EXPECT_THAT(bench_summary(regrets), HasSubstr("| bandit | cmes | 0.01 | 0.01 | 0.5 |"));
}

}  // namespace
}  // namespace iqbo
