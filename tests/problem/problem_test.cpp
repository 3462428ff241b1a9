// What every problem must be: maximal where it says so, with floors that no query and no listed input can cross, and logged
// pairs that follow its p(x|a).
#include "iqbo/problem/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "iqbo/problem/registry.hpp"
#include "numerics/pattern_search.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"
#include "textbook.hpp"

namespace iqbo::test {

using namespace internal;

namespace {

// The largest value found by what shares nothing with the room's own search: a grid, or where there are too many dimensions for
// one, coordinate steps from random starts.
template <class Space>
double largest(const Box<Space>& box, const std::function<Vector(const Points<Space>&)>& f, Index along) {
  const Index d = box.dimension();
  if (d <= 2) return f(box.grid(std::vector<Index>(static_cast<std::size_t>(d), along))).maxCoeff();
  Rng rng(5);
  const Vector side = box.upper() - box.lower();
  PatternSearch options{.lower = Vector::Zero(d), .upper = Vector::Ones(d)};
  options.first_step = 0.25;
  options.last_step = 1e-4;
  options.max_evaluations = 2000;
  const auto drop = [&](const Vector& u) {
    return -f(Points<Space>(Rows((box.lower() + side.cwiseProduct(u)).transpose())))[0];
  };
  double best = -1e300;
  for (int start = 0; start < 12; ++start)
    best = std::max(best, -drop(pattern_minimise(drop, rng.uniforms(1, d).row(0).transpose(), options)));
  return best;
}

// The mean of f over draws of X given a is g(a), as far as their number can tell.
void expect_samples_follow(const Problem& p, const Queries& a, Rng& rng) {
  constexpr Index kDraws = 4000;
  const Vector g = p.g(a);
  for (Index i = 0; i < a.size(); ++i) {
    const Inputs x = p.truth()->sample(Queries(Rows(a.row(i).replicate(kDraws, 1))), rng);
    const Vector f = p.f(x);
    const double se = std::sqrt((f.array() - f.mean()).square().sum() / (kDraws - 1.0) / kDraws);
    const double z = (f.mean() - g[i]) / std::max(se, 1e-12);
    EXPECT_GT(std::erfc(std::abs(z) / std::sqrt(2.0)), kFalseAlarm) << "a = " << a.row(i) << ", z = " << z;
  }
}

class EveryProblem : public testing::TestWithParam<std::string> {
 protected:
  const Problem p_ = problem(GetParam());
};

TEST_P(EveryProblem, IsMaximalWhereItSaysSo) {
  const Vector at = p_.f(p_.optimum().argmax);
  for (const double value : at) EXPECT_NEAR(value, p_.optimum().max, 1e-9 * p_.unit());
  const double rounding = kRounding * p_.unit();
  EXPECT_LE(p_.f(p_.x().points()).maxCoeff(), p_.optimum().max + rounding);
  EXPECT_EQ(p_.f(p_.x().points()).maxCoeff(), p_.listed_optimum().max);
  if (!p_.x_box()) return;
  p_.x_box()->require_inside(p_.optimum().argmax);
  const double seen = largest<InputSpace>(
      *p_.x_box(), [&](const Inputs& x) { return p_.f(x); }, p_.x().dimension() == 1 ? 10001 : 251);
  EXPECT_LE(seen, p_.optimum().max + rounding);
  EXPECT_GE(seen, p_.optimum().max - 0.1 * p_.unit()) << "the search of this test is too coarse to say anything";
}

TEST_P(EveryProblem, HasFloorsThatAreReachedAndNotCrossed) {
  const double rounding = kRounding * p_.unit();
  EXPECT_DOUBLE_EQ(p_.g(p_.best_query().argmax)[0], p_.best_query().max);
  EXPECT_EQ(p_.g(p_.a().points()).maxCoeff(), p_.listed_best_query().max);
  EXPECT_LE(p_.listed_best_query().max, p_.best_query().max + rounding);
  EXPECT_LE(p_.instant_floor(), p_.listed_instant_floor() + rounding);
  EXPECT_GE(p_.listed_simple_floor(), -rounding);
  if (!p_.a_box()) return;
  // Where queries have a resolution the best is the finest, so that a grid over places is enough.
  const auto g = [&](const Queries& a) { return p_.g(p_.finest(a)); };
  const Index d = p_.a().dimension();
  double seen = 0.0;
  if (p_.resolutions().empty()) {
    seen = largest<QuerySpace>(*p_.a_box(), g, d == 1 ? 1001 : 61);
  } else {
    std::vector<Index> along(static_cast<std::size_t>(d), 61);
    along.back() = 1;
    seen = g(p_.a_box()->grid(along)).maxCoeff();
  }
  EXPECT_LE(seen, p_.best_query().max + rounding);
  EXPECT_GE(seen, p_.best_query().max - 0.05 * p_.unit()) << "the search of this test is too coarse to say anything";
}

TEST_P(EveryProblem, LogsPairsThatFollowItsLaw) {
  Rng rng(11);
  expect_samples_follow(p_, p_.logged(4, rng).a, rng);
}

TEST_P(EveryProblem, LogsTheSamePairsForTheSameSeed) {
  Rng one(3);
  Rng two(3);
  const PairLog left = p_.logged(20, one);
  const PairLog right = p_.logged(20, two);
  EXPECT_EQ(left.x.coordinates(), right.x.coordinates());
  EXPECT_EQ(left.a.coordinates(), right.a.coordinates());
  EXPECT_EQ(left.x.dimension(), p_.x().dimension());
  EXPECT_EQ(left.a.dimension(), p_.a().dimension());
  EXPECT_NO_THROW(p_.g(left.a));
  for (Index i = 0; i < left.a.size() && !p_.resolutions().empty(); ++i)
    EXPECT_THAT(p_.resolutions(), testing::Contains(left.a.row(i)[left.a.dimension() - 1]));
}

// The conditional a policy gets averages f - mean as g does, as far as its own rules go.
TEST_P(EveryProblem, GivesPoliciesTheLawItAveragesOver) {
  EXPECT_EQ(p_.conditional()->input_dimension(), p_.x().dimension());
  EXPECT_EQ(p_.conditional()->query_dimension(), p_.a().dimension());
  Rng rng(2);
  const PairLog log = p_.logged(2000, rng);
  // E X from the conditional against the mean of logged x, over many queries.
  Rows expected(log.a.size(), log.x.dimension());
  for (Index c = 0; c < expected.cols(); ++c)
    expected.col(c) = p_.conditional()->nu(LinearMean(0.0, Vector::Unit(expected.cols(), c)), log.a);
  const Rows error = log.x.coordinates() - expected;
  for (Index c = 0; c < expected.cols(); ++c) {
    const double mean = error.col(c).mean();
    const double se = std::sqrt((error.col(c).array() - mean).square().mean() / 2000.0);
    EXPECT_GT(std::erfc(std::abs(mean / se) / std::sqrt(2.0)), kFalseAlarm);
  }
}

TEST_P(EveryProblem, SaysWhatItIs) {
  EXPECT_EQ(p_.name(), GetParam());
  EXPECT_FALSE(p_.title().empty());
  EXPECT_FALSE(p_.map().empty());
  EXPECT_GT(p_.description().size(), 60U);
  EXPECT_GT(p_.unit(), 0.0);
  EXPECT_GT(p_.noise_sd(), 0.0);
  EXPECT_LT(p_.noise_sd(), p_.unit());
}

INSTANTIATE_TEST_SUITE_P(, EveryProblem, testing::ValuesIn(problem_names()), [](const auto& each) {
  std::string out = each.param;
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
});

TEST(Textbooks, AgreeAtRandomPointsAndAtTheMaximum) {
  for (const std::string& name : problem_names())
    for (const Textbook& book : textbooks()) {
      if (!name.starts_with(book.name)) continue;
      const Problem p = problem(name);
      EXPECT_NEAR(p.optimum().max, static_cast<double>(book.max), static_cast<double>(book.digits)) << name;
      Rng rng(8);
      const InputBox& box = *p.x_box();
      const Rows u = rng.uniforms(50, box.dimension());
      const Inputs x(Rows((u * (box.upper() - box.lower()).asDiagonal()).rowwise() + box.lower().transpose()));
      const Vector f = p.f(x);
      for (Index i = 0; i < f.size(); ++i) {
        const Eigen::RowVectorXd row = x.row(i);
        EXPECT_NEAR(f[i], static_cast<double>(book.f(Point(row.begin(), row.end()))), kConditioned * p.unit()) << name;
      }
    }
  EXPECT_NEAR(problem("hartmann3-linear").optimum().max, 3.86278, 5e-6);
  EXPECT_NEAR(problem("hartmann6-linear").optimum().max, 3.32237, 5e-6);
}

TEST(Branin, HasThePapersNumbers) {
  const Problem p = problem("branin-linear");
  EXPECT_EQ(p.optimum().argmax.size(), 3);
  EXPECT_NEAR(p.mean(), -54.0, 0.5);
  EXPECT_NEAR(p.unit(), 51.0, 0.5);
  EXPECT_EQ(p.x().size(), 36 * 36);
  EXPECT_EQ(p.a().size(), 30 * 30);
  EXPECT_NEAR(p.instant_floor(), 1.53, 0.005);
  EXPECT_NEAR(problem("branin-linear", {.truncation = Truncation::kClip}).instant_floor(), 1.22, 0.006);
  EXPECT_NEAR(problem("branin-nonlinear").instant_floor(), p.instant_floor(), 1e-9);  // the same windows in other order
}

TEST(Truncated, WindowsAreSampledInsideX) {
  for (const Truncation cut : {Truncation::kClip, Truncation::kRenormalise}) {
    const Problem p = problem("branin-linear", {.truncation = cut});
    Rng rng(6);
    expect_samples_follow(p, Queries({{0.0, 0.0}, {1.0, 0.4}}), rng);
    EXPECT_NO_THROW(p.x_box()->require_inside(p.logged(1000, rng).x));
  }
}

TEST(ManyResolutions, AreTheNodesOfThePapersTree) {
  const Problem p = problem("branin-multires-linear");
  EXPECT_EQ(p.a().size(), (4 * 4096 - 1) / 3);  // 1 + 4 + ... + 4^6
  ASSERT_EQ(p.resolutions().size(), 7U);
  EXPECT_EQ(p.resolutions().front(), 1.0);
  EXPECT_EQ(p.resolutions().back(), 1.0 / 7.0);
  const Queries a({{0.5, 0.5, 1.0}, {0.25, 0.75, 0.5}, {0.1, 0.2, 1.0 / 7.0}});
  EXPECT_TRUE(p.a().find(a.row(0)));
  EXPECT_TRUE(p.a().find(a.row(1)));
  EXPECT_EQ(p.cost(a), (Vector{{0.5, 1.0, 3.5}}));
  EXPECT_EQ(p.finest(a).coordinates().col(2), Vector::Constant(3, 1.0 / 7.0));
  EXPECT_EQ(p.finest(a).coordinates().leftCols(2), a.coordinates().leftCols(2));
  const Problem plain = problem("two-peaks");
  EXPECT_EQ(plain.cost(Queries({{0.5}})), Vector::Ones(1));
  EXPECT_EQ(plain.finest(Queries({{0.5}})).row(0)[0], 0.5);
}

// Over places and seeds f has the variance and the correlation of its kernel.
TEST(GpDraw, IsADrawFromItsKernel) {
  constexpr int kSeeds = 8;  // with some twenty independent values each: the sd of both estimates is about 0.1
  const Inputs x = InputBox(Vector::Zero(2), Vector{{0.88, 1.0}}).grid({23, 26});
  const Inputs beside = InputBox(Vector{{0.12, 0.0}}, Vector::Ones(2)).grid({23, 26});
  double var = 0.0;
  double cov = 0.0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Problem p =
        problem("gp-draw", {.x_counts = {3, 3}, .a_counts = {2, 2}, .seed = static_cast<std::uint64_t>(seed)});
    const Vector f = p.f(x);
    var += f.squaredNorm() / static_cast<double>(x.size()) / kSeeds;
    cov += f.dot(p.f(beside)) / static_cast<double>(x.size()) / kSeeds;
  }
  EXPECT_NEAR(var, 1.0, 0.4);
  EXPECT_NEAR(cov, std::exp(-0.5), 0.4);
}

TEST(Districts, DifferBySeedAlone) {
  const Problem one = problem("districts", {.seed = 1});
  const Problem same = problem("districts");
  const Problem other = problem("districts", {.seed = 2});
  EXPECT_EQ(one.f(one.x().points()), same.f(one.x().points()));
  EXPECT_NE(one.f(one.x().points()), other.f(one.x().points()));
  // A district's answer is the plain mean of its pixels, and every pixel is in one.
  const Vector f = one.f(one.x().points());
  const Vector g = one.g(one.a().points());
  EXPECT_LT(g.maxCoeff(), f.maxCoeff());
  EXPECT_GT(g.minCoeff(), f.minCoeff());
}

TEST(Problem, RefusesWhatItIsNot) {
  const Problem branin = problem("branin-linear");
  Rng rng(1);
  expect_refusal([&] { branin.f(Inputs({{1.0}})); }, {"x", "1 columns", "expected 2"});
  expect_refusal([&] { branin.g(Queries({{1.0, 2.0}})); }, {"a", "row 0", "2"});
  expect_refusal([&] { branin.logged(0, rng); }, {"count", "0", "at least 1"});
  const Problem bins = problem("sine-bins");
  expect_refusal([&] { bins.g(Queries({{0.3}})); }, {"a", "row 0"});
  const Problem districts = problem("districts");
  expect_refusal([&] { districts.f(Inputs({{0.6, 0.5}})); }, {"x", "row 0"});
  expect_refusal([&] { districts.g(Queries({{0.6, 0.5}})); }, {"a", "row 0"});
  expect_refusal([&] { problem("resolution-line").cost(Queries({{0.5, 0.0}})); }, {"delta", "0"});
  const Problem p = problem("bandit");
  const auto parts = [&] {
    return ProblemParts{.name = "mine",
                        .title = "",
                        .map = "",
                        .description = "",
                        .x_names = {"x"},
                        .a_names = {"a"},
                        .truth = p.truth(),
                        .conditional = p.conditional(),
                        .x = p.x(),
                        .a = p.a()};
  };
  const auto refused = [&](const std::function<void(ProblemParts&)>& spoil,
                           std::initializer_list<std::string_view> pieces) {
    ProblemParts bad = parts();
    spoil(bad);
    expect_refusal([&] { Problem{bad}; }, pieces);
  };
  EXPECT_NO_THROW(Problem{parts()});
  refused([](ProblemParts& bad) { bad.truth = nullptr; }, {"truth", "null"});
  refused([](ProblemParts& bad) { bad.conditional = nullptr; }, {"conditional", "null"});
  refused([](ProblemParts& bad) { bad.x_names = {}; }, {"x_names", "0 rows", "expected 1"});
  refused([](ProblemParts& bad) { bad.x = InputSet(Inputs({{1.0, 2.0}})); }, {"x", "2 columns", "expected 1"});
  refused([](ProblemParts& bad) { bad.a_box = QueryBox(Vector{{1.0}}, Vector{{2.0}}); }, {"a", "row 2"});
  refused([](ProblemParts& bad) { bad.resolutions = {0.0}; }, {"resolutions", "0"});
}

}  // namespace
}  // namespace iqbo::test
