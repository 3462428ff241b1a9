#include "iqbo/posterior/plain_gp.hpp"

#include <gtest/gtest.h>

#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

TEST(PlainGp, AgainstTheInformationForm) {
  Rng rng(1);
  const Queries all = test::random_queries(rng, 10, 3);
  // The paper's kernel for a = (xi, delta): location times resolution. Matern 1/2 keeps its precision matrix tame.
  const Product l({{Matern12(1.5, Vector{{0.4, 0.4}}), {0, 1}}, {Matern12(1.0, Vector{{0.7}}), {2}}});
  const Vector z = rng.normals(4);
  const PlainGp gp = PlainGp(l, 0.6).condition(all.slice(0, 4), z, Vector{{0.1, 0.2, 0.1, 0.4}});

  Matrix looks = Matrix::Zero(4, 10);
  for (Index i = 0; i < 4; ++i) looks(i, i) = 1.0;
  const auto want =
      test::condition(test::LongVector::Constant(10, 0.6L), l.gram(all).cast<long double>(), looks.cast<long double>(),
                      z.cast<long double>(), test::LongVector{{0.1L, 0.2L, 0.1L, 0.4L}});
  const auto got = gp.g(all);
  EXPECT_LT((got.mean - want.mean.cast<double>()).cwiseAbs().maxCoeff(), test::kPosterior);
  EXPECT_LT((got.var - want.cov.diagonal().cast<double>()).cwiseAbs().maxCoeff(), test::kPosterior);
  EXPECT_LT((gp.g_cov(all) - want.cov.cast<double>()).cwiseAbs().maxCoeff(), test::kPosterior);
}

TEST(PlainGp, IsAQueryBelief) {
  const PlainGp gp = PlainGp(Rbf(1.0, Vector{{0.5}})).condition(Queries({{0.0}}), Vector{{2.0}}, 1.0);
  const QueryBelief& belief = gp;
  EXPECT_DOUBLE_EQ(belief.g(Queries({{0.0}})).mean[0], 1.0);  // halfway between prior and datum at equal variances
  EXPECT_DOUBLE_EQ(belief.g(Queries({{0.0}})).var[0], 0.5);
  EXPECT_EQ(gp.size(), 1);
}

TEST(PlainGp, SpeaksOfQueriesInItsErrors) {
  const PlainGp gp(Rbf(1.0, Vector{{0.5}}));
  test::expect_refusal(
      [&] {
        (void)gp.condition(Queries({{0.0, 1.0}}), Vector{{2.0}}, 1.0);
      },
      {"a:", "2 columns", "1"});
  test::expect_refusal([&] { (void)gp.condition(Queries(), Vector(), 1.0); }, {"a:", "empty"});
  test::expect_refusal([&] { gp.g(Queries({{0.0, 1.0}})); }, {"a:", "2 columns", "1"});
  test::expect_refusal([&] { gp.g_cov(Queries({{0.0}}), Queries({{0.0, 1.0}})); }, {"a:", "2 columns", "1"});
}

}  // namespace
}  // namespace iqbo
