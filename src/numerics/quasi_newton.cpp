#include "quasi_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace iqbo::internal {
namespace {

constexpr double kLongest = 1.5;       // step along any coordinate
constexpr double kSufficient = 1e-4;   // share of the promised gain that a step must reach
constexpr double kLeastCurved = 1e-8;  // cosine of step and change of gradient, for an update

// No step is taken along a coordinate that would leave the box.
Vector step_from(const Climb& at, const Vector& low, const Vector& high, double most) {
  Vector gradient = at.gradient;
  std::vector<Index> held;
  for (Index i = 0; i < gradient.size(); ++i)
    if ((at.point[i] <= low[i] && gradient[i] < 0.0) || (at.point[i] >= high[i] && gradient[i] > 0.0)) {
      gradient[i] = 0.0;
      held.push_back(i);
    }
  Vector step = at.inverse_curvature * gradient;
  for (const Index i : held) step[i] = 0.0;
  if (!(step.dot(gradient) > 0.0)) step = gradient;  // rounding made the matrix indefinite
  const double longest = step.cwiseAbs().maxCoeff();
  return longest > most ? Vector(step * (most / longest)) : step;
}

void learn(Climb& at, const Vector& step, const Vector& change, bool first) {
  const double curved = step.dot(change);
  if (!(curved > kLeastCurved * step.norm() * change.norm())) return;
  Matrix& h = at.inverse_curvature;
  if (first) h *= std::clamp(curved / change.dot(h * change), 0.05, 20.0);
  const Vector moved = h * change;
  h += ((curved + change.dot(moved)) / (curved * curved)) * step * step.transpose();
  h -= (moved * step.transpose() + step * moved.transpose()) / curved;
}

}  // namespace

Climb climb_by_steps(const std::function<double(const Vector&, Vector&)>& f, const Vector& start, const Vector& low,
                     const Vector& high, Matrix inverse_curvature, int budget, double tolerance, double first_step) {
  Climb at{start.cwiseMax(low).cwiseMin(high), 0.0, Vector::Zero(start.size()), std::move(inverse_curvature)};
  at.value = f(at.point, at.gradient);
  int left = budget - 1;
  bool first = true;
  while (left > 0 && std::isfinite(at.value)) {
    const Vector step = step_from(at, low, high, first ? first_step : kLongest);
    if (0.5 * step.dot(at.gradient) < tolerance) break;
    bool better = false;
    for (double length = 1.0; left > 0 && length > 1e-6;) {
      const Vector point = (at.point + length * step).cwiseMax(low).cwiseMin(high);
      const Vector moved = point - at.point;
      Vector gradient = Vector::Zero(start.size());
      const double value = f(point, gradient);
      --left;
      const double promised = at.gradient.dot(moved);
      better = std::isfinite(value) && value >= at.value + kSufficient * promised;
      if (better) {
        learn(at, moved, at.gradient - gradient, first);
        first = false;
        at.point = point;
        at.value = value;
        at.gradient = gradient;
        break;
      }
      // Where a parabola through both values and the slope would have its top.
      const double top = std::isfinite(value) ? 0.5 * promised / (promised + at.value - value) : 0.1;
      length *= std::clamp(top, 0.1, 0.5);
    }
    if (!better) break;
  }
  return at;
}

}  // namespace iqbo::internal
