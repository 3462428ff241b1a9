#include "iqbo/fit/ensemble.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "iqbo/core/rng.hpp"
#include "run.hpp"

namespace iqbo {
namespace {

// Mixes marginals_of(member) over all members.
template <class MarginalsOf>
Marginals mixed(const std::vector<Posterior>& members, const Vector& weights, Index size, MarginalsOf marginals_of) {
  Marginals out{Vector::Zero(size), Vector::Zero(size)};
  Matrix means(size, static_cast<Index>(members.size()));
  for (std::size_t s = 0; s < members.size(); ++s) {
    const auto [mean, var] = marginals_of(members[s]);
    const double w = weights[static_cast<Index>(s)];
    means.col(static_cast<Index>(s)) = mean;
    out.mean += w * mean;
    out.var += w * var;
  }
  means.colwise() -= out.mean;
  out.var += means.array().square().matrix() * weights;
  return out;
}

// The same for covariances between two batches.
template <class CovOf, class LeftOf, class RightOf>
Matrix mixed_cov(const std::vector<Posterior>& members, const Vector& weights, Index rows, Index columns, CovOf cov_of,
                 LeftOf left_of, RightOf right_of) {
  const auto count = static_cast<Index>(members.size());
  Matrix out = Matrix::Zero(rows, columns);
  Matrix left(rows, count);
  Matrix right(columns, count);
  for (Index s = 0; s < count; ++s) {
    const Posterior& member = members[static_cast<std::size_t>(s)];
    out += weights[s] * cov_of(member);
    left.col(s) = left_of(member).mean;
    right.col(s) = right_of(member).mean;
  }
  left.colwise() -= Vector(left * weights);
  right.colwise() -= Vector(right * weights);
  return out + left * weights.asDiagonal() * right.transpose();
}

// Column s: the means of member s minus those of the ensemble.
template <class MarginalsOf>
Matrix deviations(const std::vector<Posterior>& members, const Vector& weights, Index size, MarginalsOf marginals_of) {
  Matrix out(size, static_cast<Index>(members.size()));
  for (std::size_t s = 0; s < members.size(); ++s) out.col(static_cast<Index>(s)) = marginals_of(members[s]).mean;
  out.colwise() -= Vector(out * weights);
  return out;
}

// Sums pull_back_of(s, weight) over members s, with the weights of their means and variances in the ensemble's: d var =
// sum_s w_s (d var_s + 2 (m_s - mean) d m_s). The deviations sum to zero, so that d mean drops out.
template <class PullBackOf>
Rows mixed_pull_back(const Vector& weights, const Matrix& deviations, const Marginals& weight,
                     PullBackOf pull_back_of) {
  require_weights(weight, deviations.rows());
  Rows sum;
  for (Index s = 0; s < weights.size(); ++s) {
    Marginals own{weights[s] * weight.mean, weights[s] * weight.var};
    if (own.mean.size() == 0) own.mean = Vector::Zero(deviations.rows());
    if (own.var.size() > 0) own.mean += 2.0 * own.var.cwiseProduct(deviations.col(s));
    const Rows part = pull_back_of(s, std::move(own));
    if (s == 0)
      sum = part;
    else
      sum += part;
  }
  return sum;
}

// Limits weights to sqrt(members) times their mean, so that a few that the approximation missed do not dominate.
Vector truncated(const Vector& log_weight) {
  const auto count = static_cast<double>(log_weight.size());
  Vector weight = (log_weight.array() - log_weight.maxCoeff()).exp();
  return weight.cwiseMin(std::sqrt(count) * weight.mean());
}

}  // namespace

Ensemble::Ensemble(std::vector<Posterior> members, Vector weights)
    : members_(std::move(members)), weights_(std::move(weights)) {
  require_not_empty(static_cast<Index>(members_.size()), "members");
  require_rows(weights_.size(), static_cast<Index>(members_.size()), "weights");
  require_finite(weights_, "weights");
  require_non_negative(weights_, "weights");
  if (!(weights_.sum() > 0.0)) refuse("weights", "sum to 0", "a positive sum");
  weights_ /= weights_.sum();
}

Marginals Ensemble::f(const Inputs& x) const {
  return mixed(members_, weights_, x.size(), [&](const Posterior& member) { return member.f(x); });
}

Marginals Ensemble::g(const Queries& a) const {
  return mixed(members_, weights_, a.size(), [&](const Posterior& member) { return member.g(a); });
}

Matrix Ensemble::f_cov(const Inputs& x, const Inputs& y) const {
  return mixed_cov(
      members_, weights_, x.size(), y.size(), [&](const Posterior& member) { return member.f_cov(x, y); },
      [&](const Posterior& member) { return member.f(x); }, [&](const Posterior& member) { return member.f(y); });
}

Matrix Ensemble::g_cov(const Queries& a, const Queries& b) const {
  return mixed_cov(
      members_, weights_, a.size(), b.size(), [&](const Posterior& member) { return member.g_cov(a, b); },
      [&](const Posterior& member) { return member.g(a); }, [&](const Posterior& member) { return member.g(b); });
}

Matrix Ensemble::fg_cov(const Inputs& x, const Queries& a) const {
  return mixed_cov(
      members_, weights_, x.size(), a.size(), [&](const Posterior& member) { return member.fg_cov(x, a); },
      [&](const Posterior& member) { return member.f(x); }, [&](const Posterior& member) { return member.g(a); });
}

Gradients Ensemble::gradients() const {
  Gradients worst = Gradients::kAnalytic;
  for (const auto& member : members_) worst = std::min(worst, member.gradients());
  return worst;
}

Matrix Ensemble::g_deviations(const Queries& a) const {
  return deviations(members_, weights_, a.size(), [&](const Posterior& member) { return member.g(a); });
}

Matrix Ensemble::f_deviations(const Inputs& x) const {
  return deviations(members_, weights_, x.size(), [&](const Posterior& member) { return member.f(x); });
}

Rows Ensemble::g_pull_back(const Queries& a, const Marginals& weight) const {
  return mixed_pull_back(weights_, g_deviations(a), weight, [&](Index s, const Marginals& own) {
    return members_[static_cast<std::size_t>(s)].g_pull_back(a, own);
  });
}

Rows Ensemble::g_pull_back(const Queries& a, const Marginals& weight, const Inputs& x, const Matrix& fg_weight) const {
  require_rows(fg_weight.rows(), x.size(), "fg_weight");
  require_columns(fg_weight.cols(), a.size(), "fg_weight");
  const Matrix off = f_deviations(x);
  return mixed_pull_back(weights_, g_deviations(a), weight, [&](Index s, Marginals own) {
    own.mean += weights_[s] * (fg_weight.transpose() * off.col(s));
    return members_[static_cast<std::size_t>(s)].g_pull_back(a, own, x, weights_[s] * fg_weight);
  });
}

Rows Ensemble::f_pull_back(const Inputs& x, const Marginals& weight) const {
  return mixed_pull_back(weights_, f_deviations(x), weight, [&](Index s, const Marginals& own) {
    return members_[static_cast<std::size_t>(s)].f_pull_back(x, own);
  });
}

EnsembleFit fit_ensemble(const Posterior& data, const FitOptions& options, std::uint64_t seed, int members) {
  check_options(options);
  if (members < 2 || members % 2 != 0) refuse("members", "is " + std::to_string(members), "an even number, at least 2");
  if (data.size() == 0) return {unfitted(data), Ensemble({data}, Vector::Ones(1))};
  const FitRun run = run_fit(data, options, seed);
  const FitObjective& objective = *run.objective;
  const Matrix root = run.laplace.cov.llt().matrixL();
  Rng rng(seed, {kEnsembleStream});
  std::vector<Posterior> posteriors;
  std::vector<double> log_weight;
  Vector xi;
  Vector eta;
  for (int s = 0; s < members; ++s) {
    xi = s % 2 == 0 ? rng.normals(objective.size()) : Vector(-xi);
    eta = s % 2 == 0 ? rng.normals(run.data->mean_parameters()) : Vector(-eta);
    const Vector theta = (run.laplace.mode.theta + root * xi).cwiseMax(objective.low()).cwiseMin(objective.high());
    const auto at = objective.evaluate(theta, nullptr);
    if (!std::isfinite(at.log_posterior)) continue;
    const Vector beta = at.beta + at.beta_cov.llt().matrixL() * eta;
    posteriors.push_back(run.data->fitted(objective.prior(theta, beta), objective.noise_var(theta)));
    log_weight.push_back(at.log_posterior + 0.5 * xi.squaredNorm());
  }
  Fit fitted = report_fit(run);
  fitted.evaluations += static_cast<int>(members);
  if (posteriors.empty()) return {fitted, Ensemble({fitted.posterior}, Vector::Ones(1))};
  const Vector weights = truncated(Eigen::Map<const Vector>(log_weight.data(), static_cast<Index>(log_weight.size())));
  return {fitted, Ensemble(std::move(posteriors), weights)};
}

}  // namespace iqbo
