#include "iqbo/acquisition/location.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "iqbo/core/rng.hpp"
#include "support/random.hpp"
#include "support/score_gradient.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Setting {
  Inputs x_star;
  Vector f_var;
  Outlook outlook;
  Matrix c;  // |corr| < 0.98, so that the joint covariance is one

  Setting(Rng& rng, Index samples, Index queries)
      : x_star(test::random_inputs(rng, samples, 2)),
        f_var(test::random_vector(rng, samples, 0.1, 2)),
        outlook{Vector::Zero(queries), test::random_vector(rng, queries, 0.1, 3),
                test::random_vector(rng, queries, 0.01, 1)},
        c(test::uniform_rows(rng, samples, queries, -0.98, 0.98)) {
    c.array() *= (f_var * outlook.q.transpose()).array().sqrt();
  }
};

// Oracle: nats between f(x*) and z from the determinant of their joint covariance.
TEST(Cjes, IsTheMutualInformationWithFAtTheMaximiser) {
  Rng rng(5);
  const Setting setting(rng, 6, 30);
  const Vector got = cjes(setting.outlook.q, setting.outlook.noise_var, setting.c, setting.f_var);
  for (Index j = 0; j < 30; ++j) {
    double want = 0;
    const double var = setting.outlook.q[j] + setting.outlook.noise_var[j];
    for (Index s = 0; s < 6; ++s) {
      Eigen::Matrix2d joint;
      joint << setting.f_var[s], setting.c(s, j), setting.c(s, j), var;
      want += std::log(setting.f_var[s] * var / (joint(0, 0) * joint(1, 1) - joint(0, 1) * joint(1, 0))) / 2 / 6;
    }
    EXPECT_NEAR(got[j], want, test::kConditioned);
  }
}

// Oracle: the variance of f(x*) before the answer and after it, by the precision of the pair.
TEST(ThompsonCorrelation, IsTheFallOfTheVarianceAtTheMaximiser) {
  Rng rng(6);
  const Setting setting(rng, 1, 30);
  const Vector got = thompson_correlation(setting.outlook.q, setting.outlook.noise_var, setting.c);
  for (Index j = 0; j < 30; ++j) {
    const double k = setting.f_var[0];
    const double q = setting.outlook.q[j];
    const double c = setting.c(0, j);
    const double det = k * q - c * c;
    // Precision of (f, g), plus that of z about g; its inverse's first entry is what is left.
    const double p11 = q / det;
    const double p12 = -c / det;
    const double p22 = k / det + 1 / setting.outlook.noise_var[j];
    const double after = p22 / (p11 * p22 - p12 * p12);
    EXPECT_NEAR(got[j], k - after, test::kConditioned * k / (1 - c * c / (k * q)));
  }
}

TEST(Cjes, InfiniteInformationIsFlooredAndRoundingForgiven) {
  // Noiseless, and c^2 = k q but for rounding that puts it above.
  const Vector nats = cjes(Vector{{1.0, 1.0}}, Vector::Zero(2), Matrix{{1.0 + 1e-15, 0.9}}, Vector{{1.0}});
  EXPECT_NEAR(nats[0], -0.5 * std::log(Cjes::kLeastShare), 1e-3);
  EXPECT_NEAR(nats[1], -0.5 * std::log(1 - 0.81), test::kConditioned);
  // Far too much covariance with noise: as if f(x*) were known exactly.
  const Vector noisy = cjes(Vector{{1.0}}, Vector{{1.0}}, Matrix{{5.0}}, Vector{{1.0}});
  EXPECT_NEAR(noisy[0], 0.5 * std::log(2), test::kConditioned);
}

TEST(Location, NothingToLearnIsWorthNothing) {
  const Outlook outlook{Vector::Zero(2), Vector{{0.0, 1.0}}, Vector::Zero(2)};
  const Inputs x{{0.0}, {1.0}};
  OutlookGradient gradient;
  const Vector score = Cjes(x, Vector{{0.0, 0.0}}).score(outlook, Matrix::Zero(2, 2), &gradient);
  EXPECT_EQ(score, Vector::Constant(2, -kInfinity));
  EXPECT_TRUE(gradient.q.allFinite() && gradient.c.allFinite());
  EXPECT_EQ(ThompsonCorrelation(x).score(outlook, Matrix::Zero(2, 2), &gradient), Vector::Constant(2, -kInfinity));
  EXPECT_TRUE(gradient.q.allFinite() && gradient.c.allFinite());
  // One sample that is known already halves what the other is worth.
  const double alone = cjes(Vector{{1.0}}, Vector{{0.5}}, Matrix{{0.6}}, Vector{{1.0}})[0];
  EXPECT_NEAR(cjes(Vector{{1.0}}, Vector{{0.5}}, Matrix{{0.6}, {0.0}}, Vector{{1.0, 0.0}})[0], alone / 2,
              test::kRounding);
}

TEST(Location, GradientsAreDifferences) {
  Rng rng(7);
  Setting setting(rng, 3, 10);
  setting.c *= 0.8;
  test::expect_gradient(Cjes(setting.x_star, setting.f_var), setting.outlook, setting.c);
  test::expect_gradient(ThompsonCorrelation(setting.x_star), setting.outlook, setting.c);
}

}  // namespace
}  // namespace iqbo
