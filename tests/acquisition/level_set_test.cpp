#include "iqbo/acquisition/level_set.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/score_gradient.hpp"

namespace iqbo {
namespace {

// Oracle: P - E Phi(-|h + rho Z| / sqrt(1 - rho^2)), by the trapezoidal rule over Z in long double, with the kink at
// Z = -h / rho as a node. It knows nothing of Owen's function.
double by_quadrature(double h, double rho) {
  const long double pi = std::acos(-1.0L), r = std::sqrt(2.0L);
  const auto tail = [&](long double t) { return std::erfc(t / r) / 2; };
  const long double left = std::sqrt((1.0L - rho) * (1.0L + rho));
  const auto integrand = [&](long double z) {
    return std::exp(-z * z / 2) / std::sqrt(2 * pi) * tail(std::abs(h + rho * z) / left);
  };
  const long double kink = std::max(-12.0L, -static_cast<long double>(h) / rho);
  const auto piece = [&](long double from, long double to) {  // Simpson's rule
    constexpr int kSteps = 40000;
    const long double step = (to - from) / kSteps;
    long double sum = integrand(from) + integrand(to);
    for (int k = 1; k < kSteps; ++k) sum += (k % 2 == 1 ? 4 : 2) * integrand(from + step * k);
    return sum * step / 3;
  };
  return static_cast<double>(tail(h) - piece(-12.0L, kink) - piece(kink, 12.0L));
}

TEST(LevelSet, DropAgreesWithQuadrature) {
  for (const double h : {0.0, 0.01, 0.3, 1.0, 2.5, 4.0})
    for (const double rho : {0.05, 0.3, 0.6, 0.75, 0.9, 0.99})
      EXPECT_NEAR(misclassification_drop(h, rho), by_quadrature(h, rho), 2e-13) << h << ' ' << rho;
}

// At the threshold itself: P(signs differ) = acos(rho) / pi. Knowing f leaves nothing to be wrong about.
TEST(LevelSet, DropAtItsEnds) {
  for (const double rho : {1e-6, 0.2, 0.7, 0.95, 0.999999})
    EXPECT_NEAR(misclassification_drop(0.0, rho), std::asin(rho) / std::acos(-1.0), 1e-15) << rho;
  EXPECT_DOUBLE_EQ(misclassification_drop(1.3, 1.0), 0.5 * std::erfc(1.3 / std::sqrt(2.0)));
  EXPECT_EQ(misclassification_drop(1.3, 0.0), 0.0);
  EXPECT_EQ(misclassification_drop(40.0, 0.9), 0.0);
}

// The whole score against a simulated campaign of one answer: joint draws of f and z, conditioned by hand.
TEST(LevelSet, ScoreAgreesWithSimulation) {
  const Vector mean{{0.2, -0.5, 1.4}}, var{{1.0, 0.6, 2.0}};
  const double threshold = 0.3, q = 0.8, noise = 0.3;
  const Vector c{{0.7, -0.3, 0.9}};
  const LevelSet score(Inputs{{0.0}, {1.0}, {2.0}}, mean, var, threshold);
  const double worth = std::exp(score.score({Vector{{0.1}}, Vector{{q}}, Vector{{noise}}}, Matrix(c))[0]);
  Rng rng(3);
  constexpr int kDraws = 400000;
  double sum = 0, squares = 0;
  for (int s = 0; s < kDraws; ++s) {
    const double z = rng.normal();  // standardised surprise
    double drop = 0;
    for (Index i = 0; i < 3; ++i) {
      const double b = c[i] / std::sqrt(q + noise);
      const double after = mean[i] + b * z;
      const double f = after + std::sqrt(var[i] - b * b) * rng.normal();
      drop += ((mean[i] > threshold) != (f > threshold)) - ((after > threshold) != (f > threshold));
    }
    sum += drop;
    squares += drop * drop;
  }
  const double found = sum / kDraws;
  EXPECT_NEAR(worth, found, 4.0 * std::sqrt((squares / kDraws - found * found) / kDraws));
}

TEST(LevelSet, RefusesWhatItCannotUse) {
  const auto made = [](const Vector& mean, const Vector& var, double threshold) {
    return [=] { LevelSet(Inputs{{0.0}, {1.0}}, mean, var, threshold); };
  };
  test::expect_refusal(made(Vector{{1.0}}, Vector{{1.0, 1.0}}, 0.0), {"mean"});
  test::expect_refusal(made(Vector{{1.0, 2.0}}, Vector{{1.0, -1.0}}, 0.0), {"var"});
  test::expect_refusal(made(Vector{{1.0, 2.0}}, Vector{{1.0, 1.0}}, NAN), {"threshold", "a finite number"});
}

}  // namespace
}  // namespace iqbo
