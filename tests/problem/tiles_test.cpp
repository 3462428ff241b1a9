// Scenes whose tiles are bought: costs, averages and the shapes that were promised.
#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/problem/registry.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

constexpr Index kSide = 64;

std::vector<std::string> scenes() {
  std::vector<std::string> out;
  for (const std::string& name : problem_names())
    if (name.starts_with("tiles-")) out.push_back(name);
  return out;
}

TEST(Tiles, AnswersAreMeansOfTheirPixels) {
  EXPECT_EQ(scenes().size(), 7U);
  for (const std::string& name : scenes()) {
    const Problem p = problem(name, {.seed = 3});
    ASSERT_EQ(p.x().size(), kSide * kSide);
    ASSERT_EQ(p.a().size(), 1 + 4 + 16 + 64 + 256);
    const Vector f = p.f(p.x().points());
    const Vector g = p.g(p.a().points());
    for (Index j = 0; j < g.size(); j += 17) {
      const Eigen::RowVectorXd a = p.a().points().row(j);
      long double sum = 0.0L;
      int count = 0;
      for (Index i = 0; i < f.size(); ++i)
        if (std::abs(p.x().points().row(i)[0] - a[0]) < 0.5 * a[2] &&
            std::abs(p.x().points().row(i)[1] - a[1]) < 0.5 * a[2]) {
          sum += f[i];
          ++count;
        }
      EXPECT_EQ(count, static_cast<int>(a[2] * a[2]));
      EXPECT_NEAR(g[j], static_cast<double>(sum / count), kRounding) << name << ", tile " << a;
    }
  }
}

TEST(Tiles, CostMoreTheFinerTheyAre) {
  const Problem p = problem("tiles-spot");
  ASSERT_TRUE(p.tree());
  const double prices[] = {0.5, 1.0, 2.0, 3.0, 4.0};
  for (Index level = 0; level <= 4; ++level)
    EXPECT_EQ(p.cost(p.tree()->queries_at(level).points()).maxCoeff(), prices[level]);
  EXPECT_EQ(p.resolutions(), (std::vector<double>{64.0, 32.0, 16.0, 8.0, 4.0}));
  EXPECT_EQ(p.noise_sd(), 0.01);
  expect_refusal([&] { (void)p.cost(Queries({{1.0, 2.0, 4.0}})); }, {"row 0", "not a node"});
}

// The spot is the maximum: it stands out of a background whose hill is half as high.
TEST(Tiles, HaveTheirMaximumAtTheSpot) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const char* name : {"tiles-spot", "tiles-narrow-spot", "tiles-two-spots", "tiles-disc", "tiles-ellipse"}) {
      const Problem p = problem(name, {.seed = seed});
      const Eigen::RowVectorXd top = p.optimum().argmax.row(0);
      const Vector f = p.f(p.x().points());
      double around = 0.0;  // the mean on a ring 12 pixels away
      int count = 0;
      for (Index i = 0; i < f.size(); ++i) {
        const double r = (p.x().points().row(i) - top).norm();
        if (r < 11.5 || r > 12.5) continue;
        around += f[i];
        ++count;
      }
      EXPECT_GT(p.optimum().max - around / count, 0.6) << name << ", seed " << seed;
      EXPECT_LT(p.optimum().max, 2.6);
    }
}

TEST(Tiles, FollowFromTheSeed) {
  for (const std::string& name : scenes()) {
    const auto at = [&](std::uint64_t seed) { return problem(name, {.seed = seed}).f(problem(name).x().points()); };
    EXPECT_EQ(at(5), at(5));
    EXPECT_GT((at(5) - at(6)).cwiseAbs().maxCoeff(), 0.01);
  }
}

// Neighbours of a smooth field hardly differ; those of a rough one do.
TEST(Tiles, AreSmoothOrRough) {
  const auto roughness = [](const char* name) {
    double sum = 0.0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Problem p = problem(name, {.seed = seed});
      const Matrix f = p.f(p.x().points()).reshaped(kSide, kSide);
      sum += std::sqrt((f.bottomRows(kSide - 1) - f.topRows(kSide - 1)).array().square().mean()) / p.unit() / 6.0;
    }
    return sum;
  };
  EXPECT_LT(roughness("tiles-smooth"), 0.2);
  EXPECT_GT(roughness("tiles-rough"), 0.2);
}

}  // namespace
}  // namespace iqbo::test
