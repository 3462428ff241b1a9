#include "iqbo/likelihood/likelihood.hpp"

#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo {

void Likelihood::check(const Count& answer, const std::string& what) const {
  if (!std::isfinite(answer.exposure) || answer.exposure <= 0.0)
    refuse(what, "exposure " + readable(answer.exposure), "a positive number");
  if (!std::isfinite(answer.y) || answer.y < 0.0 || answer.y != std::floor(answer.y))
    refuse(what, "count " + readable(answer.y), "a whole number, 0 or more");
}

// With theta = log g: the expected slope and curvature of log p in theta, as one Gaussian answer.
Likelihood::Working Likelihood::working(const Count& answer, double g, double spread) const {
  constexpr int kNodes = 15;
  constexpr double kLeast = 0.25;  // of the expected curvature: a surprising y bends log p the wrong way
  if (spread <= 0.0) return {answer.rate() - g, variance(answer, g)};
  const Rule& rule = gauss_hermite(kNodes);
  double slope = 0.0, bend = 0.0, usual = 0.0;
  for (Index i = 0; i < rule.node.size(); ++i) {
    const double at = g * std::exp(std::sqrt(spread) * rule.node[i] - 0.5 * spread);
    const auto [first, curvature] = slopes(answer, at);
    slope += rule.weight[i] * at * first;
    bend += rule.weight[i] * (at * at * curvature - at * first);
    usual += rule.weight[i] * at * at / variance(answer, at);
  }
  bend = std::max(bend, kLeast * usual);
  return {g * slope / bend, g * g / bend};
}

std::shared_ptr<const Likelihood> Likelihood::with_log_parameter(double /*value*/) const {
  throw std::logic_error(name() + " answers have no parameter");
}

Likelihood::ParameterSlopes Likelihood::parameter_slopes(const Count& /*answer*/, double /*g*/) const { return {}; }

LikelihoodPtr likelihood_of(const std::string& name, const std::string& what) {
  constexpr double kUsualDispersion = 0.1;
  if (name == "gaussian") return gaussian_answers();
  if (name == "poisson") return poisson_answers();
  if (name == "negative-binomial") return negative_binomial_answers(kUsualDispersion);
  if (name == "binomial") return binomial_answers();
  refuse(what, "\"" + name + "\"", "gaussian, poisson, negative-binomial or binomial");
}

std::vector<std::string> likelihood_names() { return {"gaussian", "poisson", "negative-binomial", "binomial"}; }

}  // namespace iqbo
