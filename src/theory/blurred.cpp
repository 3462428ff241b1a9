#include "iqbo/theory/blurred.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "iqbo/core/check.hpp"
#include "iqbo/theory/bounds.hpp"
#include "iqbo/theory/schedule.hpp"

namespace iqbo {
namespace {

void require_terms(double information, Index steps) {
  require_non_negative(Vector(Vector::Constant(1, information)), "information");
  if (steps < 1) refuse("steps", std::to_string(steps), "at least 1");
}

double blur_along(const std::function<double(double delta)>& blur_of, Index dimension, Index steps, double c) {
  const ResolutionSchedule schedule = ResolutionSchedule::paper(dimension, c);
  double out = 0.0;
  for (Index t = 1; t <= steps; ++t) out += blur_of(schedule(t));
  require_non_negative(Vector(Vector::Constant(1, out)), "blur_of");
  return out;
}

}  // namespace

Vector blur_var(const Posterior& belief, const Inputs& xi, const Queries& a) {
  require_rows(xi.size(), a.size(), "xi");
  Vector out = belief.f(xi).var + belief.g(a).var;
  for (Index t = 0; t < a.size(); ++t) out[t] -= 2.0 * belief.fg_cov(xi.slice(t, 1), a.slice(t, 1))(0, 0);
  return out.cwiseMax(0.0);
}

double blurred_regret_bound(double beta, double information, double blur, Index steps, double noise_var, double var) {
  require_terms(information, steps);
  require_non_negative(Vector{{beta, blur}}, "beta, blur");
  const double told = 2.0 * std::sqrt(information_factor(noise_var, var) * information);
  return std::sqrt(beta / static_cast<double>(steps)) * (told + 3.0 * std::sqrt(blur));
}

double schedule_constant(const std::function<double(double delta)>& blur_of, Index dimension, Index steps,
                         double information, double noise_var, double var, double loss) {
  if (!blur_of) refuse("blur_of", "none", "a function of delta");
  require_terms(information, steps);
  require_positive(loss, "loss");
  const double most = loss * 2.0 * std::sqrt(information_factor(noise_var, var) * information) / 3.0;
  const auto fits = [&](double log_c) { return blur_along(blur_of, dimension, steps, std::exp(log_c)) <= most * most; };
  double high = std::log(kMostConstant), low = -high;
  if (fits(high)) return kMostConstant;
  if (!fits(low)) return 0.0;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    (fits(middle) ? low : high) = middle;
  }
  return std::exp(low);
}

}  // namespace iqbo
