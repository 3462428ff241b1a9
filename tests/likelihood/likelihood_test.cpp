// Families against sums over all counts, finite differences and their limits.
#include "iqbo/likelihood/likelihood.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace iqbo::test {
namespace {

struct Case {
  LikelihoodPtr family;
  Count answer;
  double g;
};

std::vector<Case> cases() {
  return {{poisson_answers(), {3, 20}, 0.2},
          {poisson_answers(), {0, 5}, 0.4},
          {negative_binomial_answers(0.3), {7, 20}, 0.2},
          {negative_binomial_answers(2.0), {0, 20}, 0.2},
          {negative_binomial_answers(0.01), {150, 400}, 0.3},
          {binomial_answers(), {3, 20}, 0.2},
          {binomial_answers(), {20, 20}, 0.7},
          {gaussian_answers(1.7), {1.3, 1, 0.04}, 1.1}};
}

TEST(Likelihood, CountsSumToOneWithTheMeanAndTheVarianceThatAreSaid) {
  for (const auto& [family, answer, g] : cases()) {
    if (!family->counts()) continue;
    double sum = 0, mean = 0, square = 0;
    const int most = family->name() == "binomial" ? static_cast<int>(answer.exposure) : 20000;
    for (int y = 0; y <= most; ++y) {
      const double p = std::exp(family->log_density({static_cast<double>(y), answer.exposure}, g));
      sum += p;
      mean += p * y / answer.exposure;
      square += p * std::pow(y / answer.exposure, 2);
    }
    EXPECT_NEAR(sum, 1.0, 1e-9) << family->name();
    EXPECT_NEAR(mean, g, 1e-9) << family->name();
    EXPECT_NEAR(square - mean * mean, family->variance(answer, g), 1e-8) << family->name();
  }
}

TEST(Likelihood, SlopesAreThoseOfTheDensity) {
  constexpr double kStep = 1e-5;
  for (const auto& [family, answer, g] : cases()) {
    const auto log_p = [&](double at) { return family->log_density(answer, at); };
    const auto slopes = family->slopes(answer, g);
    EXPECT_NEAR((log_p(g + kStep) - log_p(g - kStep)) / (2 * kStep), slopes.first, 1e-4 * (1 + std::abs(slopes.first)));
    EXPECT_NEAR(-(family->slopes(answer, g + kStep).first - family->slopes(answer, g - kStep).first) / (2 * kStep),
                slopes.curvature, 1e-4 * (1 + std::abs(slopes.curvature)))
        << family->name();
    EXPECT_NEAR((family->variance(answer, g + kStep) - family->variance(answer, g - kStep)) / (2 * kStep),
                family->variance_slope(answer, g), 1e-8);
  }
}

TEST(Likelihood, SlopesInItsParameter) {
  constexpr double kStep = 1e-5;
  for (const auto& [family, answer, g] : cases()) {
    if (!family->has_parameter()) continue;
    const auto up = family->with_log_parameter(family->log_parameter() + kStep);
    const auto down = family->with_log_parameter(family->log_parameter() - kStep);
    const auto found = family->parameter_slopes(answer, g);
    EXPECT_NEAR((up->log_density(answer, g) - down->log_density(answer, g)) / (2 * kStep), found.log_density, 1e-5);
    EXPECT_NEAR((up->slopes(answer, g).first - down->slopes(answer, g).first) / (2 * kStep), found.first,
                1e-5 * (1 + std::abs(found.first)));
    EXPECT_NEAR((up->variance(answer, g) - down->variance(answer, g)) / (2 * kStep), found.variance, 1e-8);
  }
}

TEST(Likelihood, LittleDispersionIsPoisson) {
  const auto wide = negative_binomial_answers(1e-9);
  for (const double y : {0.0, 4.0, 300.0}) {
    const Count answer{y, 50};
    EXPECT_NEAR(wide->log_density(answer, 0.3), poisson_answers()->log_density(answer, 0.3), 1e-4);
    EXPECT_NEAR(wide->variance(answer, 0.3), poisson_answers()->variance(answer, 0.3), 1e-8);
    const auto working = wide->working(answer, 0.3, 0.5);
    EXPECT_NEAR(working.residual, y / 50 - 0.3, 1e-5);
    EXPECT_NEAR(working.variance, 0.3 / 50, 1e-6);
  }
}

TEST(Likelihood, RefusesWhatCannotBeCounted) {
  const auto message = [](const LikelihoodPtr& family, const Count& answer) -> std::string {
    try {
      family->check(answer, "row 3");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(poisson_answers(), {12, 2000}), "");
  EXPECT_EQ(message(binomial_answers(), {3, 3}), "");
  EXPECT_THAT(message(poisson_answers(), {-1, 10}), testing::HasSubstr("row 3: count -1"));
  EXPECT_THAT(message(negative_binomial_answers(1), {1.5, 10}), testing::HasSubstr("whole number"));
  EXPECT_THAT(message(poisson_answers(), {1, 0}), testing::HasSubstr("exposure 0"));
  EXPECT_THAT(message(binomial_answers(), {4, 3}), testing::HasSubstr("4 of 3"));
  EXPECT_THROW(likelihood_of("beta"), std::invalid_argument);
  for (const auto& name : likelihood_names()) EXPECT_EQ(likelihood_of(name)->name(), name);
}

}  // namespace
}  // namespace iqbo::test
