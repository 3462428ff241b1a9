#include "maximise.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>

#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

class Search {
 public:
  Search(const DifferentiableFunction& f, const Vector& start) : f_(f), gradient_(Vector::Zero(start.size())) {
    best.point = start;
    best.value = std::nan("");
  }

  nlopt_opt optimiser = nullptr;
  Maximum best;
  std::exception_ptr thrown;

  const Vector& gradient() const { return gradient_; }

  double value_at(const Vector& x, bool wants_gradient) {
    stop_point();
    ++best.evaluations;
    const double value = f_(x, wants_gradient ? &gradient_ : nullptr);
    const bool usable = std::isfinite(value) && (!wants_gradient || gradient_.allFinite());
    if (!usable) {
      // A value that the line search takes for very bad, so that it steps back; infinity would spoil its arithmetic.
      gradient_.setZero();
      return worst_ - 1e3 * (1.0 + std::abs(worst_));
    }
    if (!any_finite_ || value > best.value) {
      best.value = value;
      best.point = x;
    }
    worst_ = any_finite_ ? std::min(worst_, value) : value;
    any_finite_ = true;
    return value;
  }

 private:
  const DifferentiableFunction& f_;
  Vector gradient_;
  double worst_ = 0.0;  // finite value seen
  bool any_finite_ = false;
};

double callback(unsigned n, const double* x, double* gradient, void* data) {
  auto& search = *static_cast<Search*>(data);
  const auto size = static_cast<Index>(n);
  try {
    const double value = search.value_at(Eigen::Map<const Vector>(x, size), gradient != nullptr);
    if (gradient != nullptr) Eigen::Map<Vector>(gradient, size) = search.gradient();
    return value;
  } catch (...) {  // C code is below us on the stack: catch here, rethrow after it has returned
    search.thrown = std::current_exception();
    nlopt_force_stop(search.optimiser);
    return 0.0;
  }
}

void check(const Vector& start, const Vector& lower, const Vector& upper, const MaximiseOptions& options) {
  require_not_empty(start.size(), "start");
  require_finite(start, "start");
  require_rows(lower.size(), start.size(), "lower");
  require_rows(upper.size(), start.size(), "upper");
  require_finite(lower, "lower");
  require_finite(upper, "upper");
  for (Index i = 0; i < start.size(); ++i)
    if (lower[i] > upper[i])
      refuse("lower", "row " + std::to_string(i) + " is " + readable(lower[i]), "at most upper, " + readable(upper[i]));
  if (options.max_evaluations < 1)
    refuse("max_evaluations", "is " + std::to_string(options.max_evaluations), "at least 1");
}

}  // namespace

Maximum maximise(const DifferentiableFunction& f, const Vector& start, const Vector& lower, const Vector& upper,
                 const MaximiseOptions& options) {
  check(start, lower, upper, options);
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> owner(
      nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(start.size())), &nlopt_destroy);
  Vector x = start.cwiseMax(lower).cwiseMin(upper);
  Search search(f, x);
  search.optimiser = owner.get();
  nlopt_set_max_objective(owner.get(), &callback, &search);
  nlopt_set_lower_bounds(owner.get(), lower.data());
  nlopt_set_upper_bounds(owner.get(), upper.data());
  nlopt_set_maxeval(owner.get(), options.max_evaluations);
  nlopt_set_ftol_abs(owner.get(), options.value_tolerance);
  nlopt_set_xtol_abs1(owner.get(), options.point_tolerance);
  double value = 0.0;
  // The result code is not needed: roundoff, budget and convergence all end at the best point seen.
  nlopt_optimize(owner.get(), x.data(), &value);
  if (search.thrown) std::rethrow_exception(search.thrown);
  return search.best;
}

}  // namespace iqbo::internal
