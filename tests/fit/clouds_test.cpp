// Where every law has many points, hyperparameters are looked for with few of them.
#include <gtest/gtest.h>

#include "fit/run.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

TEST(FitClouds, ThinningLosesLittle) {
  Rng rng(1);
  const Rows a = rng.uniforms(40, 2);
  const Vector z = (5.0 * a.col(0)).array().sin().matrix() + a.col(1) + 0.1 * rng.normals(40);
  const InputBox box(Vector::Zero(2), Vector::Ones(2));
  const TruncatedConditional windows(GaussianConditional(QueryMap::identity(2), 0.08), box, Truncation::kRenormalise);
  const Posterior data = Posterior(Rbf(1.0, Vector::Constant(2, 0.2)), windows).condition(Queries(a), z, 0.01);
  FitOptions options;
  options.families = {"matern32"};
  const FitRun run = run_fit(data, options, 1);
  EXPECT_EQ(run.found.notes.back().find("hyperparameters were fitted with a few points"), 0U);
  // The same search from there with every point.
  const FitObjective& all = run.objective();
  const auto [better, curvature] = climb(all, run.laplace.mode.theta, run.laplace.cov, 20, 1e-3);
  EXPECT_EQ(all.evaluate(run.laplace.mode.theta, nullptr).log_posterior, run.laplace.mode.log_posterior);
  EXPECT_LT(better.log_posterior - run.laplace.mode.log_posterior, 0.1);
  EXPECT_LT((better.theta - run.laplace.mode.theta).cwiseQuotient(run.laplace.cov.diagonal().cwiseSqrt()).norm(), 0.5);
}

}  // namespace
}  // namespace iqbo
