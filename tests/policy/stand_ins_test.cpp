// Inputs that stand for others, against whole paths of the same belief.
#include "policy/stand_ins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "iqbo/conditional/cell.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/space/query_tree.hpp"
#include "policy/scene/scene.hpp"

namespace iqbo::test {
namespace {

constexpr Index kPixels = 48;

Inputs scene() {
  return InputBox(Vector::Constant(2, 0.5), Vector::Constant(2, kPixels - 0.5)).grid({kPixels, kPixels});
}

QueryTree tiles_of_scene() {
  TreeOptions options;
  options.l_max = 3;
  options.box = QueryBox(Vector::Zero(2), Vector::Constant(2, static_cast<double>(kPixels)));
  return QueryTree(scene(), options);
}

// Two members that differ in how rough f is, after a few tiles were seen.
Ensemble seen(double lengthscale, double nugget) {
  const QueryTree tree = tiles_of_scene();
  const CellConditional conditional(tree);
  const Queries at = tree.queries_at(2).points();
  const Vector z = 0.4 * Rng(3).normals(at.size());
  std::vector<Posterior> members;
  for (const double factor : {1.0, 1.6}) {
    const Matern32 smooth(1.0, Vector::Constant(2, factor * lengthscale));
    members.push_back(Posterior(Sum(smooth, White(nugget, 2)), conditional).condition(at, z, 0.01));
  }
  return {members, Vector{{2.0, 1.0}}};
}

double share_within(const std::vector<double>& regrets, double tolerance) {
  const auto met = std::count_if(regrets.begin(), regrets.end(), [&](double each) { return each <= tolerance; });
  return static_cast<double>(met) / static_cast<double>(regrets.size());
}

std::vector<double> of_whole_paths(const Ensemble& belief, const Inputs& x, Index row, double widened, Index draws) {
  const FiniteEnsemble all = listed(belief, x, tiles_of_scene().queries_at(0).points());
  const std::vector<Index> shares = shares_of(draws, all.weights());
  Rng rng(11);
  std::vector<double> out;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    const Matrix f = all.members()[s].draw(shares[s], rng).f;
    const Vector own = all.members()[s].f().mean;
    for (Index j = 0; j < f.cols(); ++j) {
      const Vector path = own + widened * (f.col(j) - own);
      out.push_back(path.maxCoeff() - path[row]);
    }
  }
  return out;
}

Index leader(const Ensemble& belief, const Inputs& x) {
  Index row = 0;
  belief.f(x).mean.maxCoeff(&row);
  return row;
}

// Chances of 20, 50 and 80 %, with a nugget and without one, and where deviations are widened.
TEST(StandIns, DecideAsWholePathsDo) {
  constexpr Index kDraws = 1500;
  const Inputs x = scene();
  int compared = 0;
  for (const auto& [lengthscale, nugget, widened] : {std::array{60.0, 1e-6, 1.0}, std::array{40.0, 0.04, 1.0},
                                                     std::array{60.0, 0.25, 1.0}, std::array{60.0, 0.04, 1.5}}) {
    const Ensemble belief = seen(lengthscale, nugget);
    const Index row = leader(belief, x);
    std::vector<double> whole = of_whole_paths(belief, x, row, widened, kDraws);
    std::sort(whole.begin(), whole.end());
    const auto few = StandIns::of(belief, x, 10.0);
    ASSERT_TRUE(few);
    Rng rng(5);
    const std::vector<double> found = few->regrets(belief, row, widened, kDraws, rng);
    for (const double share : {0.2, 0.5, 0.8}) {
      const double tolerance = whole[static_cast<std::size_t>(share * kDraws)];
      if (few->apart() > 0.2 * tolerance) continue;
      ++compared;
      const double chance = 4.0 * std::sqrt(2.0 * 0.25 / kDraws);
      EXPECT_NEAR(share_within(found, tolerance), share, chance + 0.03) << lengthscale << " " << nugget << " " << share;
    }
  }
  EXPECT_GE(compared, 8);
}

// Without white values of the inputs that they stand for, f* would be too small.
TEST(StandIns, CountEveryInputOnce) {
  const Inputs x = scene();
  const auto few = StandIns::of(seen(20.0, 0.25), x, 10.0);
  ASSERT_TRUE(few);
  Index sum = 0;
  for (const Index count : few->count()) sum += count;
  EXPECT_EQ(sum, x.size());
  EXPECT_LE(few->rows().size(), 400U);
  EXPECT_EQ(few->rows().size(), few->count().size());
}

TEST(StandIns, AreRefusedWhereTheyWouldNotDo) {
  const Inputs x = scene();
  const Ensemble belief = seen(20.0, 0.04);
  const auto few = StandIns::of(belief, x, 10.0);
  ASSERT_TRUE(few);
  EXPECT_GT(few->apart(), 0.0);
  EXPECT_FALSE(StandIns::of(belief, x, 0.9 * few->apart())) << "f is too rough";
  EXPECT_FALSE(StandIns::of(belief, x.slice(0, 500), 10.0)) << "whole paths cost little";
  Rows moved = x.coordinates();
  moved(7, 0) += 0.1234;
  EXPECT_FALSE(StandIns::of(belief, Inputs(moved), 10.0)) << "no lattice";
}

}  // namespace
}  // namespace iqbo::test
