#include "iqbo/kernel/mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/finite_difference.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
const Inputs kPlane({{0, 0}, {1, 0}, {0, 1}, {2, -3}});

Vector norms(const Inputs& x) { return x.coordinates().rowwise().norm(); }

void expect_names_and_round_trip(const Mean& mean, const Inputs& x) {
  EXPECT_EQ(static_cast<Index>(mean.parameter_names().size()), mean.parameters().size());
  EXPECT_EQ(mean.with_parameters(mean.parameters())->at(x), mean.at(x));
  EXPECT_EQ(mean.clone()->at(x), mean.at(x));
  EXPECT_EQ(mean.clone()->is_affine(), mean.is_affine());
  EXPECT_EQ(mean.at(x.slice(0, 0)).size(), 0);
  EXPECT_EQ(mean.jacobian(x.slice(0, 0)).rows(), 0);
}

void expect_jacobian_is_the_derivative(const Mean& mean, const Inputs& x) {
  const Matrix jacobian = mean.jacobian(x);
  ASSERT_EQ(jacobian.rows(), x.size());
  ASSERT_EQ(jacobian.cols(), mean.parameters().size());
  for (Index i = 0; i < x.size(); ++i) {
    const auto value = [&](const Vector& p) { return mean.with_parameters(p)->at(x)[i]; };
    const Vector want = finite_difference(value, mean.parameters());
    EXPECT_TRUE((jacobian.row(i).transpose() - want).isZero(kFiniteDifference)) << i << ": " << jacobian.row(i);
  }
}

// E m(X) = m(E X) over a law of four points: what is_affine promises.
void expect_affine(const Mean& mean, const Inputs& x) {
  const Vector weight{{0.1, 0.4, 0.3, 0.2}};
  const Inputs centre(weight.transpose() * x.coordinates());
  EXPECT_TRUE(mean.is_affine());
  EXPECT_NEAR(weight.dot(mean.at(x)), mean.at(centre)[0], kRounding);
}

TEST(ConstantMean, IsTheSameEverywhere) {
  EXPECT_EQ(ConstantMean(2.5).at(kPlane), Vector::Constant(4, 2.5));
  EXPECT_EQ(ConstantMean().at(kPlane), Vector::Zero(4));
  EXPECT_EQ(ConstantMean(2.5).constant_part(), 2.5);
}

TEST(ConstantMean, KeepsTheContractOfMeans) {
  const ConstantMean mean(2.5);
  expect_names_and_round_trip(mean, kPlane);
  expect_jacobian_is_the_derivative(mean, kPlane);
  expect_affine(mean, kPlane);
}

TEST(ConstantMean, RefusesWhatIsNotFinite) {
  expect_refusal([] { ConstantMean{kNan}; }, {"mean: is nan, expected a finite number"});
  expect_refusal([] { ConstantMean{-kInf}; }, {"mean: is -inf, expected a finite number"});
  expect_refusal([] { (void)ConstantMean(1).with_parameters(Vector{{kNan}}); }, {"mean", "nan", "finite"});
  expect_refusal(
      [] {
        (void)ConstantMean(1).with_parameters(Vector{{1, 2}});
      },
      {"mean parameters: 2 rows, expected 1"});
}

TEST(LinearMean, RisesAlongItsSlope) {
  const LinearMean mean(1, Vector{{10, 100}});
  EXPECT_EQ(mean.at(kPlane), (Vector{{1, 11, 101, -279}}));
  EXPECT_EQ(mean.constant_part(), 1.0);
  EXPECT_EQ(mean.parameters(), (Vector{{1, 10, 100}}));
  EXPECT_EQ(mean.parameter_names(), (std::vector<std::string>{"mean", "slope[0]", "slope[1]"}));
  EXPECT_EQ(mean.with_parameters(Vector{{2, 0, 1}})->at(kPlane), (Vector{{2, 2, 3, -1}}));
}

TEST(LinearMean, KeepsTheContractOfMeans) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const LinearMean mean(rng.normal(), rng.normals(2));
    expect_names_and_round_trip(mean, kPlane);
    expect_jacobian_is_the_derivative(mean, kPlane);
    expect_affine(mean, kPlane);
  }
}

TEST(LinearMean, RefusesBadPartsAndPoints) {
  expect_refusal([] { LinearMean(kNan, Vector{{1}}); }, {"constant: is nan, expected a finite number"});
  expect_refusal([] { LinearMean(0, Vector{{1, kInf}}); }, {"slope: row 1 is inf, expected a finite number"});
  expect_refusal([] { LinearMean(0, Vector()); }, {"slope: is empty, expected at least one"});
  const LinearMean mean(1, Vector{{1, 2}});
  expect_refusal([&] { mean.at(Inputs({{1}})); }, {"x: 1 columns, expected 2"});
  expect_refusal([&] { mean.jacobian(Inputs({{1, 2, 3}})); }, {"x: 3 columns, expected 2"});
  expect_refusal([&] { (void)mean.with_parameters(Vector{{1, 2}}); }, {"mean parameters: 2 rows, expected 3"});
}

TEST(CallbackMean, IsWhatTheFunctionSays) {
  const CallbackMean mean(norms);
  EXPECT_TRUE(mean.at(kPlane).isApprox(Vector{{0, 1, 1, std::hypot(2, 3)}}, kRounding));
  EXPECT_EQ(mean.constant_part(), 0.0);
  EXPECT_FALSE(mean.is_affine());
  expect_names_and_round_trip(mean, kPlane);
  EXPECT_EQ(mean.jacobian(kPlane).rows(), 4);
  EXPECT_EQ(mean.jacobian(kPlane).cols(), 0);
}

TEST(CallbackMean, CallsTheFunctionOncePerBatch) {
  int calls = 0;
  const CallbackMean mean([&](const Inputs& x) {
    ++calls;
    return norms(x);
  });
  mean.at(kPlane);
  EXPECT_EQ(calls, 1);
}

TEST(CallbackMean, RefusesWhatIsNotOneFiniteNumberPerInput) {
  const CallbackMean short_by_one([](const Inputs& x) { return Vector::Zero(x.size() - 1); });
  expect_refusal([&] { short_by_one.at(kPlane); }, {"mean(x): 3 rows, expected 4"});
  const CallbackMean hole([](const Inputs& x) { return Vector::LinSpaced(x.size(), 0, kNan); });
  expect_refusal([&] { hole.at(kPlane); }, {"mean(x): row", "nan", "expected a finite number"});
  expect_refusal([] { CallbackMean{nullptr}; }, {"mean", "empty function", "expected a function"});
  expect_refusal([] { (void)CallbackMean(norms).with_parameters(Vector{{1}}); },
                 {"mean parameters: 1 rows, expected 0"});
}

TEST(CallbackMean, WhatTheFunctionThrowsPassesThrough) {
  struct Disconnected {};
  const CallbackMean mean([](const Inputs&) -> Vector { throw Disconnected(); });
  EXPECT_THROW(mean.at(kPlane), Disconnected);
}

}  // namespace
}  // namespace iqbo::test
