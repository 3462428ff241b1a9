#include "iqbo/theory/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "iqbo/core/check.hpp"
#include "iqbo/theory/information.hpp"

namespace iqbo {
namespace {

void require_step(Index t, std::string_view name) {
  if (t < 1) refuse(name, std::to_string(t), "at least 1");
}

void require_share(double value, std::string_view name) {
  if (!(value > 0.0 && value < 1.0)) refuse(name, readable(value), "a number in (0, 1)");
}

double width(double odds) { return std::sqrt(2.0 * std::max(0.0, std::log(odds))); }

}  // namespace

double union_weight(Index t) {
  require_step(t, "t");
  constexpr double kPi = std::numbers::pi;
  return kPi * kPi * static_cast<double>(t) * static_cast<double>(t) / 6.0;
}

double zeta(double weight, double delta, BoundSides sides) {
  require_positive(weight, "weight");
  require_share(delta, "delta");
  return width(weight / (sides == BoundSides::kOne ? 2.0 * delta : delta));
}

double beta(double weight, double inputs, double delta) {
  require_positive(weight, "weight");
  require_share(delta, "delta");
  if (!(std::isfinite(inputs) && inputs >= 1.0)) refuse("inputs", readable(inputs), "at least 1");
  return 2.0 * std::max(0.0, std::log(inputs * weight / delta));
}

double least_margin(const Marginals& g, double upper) {
  require_not_empty(g.mean.size(), "g");
  require_rows(g.var.size(), g.mean.size(), "g.var");
  require_non_negative(g.var, "g.var");
  require_finite(upper, "upper");
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < g.mean.size(); ++i) {
    const double gap = upper - g.mean[i];
    if (g.var[i] > 0.0)
      least = std::min(least, gap / std::sqrt(g.var[i]));
    else if (gap < 0.0)
      return -std::numeric_limits<double>::infinity();
  }
  return least;
}

RunBounds run_bounds(const Posterior& prior, const Run& run, const Queries& candidates, const NoiseVar& noise_var,
                     double delta) {
  const Index steps = run.a.size();
  require_rows(run.z.size(), steps, "z");
  require_rows(run.upper.size(), steps, "upper");
  require_not_empty(candidates.size(), "candidates");
  const Vector noise = noise_var.of(steps);
  RunBounds out{Vector(steps), Vector(steps), Vector(steps), information_along(prior, run.a, noise_var),
                prior.g(candidates).var.maxCoeff()};
  Posterior posterior = prior;
  for (Index t = 0; t < steps; ++t) {
    const Queries asked = run.a.slice(t, 1);
    out.kappa[t] = least_margin(posterior.g(candidates), run.upper[t]);
    out.zeta[t] = zeta(union_weight(t + 1), delta);
    const Marginals here = posterior.g(asked);
    out.step[t] = here.var[0] > 0.0 ? (out.kappa[t] + out.zeta[t]) * std::sqrt(here.var[0])
                                    : run.upper[t] - here.mean[0];  // g is known here: only f* is uncertain
    posterior = posterior.condition(asked, run.z.segment(t, 1), noise[t]);
  }
  return out;
}

Vector answer_weights(const Posterior& posterior, const Queries& a) {
  if (posterior.size() == 0) return Vector::Zero(a.size());
  return posterior.solve(posterior.observed_cov(a).transpose()).cwiseAbs().colwise().sum().transpose();
}

Vector bias_along(const Posterior& prior, const Queries& a, const NoiseVar& noise_var, double bias) {
  require_non_negative(Vector(Vector::Constant(1, bias)), "bias");
  const Vector noise = noise_var.of(a.size());
  Vector out(a.size());
  Posterior posterior = prior;
  for (Index t = 0; t < a.size(); ++t) {
    const Queries asked = a.slice(t, 1);
    out[t] = bias * (1.0 + answer_weights(posterior, asked)[0]);
    posterior = posterior.condition(asked, Vector(Vector::Zero(1)), noise[t]);  // weights do not depend on answers
  }
  return out;
}

double learned_bias(const Posterior& prior, const Queries& candidates, Index steps, double delta) {
  require_step(steps, "steps");
  require_not_empty(candidates.size(), "candidates");
  const auto error = prior.conditional().relative_error();
  if (!error) refuse("prior", "a conditional that was not learned", "one learned from logged pairs");
  const Matrix q = prior.g_cov(candidates);
  const double spread = std::sqrt(std::max(0.0, q.diagonal().mean() - q.mean()));
  return *error * spread * zeta(static_cast<double>(steps), delta, BoundSides::kTwo);
}

double simple_regret_bound(const Marginals& at_query, double kappa, const Marginals& at_input, double zeta) {
  for (const Marginals* one : {&at_query, &at_input}) {
    require_rows(one->mean.size(), 1, "mean");
    require_rows(one->var.size(), 1, "var");
    require_non_negative(one->var, "var");
  }
  return at_query.mean[0] + kappa * std::sqrt(at_query.var[0]) + zeta * std::sqrt(at_input.var[0]) - at_input.mean[0];
}

double information_factor(double noise_var, double var) {
  require_positive(noise_var, "noise_var");
  require_positive(var, "var");
  return 2.0 * var / std::log1p(var / noise_var);
}

double instant_regret_bound(Index steps, double information, double kappa, double noise_var, double delta, double var) {
  require_step(steps, "steps");
  require_non_negative(Vector(Vector::Constant(1, information)), "information");
  require_share(delta, "delta");
  if (std::isnan(kappa)) refuse("kappa", "is nan", "a number");
  const double share = information_factor(noise_var, var) * information / static_cast<double>(steps);
  return std::sqrt(share) * std::max(0.0, kappa + zeta(union_weight(steps), delta / 2.0));
}

Index iterations_for(Index steps, double w, double delta) {
  require_step(steps, "steps");
  require_share(w, "w");
  require_share(delta, "delta");
  Index out = 0;
  for (Index i = 1; i <= steps; ++i)
    out += static_cast<Index>(std::ceil(std::log(delta / (2.0 * union_weight(i))) / std::log(w)));
  return out;
}

double scheduled_regret_bound(double beta, double target_information, const Vector& resolution, double curvature,
                              double noise_var, double var) {
  require_not_empty(resolution.size(), "resolution");
  require_non_negative(resolution, "resolution");
  require_non_negative(Vector{{beta, target_information, curvature}}, "beta, target_information, curvature");
  const double blur = 2.0 * curvature * curvature * resolution.array().pow(4).sum();
  const double told = 8.0 * beta * information_factor(noise_var, var) * target_information;
  return std::sqrt((told + blur) / static_cast<double>(resolution.size()));
}

}  // namespace iqbo
