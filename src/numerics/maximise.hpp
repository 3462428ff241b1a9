// The largest value of a smooth function on a box, from one start, with a budget.
//
//   maximise f(x)  subject to  lower <= x <= upper
//
// Sequential quadratic programming ([Kraft88], as in NLopt's LD_SLSQP): quasi-Newton steps, exact at bounds. It is a
// local method; start it from several points to look for the global maximum.
//
// However the search ends (converged, out of budget, or stuck in rounding error), it returns the best point it has
// seen, never worse than the start. Where f is not finite the search steps back. Exceptions thrown by f propagate.
#pragma once

#include <functional>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

// Returns f(x). If the pointer is not null, writes the gradient there; it has the size of x already.
using DifferentiableFunction = std::function<double(const Vector& x, Vector* gradient)>;

struct MaximiseOptions {
  int max_evaluations = 200;
  double value_tolerance = 1e-9;  // ends when a step gains less, absolute
  double point_tolerance = 1e-7;  // ends when a step is shorter in every coordinate, absolute
};

struct Maximum {
  Vector point;
  double value = 0.0;  // f(point); -infinity or NaN only if f was finite at no point that the search visited
  int evaluations = 0;
};

// Needs lower <= upper, finite; a start outside the box is moved to its edge.
Maximum maximise(const DifferentiableFunction& f, const Vector& start, const Vector& lower, const Vector& upper,
                 const MaximiseOptions& options = {});

}  // namespace iqbo::internal
