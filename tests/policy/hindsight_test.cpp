// Residuals of known laws, and what is said about them.
#include "policy/hindsight.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

// Answers whose forecasts are all N(0, 1).
Hindsight of(const Vector& z) { return {z, {Vector::Zero(z.size()), Vector::Ones(z.size())}}; }

// A Student variable of variance one is N(0, 1) times a random scale.
Vector student(Index n, int nu, Rng& rng) {
  Vector out(n);
  for (double& each : out) each = rng.normal() * std::sqrt((nu - 2.0) / rng.normals(nu).squaredNorm());
  return out;
}

bool says(const Hindsight& hindsight, const std::string& words, double widened = 1.0, std::size_t before = 0) {
  for (const std::string& each : hindsight.findings(widened, before))
    if (each.find(words) != std::string::npos) return true;
  return false;
}

TEST(Hindsight, IsSilentWhereTheModelHolds) {
  int spoken = 0;
  double tails = 0.0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Hindsight seen = of(rng.normals(60));
    spoken += !seen.findings(1.0, 0).empty();
    tails += seen.tails / 200.0;
  }
  EXPECT_LE(spoken, 8) << "each finding is improbable by chance";
  EXPECT_LT(tails, 0.07);
}

TEST(Hindsight, MeasuresTheSpread) {
  Rng rng(2);
  const Hindsight narrow = of(2.0 * rng.normals(80));
  EXPECT_TRUE(narrow.narrow);
  EXPECT_NEAR(narrow.spread, 2.0, 0.4);
  EXPECT_TRUE(says(narrow, "too sure of itself"));
  EXPECT_NE(narrow.findings(3.14, 0).front().find("3.1 times as wide as the model's own"), std::string::npos);
  EXPECT_EQ(narrow.widening(0.0, Vector{{0.0, 1.0}}, false), narrow.spread);
  const Hindsight wide = of(0.3 * rng.normals(80));
  EXPECT_TRUE(says(wide, "less sure than it could be"));
  EXPECT_EQ(wide.widening(0.0, Vector{{0.0, 1.0}}, true), 1.0);
  EXPECT_FALSE(says(wide, "less sure", 2.0)) << "not in one breath with an interval that was widened";
  EXPECT_TRUE(says(wide, "2 times as wide", 2.0));
}

TEST(Hindsight, TellsHeavyTailsFromNormalOnes) {
  double heavy = 0.0, light = 0.0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    heavy += tail_weight(student(200, 4, rng)) / 50.0;
    light += tail_weight(rng.normals(200)) / 50.0;
  }
  EXPECT_NEAR(heavy, 0.25, 0.08);  // 1 / 4
  EXPECT_LT(light, 0.05);
}

// In units of the residuals: tails do not depend on the scale.
TEST(Hindsight, TailsHaveNoUnit) {
  Rng rng(7);
  const Vector e = student(60, 5, rng);
  EXPECT_NEAR(tail_weight(e), tail_weight(1000.0 * e), 1e-6);
}

TEST(Hindsight, NamesOutliersAndDrift) {
  Rng rng(3);
  Vector z = rng.normals(60);
  z[30] = 9.0;
  EXPECT_TRUE(says(of(z), "answer 31 in order of arrival"));
  EXPECT_TRUE(says(of(z), "answer 131 in order of arrival", 1.0, 100)) << "a hundred came before these";
  EXPECT_EQ(of(z).most_surprising(100), "answer 131 in order of arrival");
  EXPECT_EQ(Hindsight().most_surprising(0), "");
  z[30] = 0.0;
  EXPECT_FALSE(says(of(z), "answer"));
  EXPECT_FALSE(says(of(z), "one direction"));
  EXPECT_TRUE(says(of(z + Vector::LinSpaced(60, -2.0, 2.0)), "one direction"));
  EXPECT_TRUE(says(of(z - Vector::LinSpaced(60, -2.0, 2.0)), "one direction"));
}

TEST(Hindsight, WidensWhatNoAnswerHasTested) {
  Rng rng(4);
  const Hindsight seen = of(student(100, 4, rng));
  const Vector z = rng.normals(100);
  EXPECT_EQ(seen.widening(z.maxCoeff(), z, true), seen.widening(z.maxCoeff() - 1.0, z, true));
  EXPECT_GT(seen.widening(z.maxCoeff() + 1.0, z, true), seen.widening(z.maxCoeff() + 0.5, z, true));
  EXPECT_NEAR(seen.widening(10.0 * z.maxCoeff(), 10.0 * z, true), seen.widening(z.maxCoeff(), z, true), 1e-12);
  EXPECT_EQ(seen.widening(z.maxCoeff() + 1.0, z, false), 1.0) << "the kernel was given";
}

TEST(Hindsight, NeedsEnoughAnswers) {
  Rng rng(5);
  const Hindsight few = of(50.0 * rng.normals(Hindsight::kFirst + Hindsight::kLeast - 1));
  EXPECT_TRUE(few.findings(1.0, 0).empty());
  EXPECT_EQ(few.widening(100.0, Vector{{0.0, 1.0}}, true), 1.0);
}

}  // namespace
}  // namespace iqbo
