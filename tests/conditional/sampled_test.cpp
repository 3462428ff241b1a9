#include "iqbo/conditional/sampled.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

const Rbf kKernel(1.0, Vector{{0.4}});

SampledConditional normal_draws(Index draws, std::uint64_t seed) {
  return SampledConditional::sampler(
      1, 1, [](const Queries& a, Index n, Rng& rng) -> Rows { return (0.3 * rng.normals(n)).array() + a.row(0)[0]; },
      draws, seed);
}

TEST(Sampled, ConvergesToTheClosedForm) {
  const GaussianConditional exact(QueryMap::identity(1), 0.3);
  const Queries a({{0.0}, {0.5}, {2.0}});
  // 4,000 draws: sd of a kernel average at most 0.5 / sqrt(4,000) = 0.008; 4 sd allowed for 12 numbers, false alarm
  // 1e-3.
  EXPECT_LT((normal_draws(4000, 1).q(kKernel, a, a) - exact.q(kKernel, a, a)).cwiseAbs().maxCoeff(), 0.032);
  EXPECT_LT((normal_draws(4000, 1).c(kKernel, Inputs({{0.1}}), a) - exact.c(kKernel, Inputs({{0.1}}), a))
                .cwiseAbs()
                .maxCoeff(),
            0.032);
}

TEST(Sampled, TheSameQueryHasTheSameDrawsWhereverItStands) {
  const auto sampled = normal_draws(50, 3);
  const auto alone = std::get<DiscreteLaws>(sampled.laws(Queries({{0.5}})).parts().front().kind);
  const auto among = std::get<DiscreteLaws>(sampled.laws(Queries({{-1.0}, {0.5}})).parts().front().kind);
  EXPECT_EQ(alone.support->coordinates(), among.support->coordinates().bottomRows(50));
  const auto other_seed = std::get<DiscreteLaws>(normal_draws(50, 4).laws(Queries({{0.5}})).parts().front().kind);
  EXPECT_NE(alone.support->coordinates(), other_seed.support->coordinates());
  EXPECT_NE(among.support->coordinates().topRows(50), among.support->coordinates().bottomRows(50));
}

TEST(Sampled, ARuleIsAWeightedSum) {
  const auto two_sided = SampledConditional::rule(1, 1, [](const Queries& a) {
    std::vector<WeightedPoints> out;
    for (Index i = 0; i < a.size(); ++i)
      out.push_back({Rows{{a.row(i)[0] - 1.0}, {a.row(i)[0] + 1.0}}, Vector{{1.0, 3.0}}});
    return out;
  });
  const Inputs x({{0.2}});
  const double want = 0.25 * kKernel.gram(x, Inputs({{-1.0}}))(0, 0) + 0.75 * kKernel.gram(x, Inputs({{1.0}}))(0, 0);
  EXPECT_NEAR(two_sided.c(kKernel, x, Queries({{0.0}}))(0, 0), want, test::kRounding);
  EXPECT_NEAR(two_sided.nu(LinearMean(1.0, Vector{{2.0}}), Queries({{5.0}}))[0], 1.0 + 2.0 * 5.5, test::kRounding);
}

TEST(Sampled, RefusesWhatMakesNoAverage) {
  const Queries a({{0.0}, {1.0}});
  const auto with = [&](WeightedPoints second) {
    return SampledConditional::rule(1, 1,
                                    [second](const Queries&) {
                                      return std::vector<WeightedPoints>{{Rows{{0.0}}, Vector{{1.0}}}, second};
                                    })
        .laws(a);
  };
  expect_refusal([&] { with({Rows{{0.0}, {1.0}}, Vector{{1.0}}}); }, {"weights of query row 1", "1 rows", "2"});
  expect_refusal([&] { with({Rows{{0.0, 1.0}}, Vector{{1.0}}}); }, {"points of query row 1", "2 columns", "1"});
  expect_refusal([&] { with({Rows{{0.0}}, Vector{{-1.0}}}); }, {"weights of query row 1", "row 0", "-1"});
  expect_refusal([&] { with({Rows{{0.0}}, Vector{{0.0}}}); }, {"weights of query row 1", "sum to 0", "positive"});
  expect_refusal([&] { with({Rows{{NAN}}, Vector{{1.0}}}); }, {"points of query row 1", "row 0", "nan"});
  expect_refusal([&] { with({Rows{{0.0}, {1.0}}, Vector{{1e308, 1e308}}}); }, {"weights of query row 1", "inf"});
  EXPECT_EQ(normal_draws(5, 1).laws(Queries(Rows(0, 1))).size(), 0);
  expect_refusal([&] { with({Rows(0, 1), Vector()}); }, {"weights of query row 1", "sum to 0"});
  const auto one_only = SampledConditional::rule(1, 1, [](const Queries&) { return std::vector<WeightedPoints>{}; });
  expect_refusal([&] { one_only.laws(a); }, {"rule(a)", "0 rows", "2"});
  expect_refusal([&] { one_only.laws(Queries({{0.0, 1.0}})); }, {"a", "2 columns", "1"});
  expect_refusal([] { SampledConditional::rule(1, 1, nullptr); }, {"rule", "empty"});
  expect_refusal([] { normal_draws(0, 1); }, {"draws", "0", "at least 1"});
  const auto few = SampledConditional::sampler(
      1, 1, [](const Queries&, Index, Rng&) -> Rows { return Rows{{0.0}}; }, 5, 1);
  expect_refusal([&] { few.laws(a); }, {"sampler(a)", "1 rows", "5"});
  const auto throwing = SampledConditional::sampler(
      1, 1, [](const Queries&, Index, Rng&) -> Rows { throw std::domain_error("no such clinic"); }, 5, 1);
  test::expect_error<std::domain_error>([&] { throwing.laws(a); }, {"no such clinic"});
}

}  // namespace
}  // namespace iqbo
