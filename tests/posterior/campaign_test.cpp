// A thousand observations: one at a time, all at once, in any order.
#include <gtest/gtest.h>

#include <numeric>

#include "iqbo/average/expectation.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::kPosterior;

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

// 1,000 observations at 100 places, about ten of each; a third are direct looks. f is a sum of cosines, whose averages are
// known. With `misfit` averages are reported as if they were looks: the data contradict the model, and weights are huge.
struct Campaign {
  Posterior prior;
  Rows places{1000, 2};
  Vector z{1000};
  double noise_var;
  Inputs x;
  Queries b;

  Campaign(std::uint64_t seed, double noise_sd, const Conditional& conditional, bool misfit)
      : prior(Rbf(1.0, Vector{{0.2, 0.2}}), conditional), noise_var(noise_sd * noise_sd) {
    Rng rng(seed);
    const Rows sites = rng.uniforms(100, 2);
    for (Index i = 0; i < 1000; ++i) {
      places.row(i) = sites.row(rng.below(100));
      z[i] = noise_sd * rng.normal();
    }
    const Rows frequency{{5.0, 1.0}, {-2.0, 6.0}, {0.5, 3.0}};
    const Vector phase{{0.3, 1.0, 2.0}};
    const Matrix looks = expect_cosines(Inputs(places), frequency, phase);
    const Matrix averages = conditional.cosines(Queries(places), frequency, phase);
    for (Index i = 0; i < 1000; ++i) z[i] += (i % 3 == 0 || misfit ? looks : averages).row(i).sum();
    x = test::random_inputs(rng, 100, 2);
    b = test::random_queries(rng, 100, 2);
  }
  // Observation i added to `to`.
  Posterior one(const Posterior& to, Index i) const {
    if (i % 3 == 0) return to.condition(Inputs(places.middleRows(i, 1)), z.segment(i, 1), noise_var);
    return to.condition(Queries(places.middleRows(i, 1)), z.segment(i, 1), noise_var);
  }
  // All of them in two batches, in the given order within each.
  Posterior batch(const std::vector<Index>& order) const {
    std::vector<Index> direct, averaged;
    for (const Index i : order) (i % 3 == 0 ? direct : averaged).push_back(i);
    return prior.condition(Queries(places(averaged, Eigen::all)), z(averaged), noise_var)
        .condition(Inputs(places(direct, Eigen::all)), z(direct), noise_var);
  }
};

struct Setting {
  double noise_sd;
  bool misfit;
  double tolerance;
};
constexpr Setting kSettings[] = {{1e-3, true, kPosterior}, {1e-6, false, test::kPosteriorLowNoise}};

std::vector<Index> in_order() {
  std::vector<Index> order(1000);
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

const GaussianConditional kWindow(QueryMap::identity(2), 0.05);
const UniformConditional kBox(QueryMap::identity(2), 0.08);

void expect_same(const Posterior& one, const Posterior& other, const Campaign& campaign, double tolerance) {
  EXPECT_LT(distance(one.f(campaign.x).mean, other.f(campaign.x).mean), tolerance);
  EXPECT_LT(distance(one.f(campaign.x).var, other.f(campaign.x).var), tolerance);
  EXPECT_LT(distance(one.g(campaign.b).mean, other.g(campaign.b).mean), tolerance);
  EXPECT_LT(distance(one.g(campaign.b).var, other.g(campaign.b).var), tolerance);
}

TEST(Posterior, OneAtATimeOrAllAtOnce) {
  for (const auto& [noise_sd, misfit, tolerance] : kSettings) {
    const Campaign campaign(1, noise_sd, kWindow, misfit);
    Posterior stepwise = campaign.prior;
    for (Index i = 0; i < 1000; ++i) stepwise = campaign.one(stepwise, i);
    expect_same(campaign.batch(in_order()), stepwise, campaign, tolerance);
  }
}

TEST(Posterior, OrderOfObservationsDoesNotMatter) {
  for (const auto& [noise_sd, misfit, tolerance] : kSettings)
    for (const SpreadConditional& conditional : {SpreadConditional(kWindow), SpreadConditional(kBox)}) {
      const Campaign campaign(2, noise_sd, conditional, misfit);
      std::vector<Index> order = in_order();
      Rng rng(3);
      for (Index i = 999; i > 0; --i)
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(rng.below(i + 1))]);
      expect_same(campaign.batch(in_order()), campaign.batch(order), campaign, tolerance);
    }
}

}  // namespace
}  // namespace iqbo
