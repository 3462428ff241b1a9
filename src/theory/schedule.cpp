#include "iqbo/theory/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

void require_at_least_one(Index value, std::string_view name) {
  if (value < 1) refuse(name, std::to_string(value), "at least 1");
}

Vector running_total(Index steps, const std::function<double(Index t)>& term) {
  require_at_least_one(steps, "steps");
  Vector out(steps);
  double total = 0.0;
  for (Index t = 1; t <= steps; ++t) out[t - 1] = total += term(t);
  return out;
}

}  // namespace

ResolutionSchedule::ResolutionSchedule(Function delta) : delta_(std::move(delta)) {
  if (!delta_) refuse("delta", "none", "a function of t");
}

ResolutionSchedule ResolutionSchedule::paper(Index dimension, double c) {
  require_at_least_one(dimension, "dimension");
  require_positive(c, "c");
  return ResolutionSchedule([d = static_cast<double>(dimension), c](Index t) {
    const auto step = static_cast<double>(t);
    return std::sqrt(c) * std::pow(step, -0.25) * std::pow(std::log1p(step), d / 4.0);
  });
}

ResolutionSchedule ResolutionSchedule::constant(double delta) {
  require_non_negative(Vector(Vector::Constant(1, delta)), "delta");
  return ResolutionSchedule([delta](Index /*t*/) { return delta; });
}

ResolutionSchedule ResolutionSchedule::within(double least, double most) const {
  require_non_negative(Vector{{least, most}}, "least, most");
  if (least > most) refuse("least", readable(least), "at most " + readable(most));
  return ResolutionSchedule([inner = *this, least, most](Index t) { return std::clamp(inner(t), least, most); });
}

double ResolutionSchedule::operator()(Index t) const {
  require_at_least_one(t, "t");
  const double delta = delta_(t);
  if (!(std::isfinite(delta) && delta >= 0.0))
    refuse("delta", "at t = " + std::to_string(t) + " is " + readable(delta), "a finite number >= 0");
  return delta;
}

Vector ResolutionSchedule::first(Index steps) const {
  require_at_least_one(steps, "steps");
  Vector out(steps);
  for (Index t = 1; t <= steps; ++t) out[t - 1] = (*this)(t);
  return out;
}

double printed_half_width(Index t, Index dimension) {
  require_at_least_one(t, "t");
  require_at_least_one(dimension, "dimension");
  const auto step = static_cast<double>(t);
  return std::pow(step, -0.25) * std::pow(std::log(step), static_cast<double>(dimension) / 4.0);
}

double window_cost(double half_width, Index dimension) {
  require_at_least_one(dimension, "dimension");
  require_non_negative(Vector(Vector::Constant(1, half_width)), "half_width");
  return 1.0 / (1.0 + std::pow(half_width, static_cast<double>(dimension)));
}

Vector printed_schedule_cost(Index steps, Index dimension) {
  return running_total(steps, [&](Index t) { return window_cost(printed_half_width(t, dimension), dimension); });
}

Vector printed_schedule_savings(Index steps, Index dimension) {
  const Vector cost = printed_schedule_cost(steps, dimension);
  return Vector::LinSpaced(steps, 1.0, static_cast<double>(steps)) - cost;
}

Vector schedule_cost(const ResolutionSchedule& schedule, Index steps, const std::function<double(double delta)>& cost) {
  return running_total(steps, [&](Index t) {
    const double paid = cost(schedule(t));
    require_positive(paid, "cost");
    return paid;
  });
}

}  // namespace iqbo
