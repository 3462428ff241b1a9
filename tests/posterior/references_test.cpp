// What is prepared for many queries says the same as what is computed for each.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::kPosterior;

// Laws over listed points whose weights follow the query, as those of a learned p(x|a) do; some are negative.
class Embedding final : public Conditional {
 public:
  Embedding(Inputs points, bool of_density)
      : points_(std::make_shared<Inputs>(std::move(points))), density_(of_density) {}

  std::shared_ptr<const Conditional> clone() const override { return std::make_shared<Embedding>(*this); }
  Index input_dimension() const override { return points_->dimension(); }
  Index query_dimension() const override { return 1; }
  Laws laws(const Queries& a) const override {
    Matrix weight(a.size(), points_->size());
    for (Index i = 0; i < a.size(); ++i)
      for (Index j = 0; j < points_->size(); ++j)
        weight(i, j) =
            (j + static_cast<Index>(10 * a.row(i)[0])) % 3 == 0
                ? 0.0
                : std::sin(3.0 * a.row(i)[0] + static_cast<double>(j)) / static_cast<double>(points_->size());
    return DiscreteLaws{points_, SparseRows(weight.sparseView()), density_};
  }
  const Inputs* support() const override { return points_.get(); }

 private:
  std::shared_ptr<const Inputs> points_;
  bool density_;
};

// A nugget averages out under a density.
Posterior observed(const Conditional& conditional, bool nugget, bool discrepancy, double scale, Rng& rng) {
  const Matern32 smooth(1.5 * scale, Vector{{0.3, 0.4}});
  const LinearMean mean{0.5, Vector{{1.0, -0.7}}};
  Posterior prior =
      nugget ? Posterior(Sum(smooth, White(0.2, 2)), conditional, mean) : Posterior(smooth, conditional, mean);
  if (discrepancy) prior = prior.with_discrepancy(Rbf(0.3, Vector{{0.2}}));
  const Queries a = test::random_queries(rng, 5, conditional.query_dimension());
  const Inputs x = test::random_inputs(rng, 2, 2);
  return prior.condition(a.slice(0, 3), rng.normals(3), 0.1)
      .condition(x, rng.normals(2), 0.3)
      .condition(a.slice(3, 2), rng.normals(2), 0.2);
}

void expect_agreement(const Ensemble& belief, const Inputs& x, const Queries& a) {
  const Ensemble::References prepared = belief.references(x);
  const Posterior::Outlook out = belief.outlook(prepared, a);
  const Marginals g = belief.g(a);
  EXPECT_LT((out.g.mean - g.mean).cwiseAbs().maxCoeff(), kPosterior);
  EXPECT_LT((out.g.var - g.var).cwiseAbs().maxCoeff(), kPosterior);
  EXPECT_LT((out.fg_cov - belief.fg_cov(x, a)).cwiseAbs().maxCoeff(), kPosterior);
}

TEST(References, SayWhatSingleCallsSay) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Rng rng(seed);
    const Inputs points = test::random_inputs(rng, 12, 2),
                 x = test::random_inputs(rng, 7, 2).joined(points.slice(2, 3));
    const Queries a = test::random_queries(rng, 4, 1);
    for (const bool of_density : {false, true})
      for (const bool discrepancy : {false, true}) {
        const Embedding learned(points, of_density);
        const Posterior one = observed(learned, !of_density, discrepancy, 1.0, rng);
        EXPECT_GT(one.references(x).of_support.size(), 0);
        expect_agreement(Ensemble({one}, Vector::Ones(1)), x, a);
        expect_agreement(Ensemble({one, observed(learned, !of_density, discrepancy, 3.0, rng)}, Vector{{2.0, 1.0}}), x,
                         a);
      }
    const GaussianConditional windows(QueryMap::identity(2), 0.1);
    const Posterior by_windows = observed(windows, false, false, 1.0, rng);
    EXPECT_EQ(by_windows.references(x).of_support.size(), 0);
    expect_agreement(Ensemble({by_windows}, Vector::Ones(1)), x, test::random_queries(rng, 4, 2));
  }
}

TEST(References, OfAPriorHaveNoObservations) {
  Rng rng(3);
  const Inputs points = test::random_inputs(rng, 12, 2);
  const Posterior prior(Matern52(1.0, Vector{{0.3, 0.4}}), Embedding(points, false));
  expect_agreement(Ensemble({prior}, Vector::Ones(1)), points.slice(0, 4), test::random_queries(rng, 3, 1));
}

TEST(References, SayWhatIsWrong) {
  Rng rng(3);
  const Inputs points = test::random_inputs(rng, 12, 2);
  const Posterior one = observed(Embedding(points, false), true, false, 1.0, rng);
  const auto prepared = one.references(points);
  test::expect_refusal([&] { one.outlook(prepared, test::random_queries(rng, 3, 2)); }, {"a", "2", "1"});
  test::expect_refusal([&] { one.references(test::random_inputs(rng, 3, 1)); }, {"x", "1", "2"});
}

}  // namespace
}  // namespace iqbo
