// Counts under the identity link against dense sums over the plane, and finite differences.
#include "likelihood/sites.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

namespace iqbo::test {
namespace {

using internal::site_moments;
using internal::SitePosterior;

struct Case {
  std::string name;
  LikelihoodPtr family;
  std::vector<Count> answers;
};

std::vector<Case> cases() {
  return {{"poisson", poisson_answers(), {{4, 10}, {9, 12}}},
          {"no events", poisson_answers(), {{0, 10}, {2, 12}}},
          {"binomial", binomial_answers(), {{4, 10}, {12, 30}}},
          {"negative-binomial", negative_binomial_answers(0.3), {{4, 10}, {9, 12}}}};
}

const Matrix kCov{{0.05, 0.03}, {0.03, 0.04}};
const Vector kMean{{0.4, 0.5}};

struct Plane {
  double log_evidence;
  Vector mean, sd;
};

Plane quadrature(const Case& of) {
  const Matrix inverse = kCov.inverse();
  constexpr int kSteps = 400;
  const double width = (of.name == "binomial" ? 1.0 : 2.5) / kSteps;
  double sum = 0;
  Vector first = Vector::Zero(2), second = Vector::Zero(2);
  for (int i = 0; i < kSteps; ++i)
    for (int j = 0; j < kSteps; ++j) {
      const Vector g{{(i + 0.5) * width, (j + 0.5) * width}};
      const Eigen::Vector2d off = g - kMean;
      const double p = width * width *
                       std::exp(of.family->log_density(of.answers[0], g[0]) +
                                of.family->log_density(of.answers[1], g[1]) - 0.5 * off.dot(inverse * off)) /
                       (2 * std::numbers::pi * std::sqrt(kCov.determinant()));
      sum += p;
      first += p * g;
      second += p * g.cwiseAbs2();
    }
  first /= sum;
  return {std::log(sum), first, (second / sum - first.cwiseAbs2()).cwiseSqrt()};
}

TEST(Sites, AgreeWithQuadrature) {
  for (const Case& each : cases()) {
    const SitePosterior found(kCov, kMean, each.answers, *each.family);
    const Plane exact = quadrature(each);
    EXPECT_TRUE(found.settled()) << each.name;
    EXPECT_NEAR(found.log_evidence(), exact.log_evidence, 0.01) << each.name;
    Matrix s = kCov;
    s.diagonal() += found.noise_var();
    const Vector mean = kMean + kCov * s.ldlt().solve(found.z() - kMean);
    const Matrix cov = kCov - kCov * s.ldlt().solve(kCov);
    for (Index i = 0; i < 2; ++i) {
      EXPECT_NEAR((mean[i] - exact.mean[i]) / exact.sd[i], 0.0, 0.02) << each.name;
      EXPECT_NEAR(std::sqrt(cov(i, i)) / exact.sd[i], 1.0, 0.02) << each.name;
    }
  }
}

TEST(Sites, MomentsAreThoseOfADenseSum) {
  for (const Case& each : cases())
    for (const double mean : {-0.3, 0.5})
      for (const double var : {0.001, 0.3}) {
        double sum = 0, first = 0, second = 0;
        constexpr int kSteps = 400000;
        const double width = (each.name == "binomial" ? 1.0 : 4.0) / kSteps;
        for (int i = 0; i < kSteps; ++i) {
          const double g = (i + 0.5) * width;
          const double p =
              width * std::exp(each.family->log_density(each.answers[0], g) - 0.5 * (g - mean) * (g - mean) / var);
          sum += p;
          first += p * g;
          second += p * g * g;
        }
        first /= sum;
        const auto found = site_moments(each.answers[0], *each.family, mean, var);
        EXPECT_NEAR(found.log_mass, std::log(sum / std::sqrt(2 * std::numbers::pi * var)), 1e-5) << each.name << mean;
        EXPECT_NEAR(found.mean, first, 1e-5 * first) << each.name << mean;
        EXPECT_NEAR(found.var, second / sum - first * first, 1e-4 * found.var) << each.name << mean;
      }
}

TEST(Sites, GradientsAreThoseOfTheEvidence) {
  constexpr double kStep = 1e-5;
  for (const Case& each : cases()) {
    const auto gradient = SitePosterior(kCov, kMean, each.answers, *each.family).gradient();
    const auto value = [&](const Matrix& cov, const Likelihood& family) {
      return SitePosterior(cov, kMean, each.answers, family).log_evidence();
    };
    for (const auto& [i, j] : std::vector<std::pair<Index, Index>>{{0, 0}, {0, 1}, {1, 1}}) {
      Matrix step = Matrix::Zero(2, 2);
      step(i, j) = step(j, i) = kStep;
      const double slope = (value(kCov + step, *each.family) - value(kCov - step, *each.family)) / 2;
      EXPECT_NEAR(gradient.cov.cwiseProduct(step).sum() / kStep, slope / kStep, 1e-3 * (1 + std::abs(slope / kStep)))
          << each.name;
    }
    if (!each.family->has_parameter()) continue;
    const double at = each.family->log_parameter();
    const double slope = (value(kCov, *each.family->with_log_parameter(at + kStep)) -
                          value(kCov, *each.family->with_log_parameter(at - kStep))) /
                         (2 * kStep);
    EXPECT_NEAR(gradient.parameter, slope, 1e-4) << each.name;
  }
}

}  // namespace
}  // namespace iqbo::test
