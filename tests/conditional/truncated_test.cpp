// Windows cut off by the domain, against integrals over the cut density.
#include "iqbo/conditional/truncated.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;
using test::Real;

// 10 nodes, a kernel as wide as the window: what truncated.hpp promises, with a little room.
constexpr double kTenNodes = 3e-8;

const InputBox kDomain(Vector{{-1.0}}, Vector{{2.0}});
const GaussianConditional kNormal(QueryMap::columns({0}), QueryMap::columns({1}));
const UniformConditional kBox(QueryMap::columns({0}), QueryMap::columns({1}));
const Rbf kKernel(1.0, Vector{{0.5}});

Real kernel_at(Real x, Real y) { return std::exp(-(x - y) * (x - y) / 0.5L); }

// E h(X), X normal, in the domain only; and the mass on either side.
struct Cut {
  Real inside, below, above;
};
Cut integrate_normal(const std::function<Real(Real)>& h, Real mu, Real sd) {
  const auto density = [&](Real t) {
    return std::exp(-(t - mu) * (t - mu) / (2 * sd * sd)) / (sd * std::sqrt(8 * std::atan(1.0L)));
  };
  return {test::integrate([&](Real t) { return h(t) * density(t); }, -1.0L, 2.0L, 60),
          test::integrate(density, mu - 20 * sd, -1.0L, 200), test::integrate(density, 2.0L, mu + 20 * sd, 200)};
}

TEST(Truncated, NormalWindowClippedOrRenormalised) {
  const TruncatedConditional clip(kNormal, kDomain, Truncation::kClip);
  const TruncatedConditional renormalise(kNormal, kDomain, Truncation::kRenormalise);
  for (const double mu : {-2.0, -1.0, -0.7, 0.4, 1.9, 2.3})
    for (const double sd : {0.1, 0.5}) {
      const Queries a({{mu, sd}});
      const Real y = 1.7L;
      const auto k = [&](Real t) { return kernel_at(t, y); };
      const Cut cut = integrate_normal(k, mu, sd);
      const Real mass = integrate_normal([](Real) { return 1.0L; }, mu, sd).inside;
      const Inputs at({{1.7}});
      EXPECT_NEAR(clip.c(kKernel, at, a)(0, 0),
                  static_cast<double>(cut.inside + cut.below * k(-1.0L) + cut.above * k(2.0L)), kTenNodes)
          << mu << ' ' << sd;
      EXPECT_NEAR(renormalise.c(kKernel, at, a)(0, 0), static_cast<double>(cut.inside / mass), kTenNodes)
          << mu << ' ' << sd;
    }
}

TEST(Truncated, BoxClippedOrRenormalised) {
  // a = 1.8 +- 0.4: three quarters inside, a quarter beyond 2; a = -1.5 +- 0.2: all below.
  const Inputs at({{1.0}});
  const auto k = [](Real t) { return kernel_at(t, 1.0L); };
  const Real inside = test::integrate(k, 1.4L, 2.0L, 10) / 0.6L;
  EXPECT_NEAR(TruncatedConditional(kBox, kDomain, Truncation::kClip).c(kKernel, at, Queries({{1.8, 0.4}}))(0, 0),
              static_cast<double>(0.75L * inside + 0.25L * k(2.0L)), kTenNodes);
  EXPECT_NEAR(TruncatedConditional(kBox, kDomain, Truncation::kRenormalise).c(kKernel, at, Queries({{1.8, 0.4}}))(0, 0),
              static_cast<double>(inside), kTenNodes);
  EXPECT_NEAR(TruncatedConditional(kBox, kDomain, Truncation::kClip).c(kKernel, at, Queries({{-1.5, 0.2}}))(0, 0),
              static_cast<double>(k(-1.0L)), test::kRounding);
}

TEST(Truncated, DeepInsideItIsTheWindowItself) {
  const InputBox wide(Vector{{-20.0, -20.0}}, Vector{{20.0, 20.0}});
  const GaussianConditional window(QueryMap::identity(2), 0.5);
  const Rbf kernel(1.0, Vector{{0.8, 1.2}});
  const Queries a({{0.0, 0.3}, {0.5, -0.4}});
  for (const auto truncation : {Truncation::kClip, Truncation::kRenormalise}) {
    const TruncatedConditional truncated(window, wide, truncation);
    EXPECT_LT((truncated.q(kernel, a, a) - window.q(kernel, a, a)).cwiseAbs().maxCoeff(), kTenNodes);
    const auto laws = truncated.laws(a);
    for (const Rows& weight : std::get<AxisLaws>(laws.parts().front().kind).weight)
      EXPECT_EQ(weight.cols(), 10);  // no atoms on faces without mass
  }
}

// Axes are independent, so that a kernel that is a product over them has averages that are too. The grid would have more
// than 10^5 points here.
TEST(Truncated, ManyAxes) {
  const InputBox domain(Vector::Constant(5, -1.0), Vector::Constant(5, 2.0));
  const TruncatedConditional five(GaussianConditional(QueryMap::identity(5), 0.5), domain, Truncation::kClip);
  const TruncatedConditional one(GaussianConditional(QueryMap::identity(1), 0.5), kDomain, Truncation::kClip);
  const Rows a{{-1.2, 0.3, 1.9, 0.7, -0.4}};
  const Rows b{{0.2, 0.1, 2.3, -0.7, 0.8}};
  double want = 1.0;
  for (Index c = 0; c < 5; ++c) want *= one.q(kKernel, Queries(a.col(c)), Queries(b.col(c)))(0, 0);
  EXPECT_NEAR(five.q(Rbf(1.0, Vector::Constant(5, 0.5)), Queries(a), Queries(b))(0, 0), want, test::kRounding);
}

TEST(Truncated, PointsAndFarTails) {
  const TruncatedConditional clip(kNormal, kDomain, Truncation::kClip);
  const TruncatedConditional renormalise(kNormal, kDomain, Truncation::kRenormalise);
  const LinearMean position(0.0, Vector{{1.0}});
  EXPECT_EQ(clip.nu(position, Queries({{0.5, 0.0}, {7.0, 0.0}, {-7.0, 0.0}})), (Vector{{0.5, 2.0, -1.0}}));
  EXPECT_NEAR(clip.nu(position, Queries({{50.0, 0.1}}))[0], 2.0, test::kRounding);
  // A normal 60 sd beyond the edge, given that it is inside, is exponential with rate 60 / sd: its mean is 1/rate
  // inside (the next term of the Mills ratio is 1/60^2 of that).
  EXPECT_NEAR((2.0 - renormalise.nu(position, Queries({{8.0, 0.1}}))[0]) * 600.0, 1.0, 1e-3);
}

TEST(Truncated, RefusesWhatDoesNotFit) {
  expect_refusal(
      [] {
        TruncatedConditional(kNormal, InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}), Truncation::kClip);
      },
      {"domain", "2 columns", "1"});
  expect_refusal([] { TruncatedConditional(kNormal, kDomain, Truncation::kClip, 0); }, {"nodes", "0", "1 to 64"});
  const TruncatedConditional box(kBox, kDomain, Truncation::kRenormalise);
  expect_refusal(
      [&] {
        box.laws(Queries({{0.0, 0.5}, {3.0, 0.5}}));
      },
      {"query row 1", "no mass", "column 0", "clipping"});
  const TruncatedConditional point(kNormal, kDomain, Truncation::kRenormalise);
  expect_refusal([&] { point.laws(Queries({{3.0, 0.0}})); }, {"query row 0", "no mass"});
  const TruncatedConditional five(GaussianConditional(QueryMap::identity(5), 0.1),
                                  InputBox(Vector::Zero(5), Vector::Ones(5)), Truncation::kClip);
  const CallbackMean callback([](const Inputs& x) -> Vector { return x.coordinates().rowwise().sum(); });
  expect_refusal([&] { five.nu(callback, Queries(Rows::Constant(1, 5, 0.1))); },
                 {"along each of 5 axes", "25000 points"});
  // Nodes of a density are not pixels: a nugget would be seen where there is none.
  const Sum rough(kKernel, White(0.1, 1));
  expect_refusal(
      [&] {
        box.q(rough, Queries({{0.0, 0.5}}), Queries({{0.0, 0.5}}));
      },
      {"kernel", "White", "listed points"});
}

}  // namespace
}  // namespace iqbo
