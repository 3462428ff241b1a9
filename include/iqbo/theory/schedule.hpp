// Resolutions as functions of time, and what they cost.
//
//   delta_t^2 = c t^-1/2 (log(1 + t))^{d/2}                     theorem 2 of [Zhang26], log(1 + t) so that delta_1 > 0
//   tau_t     = t^-1/4 (log t)^{d/4}                            its example: half-width of a box, as printed; tau_1 = 0
//   S(T)      = sum_t 1 / (1 + tau_t^d)                         cost of T queries if a direct measurement costs 1
//
// delta_t is an sd per coordinate: delta_t^2 is 1/3 of the square of a half-width. The schedule decreases only from
// t = e^d on, and stays above 1 for long in more than two dimensions: docs/theory/bounds.md.
#pragma once

#include <functional>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

class ResolutionSchedule {
 public:
  using Function = std::function<double(Index t)>;  // t = 1, 2, ...

  static ResolutionSchedule paper(Index dimension, double c = 1.0);
  static ResolutionSchedule constant(double delta);

  // Never coarser than `most`, never finer than `least`: the range of the instrument.
  [[nodiscard]] ResolutionSchedule within(double least, double most) const;

  explicit ResolutionSchedule(Function delta);

  // Refuses t < 1 and values that are not finite and >= 0.
  double operator()(Index t) const;
  Vector first(Index steps) const;

 private:
  Function delta_;
};

double printed_half_width(Index t, Index dimension);            // tau_t
double window_cost(double half_width, Index dimension);         // 1 / (1 + tau^d)
Vector printed_schedule_cost(Index steps, Index dimension);     // S(1), ..., S(T)
Vector printed_schedule_savings(Index steps, Index dimension);  // t - S(t)

// Running totals of the cost of a schedule.
Vector schedule_cost(const ResolutionSchedule& schedule, Index steps, const std::function<double(double delta)>& cost);

}  // namespace iqbo
