#include "iqbo/acquisition/max_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/core/rng.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/score_gradient.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::Real;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Outlook random_outlook(Rng& rng, Index n, double noise_var = 0.3) {
  Outlook out{rng.normals(n), Vector(n), Vector::Constant(n, noise_var)};
  for (double& q : out.q) q = test::log_uniform(rng, 1e-3, 10);
  return out;
}

// Oracle: entropy of N(mean, var) by quadrature of -p log p; cut from above, or averaged with noise, by hand.
Real entropy(const std::function<Real(Real)>& density, Real lower, Real upper) {
  const auto integrand = [&](const Real& x) -> Real {
    const Real p = density(x);
    return p > 0 ? -p * std::log(p) : 0;
  };
  return test::integrate(integrand, lower, upper, 200);
}

Real normal_density(Real x, Real mean, Real var) {
  return std::exp(-(x - mean) * (x - mean) / (2 * var)) / std::sqrt(2 * std::acos(Real(-1)) * var);
}

Real normal_cdf(Real x, Real mean, Real var) { return std::erfc((mean - x) / std::sqrt(2 * var)) / 2; }

TEST(Cmes, IsTheDropOfEntropyWhenGIsCut) {
  const double nu = 0.4;
  const double q = 2.3;
  for (const double fstar : {-3.0, -0.8, 0.3, 1.1, 4.0}) {
    const Real whole = entropy([&](Real x) { return normal_density(x, nu, q); }, nu - 20, nu + 20);
    const Real below = normal_cdf(fstar, nu, q);
    const Real cut = entropy([&](Real x) { return normal_density(x, nu, q) / below; }, nu - 25, fstar);
    EXPECT_NEAR(cmes(Vector{{nu}}, Vector{{q}}, Vector{{fstar}})[0], static_cast<double>(whole - cut),
                test::kConditioned)
        << fstar;
  }
}

TEST(NoisyCmes, IsTheDropOfEntropyOfTheAnswer) {
  const double nu = -0.3;
  const double q = 1.7;
  const double noise_var = 0.6;
  for (const double fstar : {-3.0, -0.8, 0.3, 1.1, 4.0}) {
    const Real whole = entropy([&](Real z) { return normal_density(z, nu, q + noise_var); }, nu - 20, nu + 20);
    const Real below = normal_cdf(fstar, nu, q);
    // p(z | g <= fstar) from the law of g given z.
    const auto density = [&](Real z) {
      const Real mean = nu + q / Real(q + noise_var) * (z - nu);
      const Real var = q * noise_var / Real(q + noise_var);
      return normal_density(z, nu, q + noise_var) * normal_cdf(fstar, mean, var) / below;
    };
    const double want = static_cast<double>(whole - entropy(density, nu - 25, nu + 25));
    const Vector got = noisy_cmes(Vector{{nu}}, Vector{{q}}, Vector{{noise_var}}, Vector{{fstar}});
    EXPECT_NEAR(got[0], want, test::kConditioned) << fstar;
  }
}

TEST(NoisyCmes, TendsToCmesAndToNothing) {
  Rng rng(1);
  const Vector fstar = rng.normals(5);
  const Cmes cmes(fstar);
  const NoisyCmes noisy(fstar);
  const Vector noiseless = cmes.score(random_outlook(rng, 50), Matrix());
  Rng again(1);
  again.normals(5);
  EXPECT_LT((noisy.score(random_outlook(again, 50, 0), Matrix()) - noiseless).cwiseAbs().maxCoeff(),
            test::kConditioned);
  EXPECT_LT(noisy.score(random_outlook(rng, 50, 1e12), Matrix()).maxCoeff(), std::log(1e-10));
}

TEST(Cmes, AveragesOverSamples) {
  Rng rng(2);
  const Outlook outlook = random_outlook(rng, 20);
  const Vector fstar = rng.normals(4);
  Vector mean = Vector::Zero(20);
  Vector noisy_mean = Vector::Zero(20);
  for (const double one : fstar) {
    mean += cmes(outlook.nu, outlook.q, Vector{{one}}) / 4;
    noisy_mean += noisy_cmes(outlook.nu, outlook.q, outlook.noise_var, Vector{{one}}) / 4;
  }
  EXPECT_LT((cmes(outlook.nu, outlook.q, fstar) - mean).cwiseAbs().maxCoeff(), test::kRounding);
  EXPECT_LT((noisy_cmes(outlook.nu, outlook.q, outlook.noise_var, fstar) - noisy_mean).cwiseAbs().maxCoeff(),
            test::kRounding);
}

Index best(const Vector& score) {
  Index i = 0;
  score.maxCoeff(&i);
  return i;
}

// Lemma 1 of [Zhang26]: one sample. Est minimises gamma, of which h falls, and Ucb with sqrt(beta) = min gamma has a value
// of fstar there and less elsewhere. On g, the same with g* for f*, it is max-value entropy search.
TEST(Cmes, WithOneSamplePicksWhatEstAndUcbPick) {
  EXPECT_TRUE(rc::check("random posteriors", [](std::uint64_t seed) {
    Rng rng(seed);
    const Outlook outlook = random_outlook(rng, 2 + rng.below(60));
    const double fstar = outlook.nu.maxCoeff() + test::log_uniform(rng, 1e-3, 30);
    const Index pick = best(Cmes(Vector{{fstar}}).score(outlook, Matrix()));
    const Vector est_score = Est(fstar).score(outlook, Matrix());
    RC_ASSERT(pick == best(est_score));
    const double root_beta = -est_score.maxCoeff();
    const Vector ucb_score = Ucb(root_beta).score(outlook, Matrix());
    RC_ASSERT(ucb_score[pick] >= ucb_score.maxCoeff() - test::kRounding * std::max(1.0, fstar));
    RC_ASSERT(std::abs(ucb_score[pick] - fstar) < test::kRounding * std::max(1.0, fstar));
  }));
}

TEST(Cmes, ComparesInLogsWhatUnderflows) {
  const Outlook outlook{Vector{{0.0, 1.0, 0.0}}, Vector{{1.0, 1.0, 1.2}}, Vector::Zero(3)};
  const Vector far{{50.0, 60.0}};
  EXPECT_EQ(cmes(outlook.nu, outlook.q, far), Vector::Zero(3));
  const Vector score = Cmes(far).score(outlook, Matrix());
  EXPECT_TRUE(score.allFinite());
  EXPECT_EQ(best(score), 2);
  EXPECT_GT(score[1], score[0]);
  EXPECT_NEAR(score[0], Cmes(Vector{{50.0}}).score(outlook, Matrix())[0] - std::log(2), test::kConditioned);
}

TEST(MaxValue, NothingToLearnIsWorthNothing) {
  const Outlook outlook{Vector{{5.0, 5.0, 0.0}}, Vector{{0.0, 1e-13, 1.0}}, Vector::Constant(3, 0.1)};
  const Vector below{{1.0}};
  EXPECT_EQ(Cmes(below).score(outlook, Matrix())[0], -kInfinity);
  EXPECT_EQ(NoisyCmes(below).score(outlook, Matrix())[0], -kInfinity);
  EXPECT_EQ(Est(1.0).score(outlook, Matrix())[0], -kInfinity);
  EXPECT_EQ(best(Cmes(below).score(outlook, Matrix())), 1);  // the hijack of max_value.hpp, and its cure
  EXPECT_EQ(best(Cmes(below, 1e-12).score(outlook, Matrix())), 2);
  EXPECT_EQ(best(NoisyCmes(below, 1e-12).score(outlook, Matrix())), 2);
  EXPECT_EQ(best(Est(1.0, 1e-12).score(outlook, Matrix())), 2);
  OutlookGradient gradient;
  Cmes(below).score(outlook, Matrix(), &gradient);
  EXPECT_EQ(gradient.q[0], 0);
}

TEST(MaxValue, ExtremeMarginsAreOrderedAndFinite) {
  const Outlook outlook{Vector{{0.0, 0.0, 0.0}}, Vector{{1e-310, 1e-200, 1.0}}, Vector::Constant(3, 1e-3)};
  for (const double fstar : {-1.0, 1.0}) {
    EXPECT_FALSE(Cmes(Vector{{fstar, fstar}}).score(outlook, Matrix()).hasNaN()) << fstar;
    EXPECT_FALSE(NoisyCmes(Vector{{fstar, fstar}}).score(outlook, Matrix()).hasNaN()) << fstar;
  }
  EXPECT_EQ(best(Cmes(Vector{{1.0}}).score(outlook, Matrix())), 2);
}

TEST(MaxValue, GradientsAreDifferences) {
  Rng rng(3);
  const Outlook outlook = random_outlook(rng, 12);
  const Vector near = outlook.nu.maxCoeff() + rng.normals(4).array().abs();
  const Vector far = near.array() + 60;  // some underflow
  for (const Vector& fstar : {near, far}) {
    test::expect_gradient(Cmes(fstar), outlook, Matrix(0, 12));
    test::expect_gradient(NoisyCmes(fstar), outlook, Matrix(0, 12));
  }
  test::expect_gradient(Est(near[0]), outlook, Matrix(0, 12));
}

}  // namespace
}  // namespace iqbo
