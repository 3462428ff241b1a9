// The maximum of a smooth function of a few variables in a box, by BFGS steps.
//
// For functions whose evaluations are dear and whose curvature is roughly known: with a good guess of it a few
// evaluations are enough. Steps that would leave the box end at its sides.
#pragma once

#include <functional>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

struct Climb {
  Vector point;
  double value;              // -infinity if f was nowhere finite
  Vector gradient;           // there
  Matrix inverse_curvature;  // as far as it was learned: (-Hessian)^-1, symmetric and positive definite
};

// f(x, gradient) returns the value at x and sets the gradient; -infinity where it is undefined. Stops where the next step
// promises a gain below `tolerance`, or after `budget` evaluations, at least one. The first step changes no coordinate by
// more than first_step, later ones by 1.5 at most.
Climb climb_by_steps(const std::function<double(const Vector&, Vector&)>& f, const Vector& start, const Vector& low,
                     const Vector& high, Matrix inverse_curvature, int budget, double tolerance, double first_step);

}  // namespace iqbo::internal
