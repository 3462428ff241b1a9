#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "iqbo/experiment/bench.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/spec_bundles.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::every_kind;
using test::kGivenPrior;
using test::line_bundle;
using testing::Contains;
using testing::HasSubstr;

BenchOptions few(std::vector<std::string> policies = {"cmes", "random"}, Index steps = 6) {
  BenchOptions out;
  out.policies = std::move(policies);
  out.steps = steps;
  return out;
}

SpecBundle kind(const std::string& name) {
  for (auto& [each, bundle] : every_kind())
    if (each == name) return bundle;
  throw std::logic_error(name);
}

World world(const SpecBundle& bundle, std::uint64_t seed) {
  return spec_bench(bundle, few()).figure.experiment.entries[0].world(seed);
}

TEST(SpecBench, EveryKindOfSpecRuns) {
  for (const auto& [name, bundle] : every_kind()) {
    SCOPED_TRACE(name);
    const SpecBench bench = spec_bench(bundle, few());
    for (const Entry& entry : bench.figure.experiment.entries) {
      const ResultTable rows = replicate(entry, 3);
      ASSERT_FALSE(rows.empty());
      EXPECT_EQ(rows, replicate(entry, 3)) << "the same every time";
      for (const ResultRow& row : rows) {
        EXPECT_GT(row.simple_regret, -1e-6) << "a search may miss the top by little";
        EXPECT_LE(row.cost, entry.budget.value_or(1e9));
      }
      EXPECT_TRUE(entry.budget || rows.size() == 6U);
    }
  }
}

// Answers are averages of the very f that regret is about: quadrature of f under a Gaussian window.
TEST(SpecBench, AnswersAverageF) {
  const World it = world(kind("box and box"), 4);
  for (const double a : {0.0, 0.3, 0.9}) {
    const test::Real average = test::integrate(
        [&](const test::Real& u) {
          const double x = a + 0.1 * static_cast<double>(u);
          return std::exp(-u * u / 2.0L) / std::sqrt(2.0L * std::acos(-1.0L)) *
                 static_cast<test::Real>(it.f(Inputs({{x}}))[0]);
        },
        -9.0L, 9.0L, 40);
    EXPECT_NEAR(it.g(Queries({{a}}))[0], static_cast<double>(average), test::kProblemAverage);
  }
  EXPECT_GE(it.max + 1e-6, it.f(Inputs::line(Vector::LinSpaced(1001, 0.0, 1.0))).maxCoeff());
}

// Over many seeds f has the moments of the prior: variance 1, correlation exp(-(0.1 / 0.2)^2 / 2) at a distance of 0.1.
TEST(SpecBench, DrawsFromThePrior) {
  constexpr int kDraws = 2000;
  const Entry entry = spec_bench(kind("grid"), few()).figure.experiment.entries[0];
  Matrix f(kDraws, 2);
  for (int seed = 0; seed < kDraws; ++seed)
    f.row(seed) = entry.world(static_cast<std::uint64_t>(seed)).f(Inputs({{0.4}, {0.5}})).transpose();
  const double half_width = 4.0 / std::sqrt(static_cast<double>(kDraws));  // four standard errors of a mean
  EXPECT_NEAR(f.col(0).mean(), 0.0, half_width);
  EXPECT_NEAR(f.col(0).squaredNorm() / kDraws, 1.0, std::sqrt(2.0) * half_width);
  EXPECT_NEAR(f.col(0).dot(f.col(1)) / kDraws, std::exp(-0.125), std::sqrt(2.0) * half_width);
}

TEST(SpecBench, PoliciesOfASeedShareFieldAndNoise) {
  const auto entries = spec_bench(kind("grid"), few({"cmes", "random"}, 5)).figure.experiment.entries;
  const World it = entries[0].world(7);
  const auto noise = [&](const ResultRow& row) { return row.z - it.g(Queries({{row.query[0]}}))[0]; };
  const ResultTable one = replicate(entries[0], 7), other = replicate(entries[1], 7);
  for (std::size_t t = 0; t < 5; ++t) EXPECT_NEAR(noise(one[t]), noise(other[t]), test::kRounding);
  for (std::size_t t = 0; t < 2; ++t) EXPECT_EQ(one[t].query, other[t].query) << "the initial design";
}

TEST(SpecBench, TreesAreAskedFromTheRootByCost) {
  const SpecBench bench = spec_bench(kind("tree"), few());
  EXPECT_EQ(bench.figure.axis, Axis::kCost);
  EXPECT_THAT(bench.assumptions, Contains(HasSubstr("asked as a tree")));
  EXPECT_THAT(bench.assumptions, Contains("Campaigns end when 20 is spent."));
  const ResultTable rows = replicate(bench.figure.experiment.entries[0], 1);
  EXPECT_EQ(rows[0].query, (std::vector<double>{0.5, 0.5})) << "centre and resolution of the root";
  EXPECT_EQ(rows[0].cost, 0.5);
  BenchOptions less = few();
  less.budget = 3.0;
  EXPECT_LE(replicate(spec_bench(kind("tree"), less).figure.experiment.entries[0], 1).back().cost, 3.0);
}

TEST(SpecBench, MinimisedValuesAreWrittenAsTheUserHasThem) {
  const std::string query = R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 9}]})";
  const std::string window = R"("conditional": {"kind": "gaussian", "width": 0.1}, "mean": 50, )" + kGivenPrior;
  const auto rows = [&](const std::string& goal) {
    const SpecBundle bundle = line_bundle(query, "\"goal\": \"" + goal + "\", " + window);
    return replicate(spec_bench(bundle, few()).figure.experiment.entries[0], 2);
  };
  const ResultTable up = rows("maximize"), down = rows("minimize");
  for (std::size_t t = 0; t < up.size(); ++t) {
    EXPECT_EQ(up[t].simple_regret, down[t].simple_regret);
    EXPECT_NEAR(up[t].z - 50.0, 50.0 - down[t].z, 1e-12);
  }
}

TEST(SpecBench, SaysWhereFComesFrom) {
  const SpecBundle given = kind("grid");
  EXPECT_THAT(spec_bench(given, few()).assumptions, Contains(HasSubstr("the kernel that the spec gives")));
  const SpecBundle open = line_bundle(R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 9}]})",
                                      R"("conditional": {"kind": "gaussian", "width": 0.1}, "noise_sd": 0.2)");
  const SpecBench made_up = spec_bench(open, few());
  EXPECT_THAT(made_up.assumptions, Contains(HasSubstr("an assumed kernel")));
  EXPECT_THAT(made_up.assumptions, Contains("That is: RBF, variance 4, lengthscale 0.2; noise sd 0.2."));
  const Hyperparameters fit{.observations = 12,
                            .family = "matern32",
                            .variance = 9.0,
                            .lengthscale = {0.4},
                            .noise_var = 0.04,
                            .mean = {3.0}};
  const SpecBench fitted = spec_bench(open, {fit, {}}, few());
  EXPECT_THAT(fitted.assumptions, Contains(HasSubstr("the study fitted to 12 answers")));
  EXPECT_THAT(fitted.assumptions, Contains("That is: Matern 3/2, variance 9, lengthscale 0.4; noise sd 0.2."));
  EXPECT_NE(configuration(made_up.figure.experiment), configuration(fitted.figure.experiment));
}

TEST(SpecBench, KnowsAChangedTable) {
  SpecBundle bundle = kind("bags");
  const std::string before = configuration(spec_bench(bundle, few()).figure.experiment);
  EXPECT_EQ(configuration(spec_bench(bundle, few()).figure.experiment), before);
  bundle.files["bags.csv"] += "middle,0.55,1\n";
  EXPECT_NE(configuration(spec_bench(bundle, few()).figure.experiment), before);
}

// A stored one was accepted once, by a version that did not mind.
TEST(SpecBench, TakesAStoredSpecAsItIs) {
  SpecBundle bundle = kind("bags");
  bundle.files["bags.csv"] += bundle.files["bags.csv"].substr(bundle.files["bags.csv"].find('\n') + 1);
  test::expect_refusal([&] { spec_bench(bundle, few()); }, {"have the same query and point"});
  EXPECT_FALSE(replicate(spec_bench(bundle, StudyPast{}, few()).figure.experiment.entries[0], 1).empty());
}

TEST(SpecBench, NamesThePairThatCannotBeMeant) {
  SpecBundle bundle = kind("learned");
  bundle.files["pairs.csv"] += "1e9,1\n";
  test::expect_refusal([&] { spec_bench(bundle, few()); }, {"conditional.pairs (pairs.csv): row", "column \"x\""});
}

TEST(SpecBench, Refuses) {
  test::expect_refusal([] { spec_bench(kind("grid"), few({})); }, {"policies: none, expected at least one"});
  test::expect_refusal([] { spec_bench(kind("grid"), few({"cme"})); }, {"policy: \"cme\", expected \"cmes\""});
  test::expect_refusal([] { spec_bench(kind("grid"), few({"mfmes"})); }, {"finest: none", "for mfmes"});
  test::expect_refusal([] { spec_bench(kind("grid"), few({"ei"}, 1)); }, {"steps: 1, expected at least 2"});
  BenchOptions none = few();
  none.budget = 0.0;
  test::expect_refusal([&] { spec_bench(kind("grid"), none); }, {"budget: is 0, expected a finite number > 0"});
}

// What a study has logged since it began is known to its bench, too.
TEST(SpecBench, LaterPairsAreLearnedFrom) {
  const SpecBundle bundle = kind("learned");
  const PairTable more{Rows{{0.9}, {0.95}, {0.92}}, Rows{{1.0}, {1.0}, {1.0}}};
  const auto entry = [&](const PairTable& pairs) {
    return spec_bench(bundle, {{}, pairs}, few()).figure.experiment.entries[0];
  };
  const Queries left{{1.0}};
  EXPECT_NE(entry({}).world(3).g(left)[0], entry(more).world(3).g(left)[0]);
  EXPECT_NE(entry({}).details, entry(more).details) << "a folder begun without them is not gone on with";
}

// --- counts ---

const std::string kGrid = R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 9}]})";
const std::string kWindow = R"("conditional": {"kind": "gaussian", "width": 0.1})";

TEST(SpecBench, CountsRunUnderEveryLink) {
  const std::vector<std::string> kinds{R"("answers": "poisson", "exposure": 500)",
                                       R"("answers": "poisson", "link": "identity")",
                                       R"("answers": "auto", "exposure": 500)",
                                       R"("answers": "binomial", "goal": "minimize")",
                                       R"("answers": "binomial", "link": "identity", "exposure": 40)",
                                       R"("answers": "poisson", "link": "log", "exposure": 100, "mean": 0.05,
         "kernel": {"family": "matern32", "lengthscale": 0.2, "variance": 1})",
                                       R"("link": "log")"};
  for (const std::string& kind : kinds) {
    SCOPED_TRACE(kind);
    const SpecBench bench = spec_bench(line_bundle(kGrid, kWindow + ", " + kind), few({"ckg", "random"}));
    for (const Entry& entry : bench.figure.experiment.entries) {
      const ResultTable rows = replicate(entry, 3);
      ASSERT_EQ(rows.size(), 6U);
      EXPECT_EQ(rows, replicate(entry, 3)) << "the same every time";
      for (const ResultRow& row : rows) EXPECT_GT(row.simple_regret, -1e-9);
    }
  }
}

// What is counted has the mean and the variance of its family about the average of the very f that regret is about.
TEST(SpecBench, CountsAreThoseOfTheFamily) {
  const World it = world(line_bundle(kGrid, kWindow + R"(, "answers": "poisson", "exposure": 300)"), 7);
  const Queries a{{0.5}};
  const test::Real average = test::integrate(
      [&](const test::Real& u) {
        return std::exp(-u * u / 2.0L) / std::sqrt(2.0L * std::acos(-1.0L)) *
               static_cast<test::Real>(it.f(Inputs({{0.5 + 0.1 * static_cast<double>(u)}}))[0]);
      },
      -9.0L, 9.0L, 40);
  const double g = it.g(a)[0];
  EXPECT_NEAR(g, static_cast<double>(average), 1e-3 * g) << "by the nine nodes of a window";
  EXPECT_GE(it.max, it.f(Inputs::line(Vector::LinSpaced(21, 0.0, 1.0))).maxCoeff() * (1.0 - 1e-12));
  constexpr int kDraws = 4000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Count answer = it.counted(a, (i + 0.5) / kDraws);
    EXPECT_EQ(answer.exposure, 300.0);
    sum += answer.y / kDraws;
    squares += answer.y * answer.y / kDraws;
  }
  EXPECT_NEAR(sum, 300.0 * g, 0.01 * 300.0 * g);
  EXPECT_NEAR(squares - sum * sum, 300.0 * g, 0.03 * 300.0 * g);
}

TEST(SpecBench, CountsSayWhereRatesComeFrom) {
  const SpecBundle open = line_bundle(kGrid, kWindow + R"(, "answers": "auto")");
  EXPECT_THAT(spec_bench(open, few()).assumptions,
              Contains(HasSubstr("an sd of 1 for log f, and a typical f of 0.01")));
  EXPECT_THAT(spec_bench(open, few()).assumptions, Contains("Exposures are not in the spec: each is 1000."));
  Hyperparameters fit{
      .observations = 12, .family = "matern32", .variance = 0.5, .lengthscale = {0.4}, .mean = {-3.0}, .link = "log"};
  fit.dispersion = 0.25;
  const SpecBench fitted = spec_bench(open, {fit, {}}, few());
  EXPECT_THAT(
      fitted.assumptions,
      Contains("That is: Matern 3/2, variance 0.5, lengthscale 0.4, of the log of f; answers are negative-binomial "
               "counts of dispersion 0.25."));
  const World it = fitted.figure.experiment.entries[0].world(2);
  EXPECT_GT(it.f(Inputs::line(Vector::LinSpaced(21, 0.0, 1.0))).minCoeff(), 0.0);
}

}  // namespace
}  // namespace iqbo
