#include "numerics/quasi_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace iqbo::internal {
namespace {

const Vector kLow = Vector::Constant(2, -5.0);
const Vector kHigh = Vector::Constant(2, 5.0);

// -(x - top)' C (x - top) / 2
struct Parabola {
  Vector top{{1.0, -0.5}};
  Matrix curvature{{4.0, 1.0}, {1.0, 2.0}};
  int calls = 0;
  double operator()(const Vector& x, Vector& gradient) {
    ++calls;
    gradient = -curvature * (x - top);
    return 0.5 * gradient.dot(x - top);
  }
};

TEST(QuasiNewton, OneStepWithTheRightCurvature) {
  Parabola f;
  const Climb found = climb_by_steps(std::ref(f), Vector::Zero(2), kLow, kHigh, f.curvature.inverse(), 20, 1e-12, 1.5);
  EXPECT_LT((found.point - f.top).norm(), 1e-12);
  EXPECT_EQ(f.calls, 2);
}

TEST(QuasiNewton, LearnsTheCurvature) {
  Parabola f;
  const Climb found = climb_by_steps(std::ref(f), Vector::Zero(2), kLow, kHigh, Matrix::Identity(2, 2), 50, 1e-14, 0.5);
  EXPECT_LT((found.point - f.top).norm(), 1e-6);
  EXPECT_LT((found.inverse_curvature - f.curvature.inverse()).norm(), 0.05);
  EXPECT_LT(f.calls, 20);
}

TEST(QuasiNewton, StaysInTheBox) {
  Parabola f;
  f.top = Vector{{9.0, 0.0}};
  const Climb found =
      climb_by_steps(std::ref(f), Vector::Zero(2), kLow, kHigh, Matrix::Identity(2, 2), 100, 1e-12, 0.5);
  EXPECT_EQ(found.point[0], 5.0);
  EXPECT_NEAR(found.point[1], 2.0, 1e-5);  // the best on the side: 2 y = 1 * (9 - 5)
}

TEST(QuasiNewton, AlongACurvedRidge) {
  const auto f = [](const Vector& x, Vector& gradient) {
    const double u = 1.0 - x[0], v = x[1] - x[0] * x[0];
    gradient = Vector{{2.0 * u + 400.0 * x[0] * v, -200.0 * v}};
    return -u * u - 100.0 * v * v;
  };
  const Climb found = climb_by_steps(f, Vector{{-1.2, 1.0}}, kLow, kHigh, Matrix::Identity(2, 2), 200, 1e-14, 0.5);
  EXPECT_LT((found.point - Vector::Ones(2)).norm(), 1e-5);
}

TEST(QuasiNewton, WhereTheFunctionEnds) {
  const auto f = [](const Vector& x, Vector& gradient) {  // log x0 - x0 - x1^2: undefined for x0 <= 0
    if (x[0] <= 0.0) return -std::numeric_limits<double>::infinity();
    gradient = Vector{{1.0 / x[0] - 1.0, -2.0 * x[1]}};
    return std::log(x[0]) - x[0] - x[1] * x[1];
  };
  const Climb found = climb_by_steps(f, Vector{{4.0, 3.0}}, kLow, kHigh, 3.0 * Matrix::Identity(2, 2), 100, 1e-13, 1.5);
  EXPECT_LT((found.point - Vector{{1.0, 0.0}}).norm(), 1e-5);
  const Climb nowhere = climb_by_steps(f, Vector{{-1.0, 0.0}}, kLow, kHigh, Matrix::Identity(2, 2), 100, 1e-13, 1.5);
  EXPECT_EQ(nowhere.value, -std::numeric_limits<double>::infinity());
}

TEST(QuasiNewton, KeepsTheBudget) {
  Parabola f;
  climb_by_steps(std::ref(f), Vector::Constant(2, 4.0), kLow, kHigh, Matrix::Identity(2, 2), 3, 0.0, 0.5);
  EXPECT_LE(f.calls, 3);
}

}  // namespace
}  // namespace iqbo::internal
