#include "iqbo/paper/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "iqbo/paper/matrix.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using testing::HasSubstr;

PaperOptions bare() {
  PaperOptions out;
  out.steps = 24;
  out.budget = 30.0;
  out.extras = false;
  return out;
}

// log10 regret of each curve, as a function of its name, seed and how far the run is, from 0 to 1.
using Log = double (*)(const std::string& policy, std::uint64_t seed, double at);

ResultTable made_up(const Figure& figure, std::uint64_t seeds, Log log) {
  ResultTable out;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const Entry& entry : figure.experiment.entries)
      for (std::int64_t t = 0; t < figure.grid.size(); ++t) {
        const double at = static_cast<double>(t) / static_cast<double>(figure.grid.size() - 1);
        const double regret = std::pow(10.0, log(entry.policy, seed, at));
        out.push_back({entry.problem, entry.policy, seed, t, {0.0}, 0.0, regret, regret, figure.grid[t]});
      }
  return out;
}

double jitter(std::uint64_t seed) { return 0.1 * std::sin(7.0 * static_cast<double>(seed)); }

// CMES and CMETS as good as the paper says, most so early; the tree better than leaves.
double flattering(const std::string& policy, std::uint64_t seed, double at) {
  const bool tree = policy == "cmets" || policy == "mfmes", theirs = policy.starts_with("cme");
  return 1.0 + jitter(seed) - (tree ? 0.5 : 0.0) - (theirs ? 1.5 - 0.8 * at : 0.0) +
         0.01 * std::sin(static_cast<double>(seed * policy.size()));
}

Verdict verdict_of(const Findings& findings, const std::string& claim) {
  for (const Finding& finding : findings)
    if (finding.claim == claim) return finding.verdict;
  ADD_FAILURE() << claim;
  return Verdict::kUndecided;
}

TEST(Claims, HoldWhereTheTablesSaySo) {
  Index claims = 0;
  for (const int number : {3, 4}) {
    const Figure figure = paper_figure(number, bare());
    const Regrets regrets(made_up(figure, 20, flattering), figure);
    for (const Finding& finding : judge_all(paper_claims(figure, bare()), regrets)) {
      EXPECT_EQ(finding.verdict, Verdict::kHolds) << finding.claim << ": " << finding.measure;
      ASSERT_TRUE(finding.corrected);
      EXPECT_LT(finding.corrected->low, finding.difference->low) << "jointly valid, so wider";
      ++claims;
    }
  }
  EXPECT_EQ(claims, 2 * 2 * (3 * 3 + 1) + 2 * 2 * 4 * 3);
  EXPECT_EQ(count_claims(), claims);
}

TEST(Claims, EarlyOverAllAndAtTheEndAreJudgedApart) {
  const Figure figure = paper_figure(4, bare());
  // The tree pays until 7/30 of the budget, and is behind at the end by as much.
  const Log early = [](const std::string& policy, std::uint64_t seed, double at) {
    if (policy != "cmets") return jitter(seed);
    return jitter(seed) + 0.01 * std::cos(static_cast<double>(seed)) + (at < 0.25 ? -0.4 : at < 0.95 ? 0.0 : 0.4);
  };
  const Findings found = judge_all(paper_claims(figure, bare()), Regrets(made_up(figure, 40, early), figure));
  EXPECT_EQ(verdict_of(found, "CMETS outperforms CMES, early"), Verdict::kHolds);
  EXPECT_EQ(verdict_of(found, "CMETS outperforms CMES, over the budget"), Verdict::kEqual);
  EXPECT_EQ(verdict_of(found, "CMETS outperforms CMES, at the end"), Verdict::kDoesNotHold);
  EXPECT_EQ(verdict_of(found, "MFMES outperforms MES, early"), Verdict::kEqual) << "no difference at all";
  EXPECT_THAT(found[0].measure, HasSubstr("cost = 1 to 7:"));
}

TEST(Claims, AreCorrectedForTheirNumberAndShownUncorrected) {
  const Figure figure = paper_figure(3, bare());
  // A difference of -0.15 with an sd of 0.3: 40 seeds decide one claim, not 88.
  const Log slight = [](const std::string& policy, std::uint64_t seed, double /*at*/) {
    return policy == "cmes" ? -0.15 + 0.42 * std::sin(2.0 * static_cast<double>(seed)) : 0.0;
  };
  const Findings found = judge_all(paper_claims(figure, bare()), Regrets(made_up(figure, 60, slight), figure));
  EXPECT_EQ(verdict_of(found, "CMES outperforms MES, over all answers"), Verdict::kUndecided);
  EXPECT_EQ(found[1].uncorrected, Verdict::kHolds);
  EXPECT_THAT(to_text(found), HasSubstr("undecided (uncorrected: holds)"));
  EXPECT_THAT(to_markdown(found), HasSubstr("| corrected |"));
  const Findings again = findings_from_json(to_json(found), "test");
  EXPECT_EQ(again[1].uncorrected, Verdict::kHolds);
  EXPECT_EQ(again[1].corrected->low, found[1].corrected->low);
  EXPECT_THAT(verdict_table({{"`x`", found}}), HasSubstr("| `x` | 40 |"));
}

TEST(Claims, StopWhenDecided) {
  const PaperOptions options = bare();
  const Figure figure = paper_figure(3, options);
  const std::vector<Claim> claims = paper_claims(figure, options);
  // EI is far behind: 20 seeds. UCB behind by less than seeds vary: more. MES is the same but for noise that never settles.
  const Log log = [](const std::string& policy, std::uint64_t seed, double /*at*/) {
    const auto s = static_cast<double>(seed);
    if (policy == "ei") return 2.0 + 0.1 * std::sin(s);
    if (policy == "ucb") return 0.3 + 0.5 * std::sin(2.0 * s);
    return policy == "mes" ? 3.0 * std::sin(5.0 * s) : 0.0;
  };
  const Decisions first = decide(claims, Regrets(made_up(figure, 20, log), figure), 20);
  EXPECT_LT(first.open.size(), claims.size());
  const Figure next = block_of(figure, first.open, 1, 20);
  EXPECT_EQ(next.experiment.first_seed, 21U);
  EXPECT_EQ(next.experiment.seeds, 20);
  EXPECT_TRUE(std::none_of(next.experiment.entries.begin(), next.experiment.entries.end(), [](const Entry& entry) {
    return entry.policy == "ei";
  })) << "its claims are decided";
  const Decisions last = decide(claims, Regrets(made_up(figure, 200, log), figure), 20);
  std::map<std::string, const Finding*> of;
  for (const Finding& finding : last.findings)
    if (finding.regret == "simple" && finding.problem == figure.panels[0].problem) of[finding.claim] = &finding;
  EXPECT_EQ(of["CMES outperforms EI, at the end"]->difference->n, 20);
  EXPECT_EQ(of["CMES outperforms EI, at the end"]->verdict, Verdict::kHolds);
  const Finding& ucb = *of["CMES outperforms UCB, at the end"];
  EXPECT_EQ(ucb.verdict, Verdict::kHolds);
  EXPECT_GT(ucb.difference->n, 20);
  EXPECT_LT(ucb.difference->n, 200);
  EXPECT_EQ(ucb.difference->n % 20, 0);
  EXPECT_EQ(judge(claims[3], Regrets(made_up(figure, 200, log), figure), ucb.difference->n - 20).verdict,
            Verdict::kUndecided)
      << "it stopped at the first look that decided";
  EXPECT_EQ(of["CMES outperforms MES, at the end"]->verdict, Verdict::kUndecided);
  EXPECT_EQ(of["CMES outperforms MES, at the end"]->difference->n, 200);
}

TEST(Claims, ABlockRunsWhatIsStillNeeded) {
  const PaperOptions options = bare();
  const Figure figure = paper_figure(4, options);
  std::vector<Claim> open = paper_claims(figure, options);
  std::erase_if(
      open, [&](const Claim& claim) { return claim.problem != figure.panels[1].problem || claim.policy != "mfmes"; });
  const Figure block = block_of(figure, open, 3, 20);
  ASSERT_EQ(block.experiment.entries.size(), 2U);
  EXPECT_EQ(block.experiment.entries[0].policy, "mfmes");
  EXPECT_EQ(block.experiment.entries[1].policy, "mes");
  EXPECT_EQ(block.experiment.first_seed, 61U);
  EXPECT_TRUE(block_of(figure, {}, 0, 20).experiment.entries.empty());
}

TEST(Claims, RefuseMoreSeedsThanThereAre) {
  const Figure figure = paper_figure(3, bare());
  const Regrets regrets(made_up(figure, 3, flattering), figure);
  test::expect_refusal([&] { judge(paper_claims(figure, bare())[0], regrets, 4); }, {"seeds: 4, expected at most 3"});
}

TEST(Matrix, HasEverySetAndTruncation) {
  const std::vector<PaperCell> cells = paper_cells();
  ASSERT_EQ(cells.size(), 24U);
  EXPECT_EQ(cells[0].name, "paper");
  EXPECT_EQ(cells[0].options.truncation, Truncation::kClip);
  EXPECT_EQ(cells[1].name, "fixed");
  std::set<std::string> names, configurations;
  for (const PaperCell& cell : cells) {
    names.insert(cell.name);
    configurations.insert(configuration(paper_figure(3, cell.options).experiment));
    EXPECT_EQ(paper_cell(cell.name).name, cell.name);
  }
  EXPECT_EQ(names.size(), 24U);
  EXPECT_EQ(configurations.size(), 24U) << "no two cells are the same";
  test::expect_refusal([] { paper_cell("fixed-clipp"); }, {"\"fixed-clip\""});
}

TEST(Matrix, ShowsWhatDependsOnTheSettings) {
  const Figure figure = paper_figure(3, bare());
  const Log unkind = [](const std::string& policy, std::uint64_t seed, double at) {
    return -flattering(policy, seed, at);
  };
  const auto found = [&](Log log) {
    return judge_all(paper_claims(figure, bare()), Regrets(made_up(figure, 20, log), figure));
  };
  const std::string page =
      matrix_page({{paper_cell("paper"), found(flattering)}, {paper_cell("fixed"), found(unkind)}});
  EXPECT_THAT(page, HasSubstr("| `paper` | 20 | `+++ +++` |"));
  EXPECT_THAT(page, HasSubstr("| `fixed` | 20 | `--- ---` |"));
  EXPECT_THAT(page, HasSubstr("| figure 3 | CMES outperforms EI, early | linear | simple | paper |  | fixed |"));
  EXPECT_THAT(matrix_page({{paper_cell("paper"), found(flattering)}}),
              HasSubstr("No claim is decided in different ways"));
}

TEST(Matrix, ShowsWhatTheCorrectionHides) {
  Finding finding{"figure 3", "CMES outperforms EI, early", "measured"};
  finding.problem = "branin-linear";
  finding.regret = "simple";
  finding.verdict = Verdict::kUndecided;
  finding.uncorrected = Verdict::kHolds;
  const std::string page = matrix_page({{paper_cell("paper"), {finding}}});
  const std::size_t alone = page.find("each claim by itself\n");
  ASSERT_NE(alone, std::string::npos);
  EXPECT_THAT(page.substr(0, alone), HasSubstr("| `paper` | | `? ` |"));
  EXPECT_THAT(page.substr(alone), HasSubstr("| `paper` | | `+ ` |"));
}

}  // namespace
}  // namespace iqbo
