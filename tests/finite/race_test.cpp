// The probability of being the best: against closed forms and against plain paths over the whole list.
#include "finite/race.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/finite_settings.hpp"

namespace iqbo {
namespace {

constexpr double kSure = 5.0;  // standard errors: exceeded by correct code with probability 6e-7

// Two inputs: P(f_0 > f_1) = Phi(E d / sd d).
TEST(Race, OfTwoInputsIsANormalProbability) {
  const Posterior prior(Rbf(1.0, Vector{{0.5}}), GaussianConditional(QueryMap::identity(1), 0.1));
  const Posterior told = prior.condition(Queries{{0.1}, {0.9}}, Vector{{0.4, -0.1}}, 0.3);
  const Inputs x{{0.0}, {0.6}};
  const Marginals f = told.f(x);
  const Matrix cov = told.f_cov(x, x);
  const double sd = std::sqrt(cov(0, 0) + cov(1, 1) - 2.0 * cov(0, 1));
  const double want = 0.5 * std::erfc((f.mean[1] - f.mean[0]) / sd / std::sqrt(2.0));
  for (const EngineKind engine : {EngineKind::kLowRank, EngineKind::kDataSpace}) {
    const FiniteBelief belief(told, x, Queries{{0.5}}, {engine, 0.3});
    for (const Index row : {0, 1}) {
      Rng rng(4);
      const auto found = belief.win_probability(row, 0.005, 1000, rng);
      EXPECT_NEAR(found.value, row == 0 ? want : 1.0 - want, kSure * found.error);
      EXPECT_LE(found.error, 0.005);
    }
  }
}

TEST(Race, IsWonByASingleInputAndByOneFarAboveTheOthers) {
  const Posterior prior(Rbf(1.0, Vector{{0.1}}), GaussianConditional(QueryMap::identity(1), 0.1));
  Rng rng(1);
  const auto alone = FiniteBelief(prior, Inputs{{0.0}}, Queries{{0.5}}).win_probability(0, 0.02, 12, rng);
  EXPECT_EQ(alone.value, 1.0);
  EXPECT_EQ(alone.error, 0.0);
  const Inputs x{{0.0}, {1.0}, {2.0}};
  const auto far = FiniteBelief(prior.condition(x.slice(1, 1), Vector{{8.0}}, 1e-4), x, Queries{{0.5}})
                       .win_probability(1, 0.02, 12, rng);
  EXPECT_EQ(far.value, 1.0);
  EXPECT_EQ(far.error, kNegligible);
}

// Lists long enough for both stages. The value at one input is known to be high, so that it wins often, but not always.
struct Case {
  const char* name;
  Posterior told;
  Inputs x;
  EngineKind engine;
};

std::vector<Case> cases() {
  const Inputs x(test::grid(30));
  const GaussianConditional windows(QueryMap::identity(2), 0.1);
  const auto told = [&](const Kernel& kernel, Index row, double z) {
    Rng rng(3);
    const Queries a(rng.uniforms(12, 2));
    return Posterior(kernel, windows, ConstantMean(0.2))
        .condition(a, 0.3 * rng.normals(12), 0.01)
        .condition(x.slice(row, 1), Vector::Constant(1, z), 0.05);
  };
  const Rbf smooth(1.0, Vector{{0.15, 0.2}});
  const Matern32 rough(1.0, Vector{{0.1, 0.1}});
  return {{"smooth, low rank", told(smooth, 333, 3.0), x, EngineKind::kLowRank},
          {"smooth, data space", told(smooth, 333, 3.0), x, EngineKind::kDataSpace},
          {"rough", told(rough, 500, 3.2), x, EngineKind::kDataSpace},
          {"rough, nobody stands out", told(rough, 500, 1.0), x, EngineKind::kDataSpace}};
}

Index best_of(const FiniteBelief& belief) {
  Index row = 0;
  belief.f().mean.maxCoeff(&row);
  return row;
}

// Whole paths, each with its winner among all inputs and among the rivals.
struct Plain {
  double among_all = 0.0;
  double among_rivals = 0.0;
};

constexpr Index kPlain = 6000;

Plain plain(const FiniteBelief& belief, Index row) {
  const std::vector<Index> rivals = rivals_of(row, belief.f(), belief.f_cov({row}).row(0).transpose());
  EXPECT_EQ(rivals.front(), row);
  Plain out;
  Rng rng(8);
  for (Index done = 0; done < kPlain; done += 500) {
    const Matrix f = belief.draw(500, rng).f;
    for (Index s = 0; s < f.cols(); ++s) {
      const Vector some = f.col(s)(rivals);
      out.among_all += f(row, s) == f.col(s).maxCoeff() ? 1.0 / kPlain : 0.0;
      out.among_rivals += f(row, s) == some.maxCoeff() ? 1.0 / kPlain : 0.0;
    }
  }
  return out;
}

// Over many seeds the mean is right, and the errors are what the standard error says, with and without a limit on paths
// that are continued.
TEST(Race, AgreesWithPlainPathsOverTheWholeList) {
  constexpr int kSeeds = 180;
  for (const auto& [name, told, x, engine] : cases()) {
    SCOPED_TRACE(name);
    const FiniteBelief belief(told, x, Queries{{0.5, 0.5}}, {engine, 0.01});
    const Index row = best_of(belief);
    const Plain want = plain(belief, row);
    const double plain_error = std::sqrt(std::max(want.among_all * (1.0 - want.among_all), 1e-3) / kPlain);
    for (const Index most : {12, 500}) {
      double mean = 0.0;
      double squares = 0.0;  // of errors in units of the standard error
      double error = 0.0;
      for (int seed = 1; seed <= kSeeds; ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed));
        const auto found = belief.win_probability(row, 0.03, most, rng);
        mean += found.value / kSeeds;
        error += found.error / kSeeds;
        squares += std::pow((found.value - want.among_all) / found.error, 2) / kSeeds;
        EXPECT_LE(found.error, most == 500 ? 0.03 : 0.2);
      }
      EXPECT_NEAR(mean, want.among_all, kSure * std::hypot(error / std::sqrt(kSeeds), plain_error) + kNegligible);
      // A mean of 180 squares of normal numbers has an sd of 0.11.
      EXPECT_LT(squares, 1.6) << "errors are larger than said";
      EXPECT_GE(squares, want.among_all > 0.1 ? 0.5 : 0.0) << "errors are smaller than said";
    }
  }
}

TEST(Race, LeavesOutOnlyInputsThatHardlyEverWin) {
  bool any_left_out = false;
  for (const auto& [name, told, x, engine] : cases()) {
    SCOPED_TRACE(name);
    const FiniteBelief belief(told, x, Queries{{0.5, 0.5}}, {engine, 0.01});
    const Index row = best_of(belief);
    const auto rivals = rivals_of(row, belief.f(), belief.f_cov({row}).row(0).transpose());
    any_left_out = any_left_out || static_cast<Index>(rivals.size()) < x.size();
    const Plain found = plain(belief, row);
    EXPECT_GE(found.among_rivals, found.among_all);
    EXPECT_LE(found.among_rivals - found.among_all, kNegligible + kSure * std::sqrt(kNegligible / kPlain));
  }
  EXPECT_TRUE(any_left_out);
}

TEST(Race, OneSeedGivesOneResult) {
  const auto [name, told, x, engine] = cases()[2];
  const FiniteBelief belief(told, x, Queries{{0.5, 0.5}}, {engine, 0.01});
  Rng one(5);
  Rng same(5);
  const auto a = belief.win_probability(3, 0.02, 12, one);
  const auto b = belief.win_probability(3, 0.02, 12, same);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.draws, b.draws);
}

TEST(Race, SaysWhatIsWrong) {
  const Posterior prior(Rbf(1.0, Vector{{0.1}}), GaussianConditional(QueryMap::identity(1), 0.1));
  const FiniteBelief belief(prior, Inputs{{0.0}, {1.0}}, Queries{{0.5}});
  Rng rng(1);
  test::expect_refusal([&] { belief.win_probability(2, 0.02, 12, rng); }, {"row", "2", "0 to 1"});
  test::expect_refusal([&] { belief.win_probability(0, 0.0, 12, rng); }, {"error", "0"});
  test::expect_refusal([&] { belief.win_probability(0, 0.02, 0, rng); }, {"most", "0", "at least 1"});
}

}  // namespace
}  // namespace iqbo
