// The knowledge gradient in rates against a dense sum over Z of the exact expectation after the answer.
#include "iqbo/acquisition/rate_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "iqbo/core/rng.hpp"

namespace iqbo::test {
namespace {

double by_sum(Link link, const Vector& mean, const Vector& var, const Vector& c, double sd) {
  constexpr int kSteps = 20000;
  const double width = 18.0 / kSteps;
  const Vector b = c / sd;
  const Vector left = (var - b.cwiseAbs2()).cwiseMax(0.0);
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double z = -9 + (i + 0.5) * width;
    const Vector f = moments(link, mean + b * z, left).mean;
    sum += width * std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi) * f.maxCoeff();
  }
  return sum - moments(link, mean, var).mean.maxCoeff();
}

TEST(RateGradient, IsTheExpectedRiseOfTheLargestRate) {
  Rng rng(3);
  for (const Link link : {Link::kLog, Link::kLogit}) {
    const Vector mean = -1.0 + 0.5 * rng.normals(7).array();
    const Vector var = 0.1 + rng.normals(7).array().square() * 0.2;
    Matrix c(7, 3);
    for (Index j = 0; j < 3; ++j) c.col(j) = 0.6 * rng.normals(7).cwiseProduct(var.cwiseSqrt());
    const Outlook outlook{Vector::Zero(3), Vector{{0.6, 0.8, 1.5}}, Vector{{0.3, 0.5, 1.0}}};
    for (Index j = 0; j < 3; ++j)  // no answer says more about an input than there is to know
      for (Index i = 0; i < 7; ++i) {
        const double most = std::sqrt(0.9 * var[i] * (outlook.q[j] + outlook.noise_var[j]));
        c(i, j) = std::clamp(c(i, j), -most, most);
      }
    const Vector found = RateGradient(Inputs(Rows::Zero(7, 1)), mean, var, link).score(outlook, c).array().exp();
    for (Index j = 0; j < 3; ++j) {
      const double exact = by_sum(link, mean, var, c.col(j), std::sqrt(outlook.q[j] + outlook.noise_var[j]));
      EXPECT_NEAR(found[j], exact, (link == Link::kLog ? 1e-5 : 0.03) * exact)
          << to_string(link);  // [MacKay92] is near
    }
  }
}

TEST(RateGradient, AnAnswerThatTellsNothingIsWorthNothing) {
  for (const Link link : {Link::kLog, Link::kLogit}) {
    const RateGradient score(Inputs(Rows::Zero(3, 1)), Vector{{-1, 0.2, 0}}, Vector{{0.5, 0.1, 0.3}}, link);
    const Vector worth = score.score({Vector::Zero(1), Vector::Ones(1), Vector::Ones(1)}, Matrix::Zero(3, 1));
    EXPECT_EQ(worth[0], -std::numeric_limits<double>::infinity());
  }
  EXPECT_THROW(RateGradient(Inputs(Rows::Zero(1, 1)), Vector::Zero(1), Vector::Ones(1), Link::kIdentity),
               std::invalid_argument);
}

// A wide f may be large: under a log link it is worth asking about, where its median is not.
TEST(RateGradient, SpreadCountsInRates) {
  const RateGradient score(Inputs(Rows::Zero(2, 1)), Vector{{0.0, 0.0}}, Vector{{0.01, 1.0}}, Link::kLog);
  Matrix c(2, 2);
  c << 0.09, 0.0, 0.0, 0.9;
  const Vector worth = score.score({Vector::Zero(2), Vector{{0.9, 0.9}}, Vector{{0.1, 0.1}}}, c);
  EXPECT_GT(worth[1], worth[0]);
}

}  // namespace
}  // namespace iqbo::test
