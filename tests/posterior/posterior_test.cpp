// The exact posterior against the information form in long double, and the laws it must obey.
#include "iqbo/posterior/posterior.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "iqbo/average/expectation.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::kPosterior;
using test::LongMatrix;
using test::LongVector;

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

// Twelve pixels and five bags, some overlapping; a rough kernel, whose precision matrix exists to working accuracy.
struct Districts {
  Inputs pixels;
  Matrix weight = Matrix::Zero(5, 12);
  Sum kernel{Matern32(1.5, Vector{{0.3, 0.4}}), White(0.2, 2)};
  LinearMean mean{0.5, Vector{{1.0, -0.7}}};

  explicit Districts(Rng& rng) : pixels(test::random_inputs(rng, 12, 2)) {
    for (Index b = 0; b < 5; ++b)
      for (Index j = 0; j < 4; ++j) weight(b, (2 * b + j) % 12) = rng.uniform() + 0.1;
    for (Index b = 0; b < 5; ++b) weight.row(b) /= weight.row(b).sum();
  }
  Posterior prior() const { return {kernel, BagConditional(pixels, SparseRows(weight.sparseView())), mean}; }
};

// f on the pixels is a Gaussian vector F, a bag is a row of W F and a direct look a row of I F: so the posterior of
// everything is that of F, which the oracle finds from precisions.
TEST(Posterior, OfBagsAndDirectLooksAgainstTheInformationForm) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const Districts land(rng);
    const Queries a({{3.0}, {0.0}, {3.0}, {4.0}});  // bag 3 twice
    const Vector z_a = rng.normals(4);
    const Vector noise_a = test::random_vector(rng, 4, 0.01, 0.5);
    const Inputs x = land.pixels.slice(5, 2);
    const Vector z_x = rng.normals(2);
    const Posterior post = land.prior()
                               .condition(a.slice(0, 2), z_a.head(2), noise_a.head(2))
                               .condition(x, z_x, 0.3)
                               .condition(a.slice(2, 2), z_a.tail(2), noise_a.tail(2));

    Matrix looks = Matrix::Zero(6, 12);
    looks.row(0) = land.weight.row(3);
    looks.row(1) = land.weight.row(0);
    looks(2, 5) = looks(3, 6) = 1.0;
    looks.row(4) = land.weight.row(3);
    looks.row(5) = land.weight.row(4);
    Vector z(6), noise(6);
    z << z_a.head(2), z_x, z_a.tail(2);
    noise << noise_a.head(2), 0.3, 0.3, noise_a.tail(2);
    const auto want = test::condition(land.mean.at(land.pixels).cast<long double>(),
                                      land.kernel.gram(land.pixels).cast<long double>(), looks.cast<long double>(),
                                      z.cast<long double>(), noise.cast<long double>());
    const Vector mean = want.mean.cast<double>();
    const Matrix cov = want.cov.cast<double>();

    const Queries bags({{0.0}, {1.0}, {2.0}, {3.0}, {4.0}});
    const auto f = post.f(land.pixels);
    const auto g = post.g(bags);
    // The oracle averages a linear mean as a sum over pixels; so do we.
    EXPECT_LT(distance(f.mean, mean), kPosterior) << seed;
    EXPECT_LT(distance(f.var, cov.diagonal()), kPosterior);
    EXPECT_LT(distance(post.f_cov(land.pixels), cov), kPosterior);
    EXPECT_LT(distance(g.mean, land.weight * mean), kPosterior);
    EXPECT_LT(distance(g.var, (land.weight * cov * land.weight.transpose()).diagonal()), kPosterior);
    EXPECT_LT(distance(post.g_cov(bags), land.weight * cov * land.weight.transpose()), kPosterior);
    EXPECT_LT(distance(post.fg_cov(land.pixels, bags), cov * land.weight.transpose()), kPosterior);
    EXPECT_EQ(post.z(), z);
    EXPECT_EQ(post.noise_var(), noise);
    EXPECT_EQ(post.inputs().size(), 2);
    EXPECT_EQ(post.queries().size(), 4);
    EXPECT_EQ(post.jitter(), 0.0);
  }
}

// Gaussian windows are the limit of fine bags: a trapezoidal rule over +- 8 sd, whose error is below rounding.
TEST(Posterior, OfGaussianWindowsAgainstFineBags) {
  const double sd = 0.15;
  const Rbf kernel(1.2, Vector{{0.3}});
  const Queries a({{0.1}, {0.5}, {0.55}, {0.9}});
  const Vector z{{0.3, -0.2, 0.1, 1.0}};
  const Index nodes = 161;
  Rows points(4 * nodes, 1);
  std::vector<BagRow> rows;
  for (Index b = 0; b < 4; ++b)
    for (Index i = 0; i < nodes; ++i) {
      const double t = -8.0 + 0.1 * static_cast<double>(i);
      points(b * nodes + i, 0) = a.row(b)[0] + sd * t;
      rows.push_back({b, b * nodes + i, std::exp(-0.5 * t * t)});
    }
  const Posterior exact = Posterior(kernel, GaussianConditional(QueryMap::identity(1), sd)).condition(a, z, 0.01);
  const Posterior sums = Posterior(kernel, BagConditional(Inputs(points), rows, a)).condition(a, z, 0.01);
  const Inputs x = Inputs::line(Vector::LinSpaced(50, -0.5, 1.5));
  EXPECT_LT(distance(exact.f(x).mean, sums.f(x).mean), kPosterior);
  EXPECT_LT(distance(exact.f_cov(x), sums.f_cov(x)), kPosterior);
  EXPECT_LT(distance(exact.g_cov(a), sums.g_cov(a)), kPosterior);
  EXPECT_NEAR(exact.log_evidence(), sums.log_evidence(), kPosterior);
}

// Against posteriors that have seen only what came before.
TEST(Posterior, OneStepAheadIsWhatWasBelievedBefore) {
  Rng rng(5);
  const Districts land(rng);
  const Queries a({{3.0}, {0.0}, {3.0}, {4.0}});
  const Vector z = rng.normals(5);
  Posterior post = land.prior();
  EXPECT_EQ(post.one_step_ahead().mean.size(), 0);
  Marginals before{Vector(5), Vector(5)};
  for (Index i = 0; i < 4; ++i) {
    const auto [mean, var] = post.g(a.slice(i, 1));
    before.mean[i] = mean[0];
    before.var[i] = var[0] + 0.1;
    post = post.condition(a.slice(i, 1), z.segment(i, 1), 0.1);
  }
  const auto [mean, var] = post.f(land.pixels.slice(2, 1));
  before.mean[4] = mean[0];
  before.var[4] = var[0] + 0.4;
  const Marginals all = post.condition(land.pixels.slice(2, 1), z.tail(1), 0.4).one_step_ahead();
  EXPECT_LT(distance(all.mean, before.mean), kPosterior);
  EXPECT_LT(distance(all.var, before.var), kPosterior);
}

// z -> alpha z + beta with the prior's mean and variances moved likewise moves the answer likewise.
TEST(Posterior, AffineChangeOfUnits) {
  Rng rng(4);
  const UniformConditional box(QueryMap::identity(1), 0.1);
  const Queries a = test::random_queries(rng, 8, 1);
  const Vector z = rng.normals(8);
  const Inputs x = test::random_inputs(rng, 20, 1);
  for (const double alpha : {1e-3, -2.5, 1e4}) {
    const double beta = 7.0;
    const auto base = Posterior(Rbf(1.3, Vector{{0.2}}), box, ConstantMean(0.4)).condition(a, z, 0.01).f(x);
    const auto moved = Posterior(Rbf(1.3 * alpha * alpha, Vector{{0.2}}), box, ConstantMean(0.4 * alpha + beta))
                           .condition(a, alpha * z + Vector::Constant(8, beta), 0.01 * alpha * alpha)
                           .f(x);
    const double scale = std::max(std::abs(alpha), beta);
    EXPECT_LT(distance(moved.mean, alpha * base.mean + Vector::Constant(20, beta)), 1e-11 * scale);
    EXPECT_LT(distance(moved.var, alpha * alpha * base.var), 1e-11 * alpha * alpha);
  }
}

TEST(Posterior, NarrowWindowsTendToDirectLooks) {
  Rng rng(5);
  const Rbf kernel(1.0, Vector{{0.3}});
  const Rows sites = rng.uniforms(6, 1);
  const Vector z = rng.normals(6);
  const Inputs x = test::random_inputs(rng, 20, 1);
  const UniformConditional box(QueryMap::columns({0}), QueryMap::columns({1}));
  const auto direct = Posterior(kernel, box).condition(Inputs(sites), z, 0.1);
  for (const double width : {1e-2, 1e-4, 0.0}) {
    Rows asked(6, 2);
    asked << sites, Vector::Constant(6, width);
    const auto averaged = Posterior(kernel, box).condition(Queries(asked), z, 0.1);
    EXPECT_LT(distance(averaged.f(x).mean, direct.f(x).mean), 300.0 * width * width + 1e-12) << width;
    EXPECT_LT(distance(averaged.f(x).var, direct.f(x).var), 300.0 * width * width + 1e-12) << width;
    EXPECT_NEAR(averaged.log_evidence(), direct.log_evidence(), 3000.0 * width * width + 1e-11) << width;
  }
}

TEST(Posterior, BagsOfOnePointAreDirectLooks) {
  Rng rng(6);
  const Inputs pixels = test::random_inputs(rng, 9, 2);
  const BagConditional bags(pixels, SparseRows(Matrix::Identity(9, 9).sparseView()));
  const Posterior prior(Matern52(1.0, Vector{{0.3, 0.3}}), bags);
  const Vector z = rng.normals(4);
  const auto by_bag = prior.condition(bags.queries().slice(2, 4), z, 0.05);
  const auto direct = prior.condition(pixels.slice(2, 4), z, 0.05);
  EXPECT_LT(distance(by_bag.f_cov(pixels), direct.f_cov(pixels)), 1e-12);
  EXPECT_LT(distance(by_bag.f(pixels).mean, direct.f(pixels).mean), 1e-12);
}

// Observing can only shrink uncertainty, and covariances stay covariances.
TEST(Posterior, CovariancesShrinkAndStayPositiveSemiDefinite) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const UniformConditional box(QueryMap::identity(2), 0.15);
    const Posterior prior(Matern32(1.0, Vector{{0.4, 0.2}}), box);
    const Inputs x = test::random_inputs(rng, 15, 2);
    const Posterior one = prior.condition(test::random_queries(rng, 5, 2), rng.normals(5), 0.1);
    const Posterior two = one.condition(x.slice(0, 3), rng.normals(3), 0.01);
    const auto least = [](const Matrix& k) {
      return Eigen::SelfAdjointEigenSolver<Matrix>(k).eigenvalues().minCoeff();
    };
    EXPECT_GT(least(prior.f_cov(x) - one.f_cov(x)), -1e-12);
    EXPECT_GT(least(one.f_cov(x) - two.f_cov(x)), -1e-12);
    EXPECT_GT(least(two.f_cov(x)), -1e-12);
  }
}

TEST(Posterior, ManyCandidatesAgreeWithOneAtATime) {
  Rng rng(7);
  const Posterior post =
      Posterior(Rbf(1.0, Vector{{0.3}}), GaussianConditional(QueryMap::identity(1), 0.1), ConstantMean(0.3))
          .condition(test::random_queries(rng, 10, 1), rng.normals(10), 0.1);
  const Queries many = test::random_queries(rng, 1000, 1);  // several chunks, the last one ragged
  const auto g = post.g(many);
  for (Index i = 0; i < many.size(); i += 37) {
    const auto alone = post.g(many.slice(i, 1));
    EXPECT_NEAR(g.mean[i], alone.mean[0], 1e-13);
    EXPECT_NEAR(g.var[i], alone.var[0], 1e-13);
  }
  EXPECT_EQ(post.g(many.slice(0, 0)).mean.size(), 0);
}

TEST(Posterior, WithoutDataItIsThePrior) {
  const GaussianConditional window(QueryMap::identity(1), 0.1);
  const Posterior prior(Rbf(2.0, Vector{{0.3}}), window, ConstantMean(1.5));
  const Inputs x({{0.1}, {0.2}});
  const Queries a({{0.1}, {0.9}});
  EXPECT_EQ(prior.f(x).mean, Vector::Constant(2, 1.5));
  EXPECT_EQ(prior.f(x).var, Vector::Constant(2, 2.0));
  EXPECT_EQ(prior.g_cov(a), window.q(prior.kernel(), a, a));
  EXPECT_EQ(prior.fg_cov(x, a), window.c(prior.kernel(), x, a));
  EXPECT_EQ(prior.log_evidence(), 0.0);
  EXPECT_EQ(prior.information_gain(), 0.0);
  EXPECT_EQ(prior.log_evidence_gradient().kernel, Vector::Zero(2));
}

TEST(Posterior, ConditioningLeavesTheOriginalAlone) {
  Rng rng(8);
  const Posterior root = Posterior(Rbf(1.0, Vector{{0.3}}), UniformConditional(QueryMap::identity(1), 0.1))
                             .condition(Queries({{0.2}}), Vector{{1.0}}, 0.1);
  const Inputs x = test::random_inputs(rng, 5, 1);
  const Vector before = root.f(x).mean;
  const Posterior left = root.condition(Queries({{0.5}}), Vector{{2.0}}, 0.1);
  const Posterior right = root.condition(Queries({{0.5}}), Vector{{-2.0}}, 0.1);
  EXPECT_EQ(root.f(x).mean, before);
  EXPECT_EQ(root.size(), 1);
  EXPECT_EQ(left.size(), 2);
  EXPECT_GT(left.g(Queries({{0.5}})).mean[0], right.g(Queries({{0.5}})).mean[0]);
}

// A query repeated without noise says nothing new: the answer stands, with the least noise that is assumed.
TEST(Posterior, RepeatedQueryWithoutNoise) {
  const Posterior prior(Rbf(1.0, Vector{{0.3}}), UniformConditional(QueryMap::identity(1), 0.1));
  const Queries a({{0.2}, {0.6}, {0.2}});
  const Vector z{{1.0, 0.5, 1.0}};
  const Posterior batch = prior.condition(a, z, 0.0);
  EXPECT_EQ(batch.jitter(), 0.0);
  EXPECT_EQ(batch.noise_var(), Vector::Zero(3));
  const Vector var = prior.g(a).var;
  EXPECT_LT(distance(batch.assumed_noise_var(), 1e-10 * var), 1e-10 * test::kRounding);
  EXPECT_LT(distance(batch.g(a).mean, z), 1e-9);
  EXPECT_LT(distance(batch.g(a).var, 1e-10 * var), 1e-12);
  const Posterior stepwise = prior.condition(a.slice(0, 2), z.head(2), 0.0).condition(a.slice(2, 1), z.tail(1), 0.0);
  EXPECT_LT(distance(stepwise.g(a).mean, z), 1e-9);
  EXPECT_TRUE(std::isinf(batch.information_gain()));
}

TEST(Posterior, WithAnotherPriorItIsConditioningAfresh) {
  Rng rng(9);
  const BagConditional bags(test::random_inputs(rng, 6, 1), SparseRows(Matrix::Ones(3, 6).sparseView()),
                            Queries({{1.0}, {2.0}, {3.0}}));
  const Rbf first(1.0, Vector{{0.3}});
  const Matern32 second(2.0, Vector{{0.5}});
  const Queries a({{1.0}, {3.0}});
  const Inputs x({{0.4}});
  const Posterior moved = Posterior(first, bags)
                              .condition(a, Vector{{0.1, 0.2}}, 0.1)
                              .condition(x, Vector{{0.9}}, 0.2)
                              .with_prior(second, ConstantMean(0.7));
  const Posterior afresh =
      Posterior(second, bags, ConstantMean(0.7)).condition(a, Vector{{0.1, 0.2}}, 0.1).condition(x, Vector{{0.9}}, 0.2);
  EXPECT_LT(distance(moved.f_cov(x), afresh.f_cov(x)), 1e-13);
  EXPECT_NEAR(moved.f(x).mean[0], afresh.f(x).mean[0], 1e-13);
  EXPECT_NEAR(moved.log_evidence(), afresh.log_evidence(), 1e-12);
}

// The discrepancy e is seen by queries and is no part of f: the joint vector (F, E), with W F + E observed.
TEST(Posterior, OfADiscrepancyAgainstTheInformationForm) {
  Rng rng(10);
  const Districts land(rng);
  const Queries bags({{0.0}, {1.0}, {2.0}, {3.0}, {4.0}});
  const Matern12 l(0.3, Vector{{2.0}});
  const Vector z = rng.normals(3);
  const Vector z_x = rng.normals(2);
  const Posterior post =
      land.prior().condition(bags.slice(1, 3), z, 0.2).with_discrepancy(l).condition(land.pixels.slice(7, 2), z_x, 0.1);

  LongMatrix k = LongMatrix::Zero(17, 17);
  k.topLeftCorner(12, 12) = land.kernel.gram(land.pixels).cast<long double>();
  k.bottomRightCorner(5, 5) = l.gram(bags).cast<long double>();
  Matrix looks = Matrix::Zero(5, 17);
  looks.topLeftCorner(3, 12) = land.weight.middleRows(1, 3);
  looks(0, 13) = looks(1, 14) = looks(2, 15) = 1.0;
  looks(3, 7) = looks(4, 8) = 1.0;
  LongVector mean = LongVector::Zero(17);
  mean.head(12) = land.mean.at(land.pixels).cast<long double>();
  Vector all(5);
  all << z, z_x;
  const auto want = test::condition(mean, k, looks.cast<long double>(), all.cast<long double>(),
                                    LongVector{{0.2L, 0.2L, 0.2L, 0.1L, 0.1L}});
  Matrix to_g(5, 17);
  to_g << land.weight, Matrix::Identity(5, 5);
  const Matrix cov = want.cov.cast<double>();
  EXPECT_LT(distance(post.f(land.pixels).mean, want.mean.head(12).cast<double>()), kPosterior);
  EXPECT_LT(distance(post.f_cov(land.pixels), cov.topLeftCorner(12, 12)), kPosterior);
  EXPECT_LT(distance(post.g(bags).mean, to_g * want.mean.cast<double>()), kPosterior);
  EXPECT_LT(distance(post.g_cov(bags), to_g * cov * to_g.transpose()), kPosterior);
  EXPECT_LT(distance(post.g(bags).var, (to_g * cov * to_g.transpose()).diagonal()), kPosterior);
  EXPECT_LT(distance(post.fg_cov(land.pixels, bags), cov.topRows(12) * to_g.transpose()), kPosterior);
}

TEST(Posterior, OneVeryNoisyObservationDoesNotBlurTheOthers) {
  const Posterior post =
      Posterior(Rbf(1.0, Vector{{0.3}}), UniformConditional(QueryMap::identity(1), 0.1))
          .condition(Queries({{0.2}, {0.2}, {0.9}}), Vector{{1.0, 1.0, 5.0}}, Vector{{0.0, 0.0, 1e14}});
  EXPECT_NEAR(post.g(Queries({{0.2}})).mean[0], 1.0, 1e-9);
}

TEST(Posterior, WithAnotherConditionalOrNoiseItIsConditioningAfresh) {
  const Queries a({{0.2}, {0.6}});
  const Vector z{{1.0, 0.5}};
  const Rbf kernel(1.0, Vector{{0.3}});
  const UniformConditional narrow(QueryMap::identity(1), 0.05);
  const UniformConditional wide(QueryMap::identity(1), 0.2);
  const Posterior moved = Posterior(kernel, narrow).condition(a, z, 0.1).with_conditional(wide).with_noise_var(0.3);
  const Posterior afresh = Posterior(kernel, wide).condition(a, z, 0.3);
  EXPECT_LT(distance(moved.g_cov(a), afresh.g_cov(a)), test::kRounding);
  EXPECT_LT(distance(moved.g(a).mean, afresh.g(a).mean), test::kRounding);
}

}  // namespace
}  // namespace iqbo
