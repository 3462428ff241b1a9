// Learning from tens of thousands of pairs. Here and not in tests/learned, whose tests also run under sanitizers, where
// each of these would take minutes.
#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/core/rng.hpp"
#include "iqbo/learned/learned.hpp"

namespace iqbo {
namespace {

constexpr Index kMany = 40000;

// X = sin(3 a) + (0.1 + 0.2 a) N.
struct Log {
  Rows x, a;
  explicit Log(Index n, std::uint64_t seed = 1) : x(n, 1), a(n, 1) {
    Rng rng(seed);
    a = rng.uniforms(n, 1);
    for (Index i = 0; i < n; ++i) x(i, 0) = std::sin(3.0 * a(i, 0)) + (0.1 + 0.2 * a(i, 0)) * rng.normal();
  }
};

// E cos(4 X) and E sin(4 X), in closed form for a normal law.
Matrix truth(const Rows& a) {
  Matrix out(a.rows(), 2);
  for (Index i = 0; i < a.rows(); ++i) {
    const double sd = 0.1 + 0.2 * a(i, 0), shrunk = std::exp(-8.0 * sd * sd), mean = 4.0 * std::sin(3.0 * a(i, 0));
    out.row(i) << shrunk * std::cos(mean), shrunk * std::sin(mean);
  }
  return out;
}

Matrix averages(const Conditional& conditional, const Rows& a) {
  Vector phase(2);
  phase << 0.0, -std::acos(0.0);
  return conditional.cosines(Queries(a), Rows::Constant(2, 1, 4.0), phase);
}

double error(const Conditional& conditional) {
  const Rows a = Vector::LinSpaced(50, 0.02, 0.98);
  return std::sqrt((averages(conditional, a) - truth(a)).squaredNorm() / 100.0);
}

LearnedConditional learned(const Log& log, LearnedKind kind) {
  LearnedOptions options;
  options.model = kind;
  return {Inputs(log.x), Queries(log.a), options};
}

// 40,000 pairs know g to about sd(f | a) / sqrt(pairs per effective parameter), 0.01.
TEST(LargeLog, EveryModelUsesAllPairs) {
  const Log many(kMany);
  for (const LearnedKind kind : {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn}) {
    const LearnedConditional all = learned(many, kind);
    EXPECT_EQ(all.report().pairs, kMany);
    EXPECT_NE(all.report().notes.front().find("all 40000 pairs are used"), std::string::npos);
    EXPECT_LT(error(all), 0.02) << to_string(kind);
    EXPECT_LT(all.report().error, 0.2) << to_string(kind);
  }
}

TEST(LargeLog, AutoIsBetterThanFewPairs) {
  const Log many(kMany);
  Log few = many;
  few.x = Rows(many.x.topRows(1000));
  few.a = Rows(many.a.topRows(1000));
  const LearnedConditional all = learned(many, LearnedKind::kAuto);
  EXPECT_LT(error(all), 0.6 * error(learned(few, LearnedKind::kAuto)));
  EXPECT_NE(all.report().summary().find("learned from 40000 pairs"), std::string::npos);
}

TEST(LargeLog, ComesBackBitForBit) {
  const Log log(5200);
  const Rows a = Vector::LinSpaced(9, 0.0, 1.0);
  for (const LearnedKind kind : {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kStack}) {
    LearnedOptions options;
    options.model = kind;
    const LearnedConditional first = learned(log, kind), again = learned(log, kind);
    const LearnedConditional restored(Inputs(log.x), Queries(log.a), options, first.numbers());
    EXPECT_EQ(averages(first, a), averages(again, a)) << to_string(kind);
    EXPECT_EQ(averages(first, a), averages(restored, a)) << to_string(kind);
    EXPECT_EQ(first.numbers(), restored.numbers());
    EXPECT_EQ(first.report().summary(), restored.report().summary());
  }
}

// Where X is a list of points, weight lies on them.
TEST(LargeLog, ListedPointsAreTheSupport) {
  const Log log(5200);
  const InputSet listed(Inputs(Rows(Vector::LinSpaced(40, -1.5, 1.8))));
  for (const LearnedKind kind : {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw}) {
    LearnedOptions options;
    options.model = kind;
    options.domain = listed;
    const LearnedConditional conditional(Inputs(log.x), Queries(log.a), options);
    ASSERT_NE(conditional.support(), nullptr);
    EXPECT_EQ(conditional.support()->coordinates(), listed.points().coordinates()) << to_string(kind);
  }
}

}  // namespace
}  // namespace iqbo
