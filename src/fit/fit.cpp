#include "iqbo/fit/fit.hpp"

#include <cmath>

#include "run.hpp"

namespace iqbo {
namespace {

using Kind = FitParameter::Kind;

constexpr double kSds95 = 1.959964;
constexpr double kDrop95 = 1.920729;   // half the 95 % point of chi^2 with one degree of freedom
constexpr double kVanished = 1e-3;     // tau / s below which there is no discrepancy to speak of
constexpr double kNegligible = 1e-12;  // the variance it then gets, in units of s^2

// Where the data do not rule out tau = 0, the interval of tau^2 runs from 0 to where the log posterior is down by
// kDrop95, found by bisection: the log scale of Laplace's approximation does not reach 0.
bool may_be_none(const FitObjective& objective, const Matrix& averages, const FitPoint& mode, Index tau) {
  Vector theta = mode.theta;
  theta[tau] = objective.low()[tau];
  return objective.evaluate_with(averages, theta).log_posterior > mode.log_posterior - kDrop95;
}

double largest_discrepancy(const FitObjective& objective, const Matrix& averages, const FitPoint& mode, Index tau) {
  double low = mode.theta[tau];
  double high = objective.high()[tau];
  for (int step = 0; step < 8; ++step) {
    Vector theta = mode.theta;
    theta[tau] = 0.5 * (low + high);
    (objective.evaluate_with(averages, theta).log_posterior > mode.log_posterior - kDrop95 ? low : high) = theta[tau];
  }
  return std::exp(high);
}

FittedNumber of_theta(const Laplace& laplace, Index i) {
  const double sd = std::sqrt(laplace.cov(i, i));
  const double at = laplace.mode.theta[i];
  return {std::exp(at), std::exp(at - kSds95 * sd), std::exp(at + kSds95 * sd)};
}

// Of the kernel's parameters a family has lengthscales and a shape, each by the name that the kernel gives it.
void add(const FitParameter& p, const FittedNumber& number, Hyperparameters& out) {
  if (p.kind == Kind::kNoise)
    out.noise_var = number;
  else if (p.kind == Kind::kDiscrepancy)
    out.discrepancy_var = number;
  else if (p.kind == Kind::kDispersion)
    out.dispersion = number;
  else if (!out.family.empty() && p.kind == Kind::kVariance)
    out.variance = number;
  else if (!out.family.empty() && p.kind == Kind::kNugget)
    out.nugget = number;
  else if (!out.family.empty() && p.name.starts_with("lengthscale"))
    out.lengthscale.push_back(number);
  else
    out.others.push_back({p.name, number.value, number.low, number.high});
}

// Takes the numbers of the fitted kernel itself: its exponentials may differ from ours in the last bit.
void take_values(const Kernel& kernel, Hyperparameters& out) {
  const auto terms = kernel.stationary_terms();
  const StationaryPart& part = *terms.front().factors.front().part;
  out.variance->value = terms.front().variance;
  for (std::size_t c = 0; c < out.lengthscale.size(); ++c)
    out.lengthscale[c].value = part.lengthscale()[static_cast<Index>(c)];
  for (std::size_t i = 0; i < out.others.size(); ++i) out.others[i].value = part.shape()[static_cast<Index>(i)];
}

void say_if_at_edge(const FitObjective& objective, const Vector& theta, std::vector<std::string>& notes) {
  for (Index i = 0; i < objective.size(); ++i) {
    const auto& p = objective.parameters()[static_cast<std::size_t>(i)];
    if (p.kind == Kind::kDiscrepancy) continue;
    if (theta[i] < p.low + 1e-6) notes.push_back(p.name + " ended at the smallest value that is tried");
    if (theta[i] > p.high - 1e-6) notes.push_back(p.name + " ended at the largest value that is tried");
  }
}

void say_what_is_prior(const FitObjective& objective, const Laplace& laplace, std::vector<std::string>& notes) {
  std::string names;
  for (Index i = 0; i < objective.size(); ++i) {
    const auto& p = objective.parameters()[static_cast<std::size_t>(i)];
    if (p.kind != Kind::kDiscrepancy && std::sqrt(laplace.cov(i, i)) > 0.8 * p.sd)
      names += (names.empty() ? "" : ", ") + p.name;
  }
  if (!names.empty())
    notes.push_back("the data say little about " + names + ": " +
                    (names.find(',') == std::string::npos ? "this estimate is" : "these estimates are") +
                    " mostly the prior");
}

void add_mean(const FitObjective& objective, const FitObjective::Value& at, const Mean& mean, Hyperparameters& out) {
  const Matrix jacobian = objective.data().mean_jacobian();
  if (jacobian.cols() == 0) return;
  const Vector values = mean.parameters();
  const Vector sd = (jacobian * at.beta_cov * jacobian.transpose()).diagonal().cwiseSqrt();
  for (Index i = 0; i < values.size(); ++i)
    out.mean.emplace_back(values[i], values[i] - kSds95 * sd[i], values[i] + kSds95 * sd[i]);
}

}  // namespace

Hyperparameters numbers_at(const FitObjective& objective, const std::string& family, const Vector& theta,
                           const Vector& beta) {
  Hyperparameters out;
  out.observations = objective.data().size();
  out.family = family;
  for (Index i = 0; i < objective.size(); ++i)
    add(objective.parameters()[static_cast<std::size_t>(i)], std::exp(theta[i]), out);
  if (!family.empty()) take_values(*objective.kernel(theta), out);
  const Vector mean = objective.data().mean(beta)->parameters();
  if (objective.data().mean_parameters() > 0) out.mean.assign(mean.begin(), mean.end());
  return out;
}

Fit report_fit(FitRun run) {
  const FitObjective& objective = run.objective();
  const int before = objective.evaluations();
  Vector theta = run.laplace.mode.theta;
  Hyperparameters& found = run.found;
  for (Index i = 0; i < objective.size(); ++i)
    add(objective.parameters()[static_cast<std::size_t>(i)], of_theta(run.laplace, i), found);
  const Index tau = objective.position(Kind::kDiscrepancy);
  const double s2 = std::pow(run.data->output_sd(), 2);
  const Matrix averages = objective.sample().under(*objective.kernel(theta), false).covariance;
  if (tau >= 0 && may_be_none(objective, averages, run.laplace.mode, tau)) {
    const bool none = std::exp(theta[tau]) < kVanished * kVanished * s2;
    found.discrepancy_var = {none ? 0.0 : std::exp(theta[tau]), 0.0,
                             largest_discrepancy(objective, averages, run.laplace.mode, tau)};
    if (none) theta[tau] = std::log(kNegligible * s2);
  }
  const auto at = objective.evaluate_with(averages, theta);
  const Prior prior = objective.prior(theta, at.beta);
  if (!found.family.empty()) take_values(*objective.kernel(theta), found);
  add_mean(objective, at, *prior.mean, found);
  found.log_evidence = at.log_evidence;
  say_if_at_edge(objective, theta, found.notes);
  say_what_is_prior(objective, run.laplace, found.notes);
  std::vector<std::pair<std::string, double>> families;
  for (const FamilyRun& each : run.families) families.emplace_back(each.name, each.mode.log_posterior);
  return {std::move(found), run.data->fitted(prior, objective.noise_var(theta)), std::move(families),
          run.evaluations + objective.evaluations() - before};
}

Fit unfitted(const Posterior& data) { return {{.notes = {"no observations: nothing was fitted"}}, data, {}, 0}; }

Fit fit(const Posterior& data, const FitOptions& options, std::uint64_t seed) {
  check_options(options);
  if (data.size() == 0) return unfitted(data);
  return report_fit(run_fit(data, options, seed));
}

Fit fit_from(const Hyperparameters& last, const Posterior& data, const FitOptions& options, std::uint64_t seed) {
  check_options(options);
  if (data.size() == 0) return unfitted(data);
  return report_fit(run_fit(data, options, seed, &last));
}

FittedParameter Fit::parameter(const std::string& name) const {
  std::string names;
  for (const FittedParameter& p : parameters()) {
    if (p.name == name) return p;
    names += (names.empty() ? "" : ", ") + p.name;
  }
  refuse("name", "is " + name, names.empty() ? "nothing: nothing was fitted" : "one of " + names);
}

}  // namespace iqbo
