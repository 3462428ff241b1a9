// Links against finite differences and dense sums.
#include "iqbo/numerics/link.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace iqbo::test {
namespace {

const std::vector<Link> kAll{Link::kIdentity, Link::kLog, Link::kLogit};

TEST(Link, SlopesAreThoseOfTheFunction) {
  constexpr double kStep = 1e-5;
  for (const Link link : kAll)
    for (const double eta : {-4.0, -0.7, 0.0, 0.3, 2.5}) {
      EXPECT_NEAR((apply(link, eta + kStep) - apply(link, eta - kStep)) / (2 * kStep), slope(link, eta),
                  1e-8 * (1 + slope(link, eta)));
      EXPECT_NEAR((slope(link, eta + kStep) - slope(link, eta - kStep)) / (2 * kStep), curvature(link, eta),
                  1e-8 * (1 + slope(link, eta)));
      EXPECT_NEAR(inverse(link, apply(link, eta)), eta, 1e-12);
    }
}

TEST(Link, MomentsAreThoseOfADenseSum) {
  for (const Link link : kAll)
    for (const double mean : {-2.0, 0.4})
      for (const double sd : {0.01, 0.8, 2.5}) {
        double f = 0, square = 0, rise = 0;
        constexpr int kSteps = 40000;
        const double width = 24.0 / kSteps;
        for (int i = 0; i < kSteps; ++i) {
          const double z = -12.0 + (i + 0.5) * width;
          const double weight = width * std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
          const double value = apply(link, mean + sd * z);
          f += weight * value;
          square += weight * value * value;
          rise += weight * slope(link, mean + sd * z);
        }
        const LinkMoments found = moments(link, Vector::Constant(1, mean), Vector::Constant(1, sd * sd));
        const double tolerance = sd <= 1.0 ? 1e-8 : 1e-4;
        EXPECT_NEAR(found.mean[0], f, tolerance * std::abs(f));
        EXPECT_NEAR(found.slope[0], rise, tolerance * rise);
        EXPECT_NEAR(found.var[0], square - f * f, tolerance * (square - f * f) + 1e-11);
      }
}

TEST(Link, NamesAreReadAndRefused) {
  for (const Link link : kAll) EXPECT_EQ(link_of(to_string(link)), link);
  EXPECT_THROW(link_of("probit"), std::invalid_argument);
}

}  // namespace
}  // namespace iqbo::test
