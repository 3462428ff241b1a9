// Maxima known by hand: inside, on bounds, along a curved valley; and functions that misbehave.
#include "numerics/maximise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/errors.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kFound = 1e-4;  // of points: the square root of the tolerance of values

// -(x - c)' diag(1, 10, 100) (x - c): over a box its maximiser is c moved into the box, coordinate by coordinate.
double bowl(const Vector& x, Vector* gradient) {
  const Vector c{{0.3, -2.0, 5.0}};
  const Vector w{{1.0, 10.0, 100.0}};
  const Vector r = x - c;
  if (gradient != nullptr) *gradient = -2.0 * w.cwiseProduct(r);
  return -w.dot(r.cwiseAbs2());
}

double rosenbrock(const Vector& x, Vector* gradient) {
  const double u = 1.0 - x[0];
  const double v = x[1] - x[0] * x[0];
  if (gradient != nullptr) *gradient << 2.0 * u + 400.0 * x[0] * v, -200.0 * v;
  return -(u * u + 100.0 * v * v);
}

TEST(Maximise, FindsMaximaInsideAndOnBounds) {
  const Vector low = Vector::Constant(3, -1.0);
  const Vector high = Vector::Constant(3, 1.0);
  for (const Vector& start : {Vector{{0.0, 0.0, 0.0}}, Vector{{-1.0, 1.0, -1.0}}, Vector{{9.0, 9.0, -9.0}}}) {
    const Maximum found = maximise(bowl, start, low, high);
    EXPECT_LT((found.point - Vector{{0.3, -1.0, 1.0}}).cwiseAbs().maxCoeff(), kFound);
    EXPECT_TRUE((found.point.array() >= -1.0).all() && (found.point.array() <= 1.0).all());
  }
}

TEST(Maximise, FollowsACurvedValley) {
  const Maximum found = maximise(rosenbrock, Vector{{-1.2, 1.0}}, Vector{{-3.0, -3.0}}, Vector{{3.0, 3.0}});
  EXPECT_LT((found.point - Vector{{1.0, 1.0}}).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT(found.evaluations, 100);
}

TEST(Maximise, CountsEvaluationsAndKeepsTheBudget) {
  int calls = 0;
  const auto counted = [&](const Vector& x, Vector* gradient) {
    ++calls;
    return rosenbrock(x, gradient);
  };
  for (const int budget : {1, 2, 5, 20, 1000}) {
    calls = 0;
    const Maximum found =
        maximise(counted, Vector{{-1.2, 1.0}}, Vector{{-3.0, -3.0}}, Vector{{3.0, 3.0}}, {budget, 1e-9, 1e-7});
    EXPECT_EQ(found.evaluations, calls);
    EXPECT_LE(calls, budget);
    EXPECT_GE(found.value, rosenbrock(Vector{{-1.2, 1.0}}, nullptr));
    EXPECT_EQ(found.value, rosenbrock(found.point, nullptr));
  }
}

TEST(Maximise, StepsBackFromWhereThereIsNoValue) {
  for (const double bad : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
    // log(x) - x on (0, 1/2 ..): undefined for x <= 0, where the first long step from 0.1 may land.
    const auto f = [&](const Vector& x, Vector* gradient) {
      if (x[0] <= 0.0) return bad;
      if (gradient != nullptr) (*gradient)[0] = 1.0 / x[0] - 1.0;
      return std::log(x[0]) - x[0];
    };
    for (const double start : {0.1, 4.0})
      EXPECT_NEAR(maximise(f, Vector{{start}}, Vector{{-10.0}}, Vector{{10.0}}).point[0], 1.0, kFound);
    // No value anywhere: it ends, and says so.
    const auto nowhere = [&](const Vector&, Vector*) { return bad; };
    EXPECT_FALSE(std::isfinite(maximise(nowhere, Vector{{0.1}}, Vector{{-1.0}}, Vector{{1.0}}).value));
  }
}

TEST(Maximise, FlatAndDegenerate) {
  const auto flat = [](const Vector&, Vector* gradient) {
    if (gradient != nullptr) gradient->setZero();
    return 2.0;
  };
  EXPECT_EQ(maximise(flat, Vector{{0.5}}, Vector{{0.0}}, Vector{{1.0}}).value, 2.0);
  const Maximum point = maximise(bowl, Vector::Ones(3), Vector::Ones(3), Vector::Ones(3));  // a box of one point
  EXPECT_EQ(point.point, Vector::Ones(3));
}

TEST(Maximise, WhatTheFunctionThrowsPassesThrough) {
  const auto f = [](const Vector&, Vector*) -> double { throw std::runtime_error("mine"); };
  test::expect_error<std::runtime_error>([&] { maximise(f, Vector{{0.0}}, Vector{{-1.0}}, Vector{{1.0}}); }, {"mine"});
}

TEST(Maximise, RefusesBadArguments) {
  const Vector one{{1.0}};
  test::expect_refusal([&] { maximise(bowl, Vector(), Vector(), Vector()); }, {"start"});
  test::expect_refusal([&] { maximise(bowl, one, Vector{{2.0}}, one); }, {"lower", "row 0 is 2", "upper, 1"});
  test::expect_refusal([&] { maximise(bowl, one, Vector(), one); }, {"lower", "0 rows", "1"});
  test::expect_refusal([&] { maximise(bowl, one, -one, Vector{{std::nan("")}}); }, {"upper", "nan"});
  test::expect_refusal([&] { maximise(bowl, one, -one, one, {0, 1e-9, 1e-7}); }, {"max_evaluations", "is 0"});
}

}  // namespace
}  // namespace iqbo
