// Queries added to a finite belief, against the exact posterior and against a belief that knew them from the start.
#include <gtest/gtest.h>

#include <utility>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

constexpr double kExact =
    1e-7;  // of the amplitude, as finite.hpp promises for windows that reach beyond X; 2e-8 was seen

Inputs inputs() {
  Rows out(81, 2);
  for (Index i = 0; i < 81; ++i) out.row(i) << static_cast<double>(i / 9) / 8.0, static_cast<double>(i % 9) / 8.0;
  return Inputs(std::move(out));
}

// (centre, sd), reaching well beyond X.
Queries windows(Index count, Rng& rng) {
  Rows out = rng.uniforms(count, 3);
  out.leftCols(2) = (1.6 * out.leftCols(2)).array() - 0.3;
  out.col(2) = 0.02 + 0.4 * out.col(2).array();
  return Queries(out);
}

Posterior window_prior(const Kernel& kernel) {
  return Posterior(kernel, GaussianConditional(QueryMap::columns({0, 1}), QueryMap::columns({2})), ConstantMean(0.3));
}

void expect_equal(FiniteBelief& belief, const Posterior& exact) {
  const Marginals g = exact.g(belief.a());
  EXPECT_LT((belief.g().mean - g.mean).cwiseAbs().maxCoeff(), kExact);
  EXPECT_LT((belief.g().var - g.var).cwiseAbs().maxCoeff(), kExact);
  const Marginals f = exact.f(belief.x());
  EXPECT_LT((belief.f().mean - f.mean).cwiseAbs().maxCoeff(), kExact);
  EXPECT_LT((belief.f().var - f.var).cwiseAbs().maxCoeff(), kExact);
  EXPECT_LT((belief.fg_cov() - exact.fg_cov(belief.x(), belief.a())).cwiseAbs().maxCoeff(), kExact);
  EXPECT_LT((belief.g_cov({0, belief.a().size() - 1}) -
             exact.g_cov(belief.a()).operator()(std::vector<Index>{0, belief.a().size() - 1}, Eigen::all))
                .cwiseAbs()
                .maxCoeff(),
            kExact);
  const Queries ends = belief.a().slice(0, 1).joined(belief.a().slice(belief.a().size() - 1, 1));
  EXPECT_LT((belief.g_cov_among({0, belief.a().size() - 1}) - exact.g_cov(ends)).cwiseAbs().maxCoeff(), kExact);
}

// Add some, observe one of them, and so on, as a tree does.
void run(const Posterior& prior, EngineKind engine, EngineKind expected, bool keep_covariances) {
  Rng rng(3);
  FiniteOptions options;
  options.engine = engine;
  options.noise_var = 0.01;
  FiniteBelief belief(prior, inputs(), windows(4, rng), options);
  if (keep_covariances) belief.fg_cov();
  Posterior exact = prior;
  for (int t = 0; t < 12; ++t) {
    belief.add(windows(5, rng));
    const Index row = rng.below(belief.a().size());
    const double z = rng.normal();
    belief.observe(row, z, 0.01);
    exact = exact.condition(belief.a().slice(row, 1), Vector{{z}}, 0.01);
  }
  EXPECT_EQ(belief.a().size(), 64);
  EXPECT_EQ(belief.engine(), expected) << belief.description();
  expect_equal(belief, exact);
}

TEST(FiniteAdd, LowRankFollowsTheExactPosterior) {
  for (const bool keep : {false, true})
    run(window_prior(Rbf(1.0, Vector{{0.3, 0.4}})), EngineKind::kLowRank, EngineKind::kLowRank, keep);
}

// A rough kernel has as many features as points: from 100 on they are not worth it.
TEST(FiniteAdd, DataSpaceFollowsTheExactPosterior) {
  for (const bool keep : {false, true})
    run(window_prior(Matern32(1.0, Vector{{0.3, 0.4}})), EngineKind::kAuto, EngineKind::kDataSpace, keep);
}

// A discrepancy that the first queries do not span: the features are made again.
TEST(FiniteAdd, WithADiscrepancy) {
  const Posterior prior =
      window_prior(Rbf(1.0, Vector{{0.5, 0.5}})).with_discrepancy(Rbf(0.04, Vector{{0.5, 0.5, 0.5}}));
  run(prior, EngineKind::kLowRank, EngineKind::kLowRank, true);
  run(prior, EngineKind::kDataSpace, EngineKind::kDataSpace, true);
}

TEST(FiniteAdd, OverListedPoints) {
  const Inputs x = inputs();
  std::vector<BagRow> rows;
  Rng rng(8);
  for (Index i = 0; i < x.size(); ++i)
    for (int bag = 0; bag < 3; ++bag) rows.push_back({rng.below(12), i, 1.0});
  const BagConditional bags(x, rows);
  for (const EngineKind engine : {EngineKind::kLowRank, EngineKind::kDataSpace}) {
    FiniteOptions options;
    options.engine = engine;
    options.noise_var = 0.01;
    Posterior exact(Rbf(1.0, Vector{{0.3, 0.4}}), bags);
    FiniteBelief belief(exact, x, bags.queries().slice(0, 3), options);
    for (Index next = 3; next < 12; next += 3) {
      belief.observe(next - 2, 0.7, 0.01);
      exact = exact.condition(bags.queries().slice(next - 2, 1), Vector{{0.7}}, 0.01);
      belief.add(bags.queries().slice(next, 3));
    }
    expect_equal(belief, exact);
  }
}

// Second moments of joint paths, added queries included, to sampling error.
TEST(FiniteAdd, PathsKnowAddedQueries) {
  const Posterior prior = window_prior(Rbf(1.0, Vector{{0.3, 0.4}}));
  for (const EngineKind engine : {EngineKind::kLowRank, EngineKind::kDataSpace}) {
    Rng rng(4);
    FiniteOptions options;
    options.engine = engine;
    options.noise_var = 0.01;
    FiniteBelief belief(prior, inputs(), windows(2, rng), options);
    belief.observe(0, 1.0, 0.01);
    belief.add(windows(3, rng));
    EXPECT_EQ(belief.draw(4, rng).g.rows(), 5);
    const Posterior exact = prior.condition(belief.a().slice(0, 1), Vector{{1.0}}, 0.01);
    constexpr Index kPaths = 20000;
    Matrix g = belief.draw(kPaths, rng).g;
    const Vector mean = g.rowwise().mean();
    g.colwise() -= mean;
    const Matrix cov = g * g.transpose() / static_cast<double>(kPaths);
    EXPECT_LT((mean - exact.g(belief.a()).mean).cwiseAbs().maxCoeff(), 0.04);
    EXPECT_LT((cov - exact.g_cov(belief.a())).cwiseAbs().maxCoeff(), 0.06);
  }
}

TEST(FiniteAdd, ACopyDoesNotNotice) {
  Rng rng(5);
  FiniteBelief belief(window_prior(Rbf(1.0, Vector{{0.3, 0.4}})), inputs(), windows(3, rng));
  const FiniteBelief copy = belief;
  belief.add(windows(4, rng));
  EXPECT_EQ(copy.a().size(), 3);
  EXPECT_EQ(copy.g().mean.size(), 3);
  EXPECT_EQ(copy.g_cov({1}).cols(), 3);
  EXPECT_EQ(belief.g_cov({1}).cols(), 7);
  belief.add(Queries());
  test::expect_refusal([&] { belief.add(Queries{{0.5, 0.5}}); }, {"a: 2 columns, expected 3"});
  EXPECT_EQ(belief.a().size(), 7);
}

}  // namespace
}  // namespace iqbo
