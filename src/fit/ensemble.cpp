#include "iqbo/fit/ensemble.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "draws.hpp"

namespace iqbo {
namespace {

// Mixes marginals_of(member) over all members.
template <class MarginalsOf>
Mixture mixed(const std::vector<Posterior>& members, const Vector& weights, MarginalsOf marginals_of) {
  std::vector<Marginals> each;
  each.reserve(members.size());
  for (const Posterior& member : members) each.push_back(marginals_of(member));
  return mixture_of(each, weights);
}

// The same for covariances between two batches; left, right: how the means of the members deviate on them.
template <class CovOf>
Matrix mixed_cov(const std::vector<Posterior>& members, const Vector& weights, CovOf cov_of, const Matrix& left,
                 const Matrix& right) {
  Matrix out = left * weights.asDiagonal() * right.transpose();
  for (Index s = 0; s < weights.size(); ++s) out += weights[s] * cov_of(members[static_cast<std::size_t>(s)]);
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
  if (members_.size() == 1) return members_.front().f(x);
  return mixed(members_, weights_, [&](const Posterior& member) { return member.f(x); }).all;
}

Marginals Ensemble::g(const Queries& a) const {
  if (members_.size() == 1) return members_.front().g(a);
  return mixed(members_, weights_, [&](const Posterior& member) { return member.g(a); }).all;
}

Matrix Ensemble::f_cov(const Inputs& x, const Inputs& y) const {
  return mixed_cov(
      members_, weights_, [&](const Posterior& member) { return member.f_cov(x, y); }, f_deviations(x),
      f_deviations(y));
}

Matrix Ensemble::g_cov(const Queries& a, const Queries& b) const {
  return mixed_cov(
      members_, weights_, [&](const Posterior& member) { return member.g_cov(a, b); }, g_deviations(a),
      g_deviations(b));
}

Matrix Ensemble::fg_cov(const Inputs& x, const Queries& a) const {
  return mixed_cov(
      members_, weights_, [&](const Posterior& member) { return member.fg_cov(x, a); }, f_deviations(x),
      g_deviations(a));
}

Ensemble::References Ensemble::references(const Inputs& x) const {
  References out;
  std::vector<Marginals> means;
  for (const Posterior& member : members_) {
    out.members.push_back(member.references(x));
    means.push_back({out.members.back().mean, Vector::Zero(x.size())});
  }
  out.deviations = mixture_of(means, weights_).off;
  return out;
}

Posterior::Outlook Ensemble::outlook(const References& x, const Queries& a) const {
  if (members_.size() == 1) return members_.front().outlook(x.members.front(), a);
  std::vector<Marginals> each;
  Matrix cov = Matrix::Zero(x.deviations.rows(), a.size());
  for (Index s = 0; s < weights_.size(); ++s) {
    const auto at = static_cast<std::size_t>(s);
    Posterior::Outlook one = members_[at].outlook(x.members[at], a);
    each.push_back(std::move(one.g));
    cov += weights_[s] * one.fg_cov;
  }
  Mixture g = mixture_of(each, weights_);
  cov += x.deviations * weights_.asDiagonal() * g.off.transpose();
  return {std::move(g.all), std::move(cov)};
}

Marginals Ensemble::each(const Queries& one) const {
  require_rows(one.size(), 1, "one");
  Marginals out{Vector(weights_.size()), Vector(weights_.size())};
  for (Index s = 0; s < weights_.size(); ++s) {
    const Marginals g = members_[static_cast<std::size_t>(s)].g(one);
    out.mean[s] = g.mean[0];
    out.var[s] = g.var[0];
  }
  return out;
}

Ensemble Ensemble::expecting(const Queries& one, const Vector& noise_var) const {
  require_rows(noise_var.size(), weights_.size(), "noise_var");
  const Vector z = agreed_answer(each(one), noise_var, weights_);
  std::vector<Posterior> members;
  for (std::size_t s = 0; s < members_.size(); ++s) {
    const auto at = static_cast<Index>(s);
    members.push_back(members_[s].condition(one, z.segment(at, 1), noise_var[at]));
  }
  return {std::move(members), weights_};
}

Gradients Ensemble::gradients() const {
  Gradients worst = Gradients::kAnalytic;
  for (const auto& member : members_) worst = std::min(worst, member.gradients());
  return worst;
}

Matrix Ensemble::g_deviations(const Queries& a) const {
  return mixed(members_, weights_, [&](const Posterior& member) { return member.g(a); }).off;
}

Matrix Ensemble::f_deviations(const Inputs& x) const {
  return mixed(members_, weights_, [&](const Posterior& member) { return member.f(x); }).off;
}

Rows Ensemble::g_pull_back(const Queries& a, const Marginals& weight) const {
  return mixed_pull_back(weights_, g_deviations(a), weight, [&](Index s, const Marginals& own) {
    return members_[static_cast<std::size_t>(s)].g_pull_back(a, own);
  });
}

Rows Ensemble::g_pull_back(const Queries& a, const Marginals& weight, const Inputs& x, const Matrix& fg_weight) const {
  return g_pull_back(a, weight, references(x), fg_weight);
}

Rows Ensemble::g_pull_back(const Queries& a, const Marginals& weight, const References& x,
                           const Matrix& fg_weight) const {
  require_rows(fg_weight.rows(), x.deviations.rows(), "fg_weight");
  require_columns(fg_weight.cols(), a.size(), "fg_weight");
  return mixed_pull_back(weights_, g_deviations(a), weight, [&](Index s, Marginals own) {
    const auto at = static_cast<std::size_t>(s);
    own.mean += weights_[s] * (fg_weight.transpose() * x.deviations.col(s));
    return members_[at].g_pull_back(a, own, x.members[at], weights_[s] * fg_weight);
  });
}

Rows Ensemble::f_pull_back(const Inputs& x, const Marginals& weight) const {
  return mixed_pull_back(weights_, f_deviations(x), weight, [&](Index s, const Marginals& own) {
    return members_[static_cast<std::size_t>(s)].f_pull_back(x, own);
  });
}

EnsembleFit fit_ensemble(const Posterior& data, const FitOptions& options, std::uint64_t seed, int members) {
  check_options(options);
  if (members < 1) refuse("members", "is " + std::to_string(members), "at least 1");
  if (data.size() == 0) return {unfitted(data), Ensemble({data}, Vector::Ones(1))};
  const FitRun run = run_fit(data, options, seed);
  const FitDraws drawn = draw(run, members, seed);
  Fit fitted = report_fit(run);
  fitted.evaluations += drawn.evaluations;
  std::vector<Posterior> posteriors;
  Vector weights(static_cast<Index>(drawn.members.size()));
  for (const FitDraw& each : drawn.members) {
    const FamilyRun& family = run.families[each.family];
    const FitObjective& objective = *family.objective;
    weights[static_cast<Index>(posteriors.size())] = each.weight;
    posteriors.push_back(run.data->fitted(objective.prior(each.theta, each.beta), objective.noise_var(each.theta)));
    fitted.members.push_back(
        numbers_at(objective, options.families.empty() ? fitted.family : family.name, each.theta, each.beta));
    fitted.members.back().isotropic = fitted.isotropic;
    fitted.members.back().weight = each.weight;
  }
  return {std::move(fitted), Ensemble(std::move(posteriors), weights)};
}

}  // namespace iqbo
