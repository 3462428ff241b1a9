// Several posteriors of the same data under different hyperparameters, mixed: what is not known about the
// hyperparameters becomes part of the variances.
//
//   p(f | z) ~ sum_s w_s p(f | z, theta_s),   mean = sum_s w_s m_s,   cov = sum_s w_s (cov_s + (m_s - mean)(m_s -
//   mean)')
//
// A point estimate of theta treats its own guess as the truth, and with few observations (t <= 20) its intervals are
// too narrow; docs/fitting.md gives the measured coverage of both. An ensemble costs as much as its members together.
#pragma once

#include <cstdint>
#include <vector>

#include "iqbo/fit/fit.hpp"

namespace iqbo {

class Ensemble final : public Belief {
 public:
  // One weight per member, not negative, not all zero; they are normalised.
  Ensemble(std::vector<Posterior> members, Vector weights);

  Marginals f(const Inputs& x) const override;
  Marginals g(const Queries& a) const override;
  Matrix f_cov(const Inputs& x, const Inputs& y) const override;
  Matrix g_cov(const Queries& a, const Queries& b) const override;
  Matrix fg_cov(const Inputs& x, const Queries& a) const override;
  using Belief::f_cov;
  using QueryBelief::g_cov;

  // A query that counts as answered by the mean of the mixture (agreed_answer): variances fall, and with them how much the
  // members disagree. noise_var: of each member.
  Ensemble expecting(const Queries& one, const Vector& noise_var) const;
  Marginals each(const Queries& one) const;  // g at one query, by member

  Gradients gradients() const override;
  Rows g_pull_back(const Queries& a, const Marginals& weight) const override;
  Rows g_pull_back(const Queries& a, const Marginals& weight, const Inputs& x, const Matrix& fg_weight) const override;
  Rows f_pull_back(const Inputs& x, const Marginals& weight) const override;

  // For many queries and the same inputs (Posterior::References).
  struct References {
    std::vector<Posterior::References> members;
    Matrix deviations;  // of the members' means of f
  };
  References references(const Inputs& x) const;
  Posterior::Outlook outlook(const References& x, const Queries& a) const;
  Rows g_pull_back(const Queries& a, const Marginals& weight, const References& x, const Matrix& fg_weight) const;

  const std::vector<Posterior>& members() const { return members_; }
  const Vector& weights() const { return weights_; }  // sum to one
  double effective_members() const { return 1.0 / weights_.squaredNorm(); }

 private:
  // Column s: the mean of member s minus that of the ensemble.
  Matrix g_deviations(const Queries& a) const;
  Matrix f_deviations(const Inputs& x) const;

  std::vector<Posterior> members_;
  Vector weights_;
};

struct EnsembleFit {
  Fit fit;            // the point estimate; the hyperparameters of each member are in fit.members
  Ensemble ensemble;  // at most as many members as wanted: equal ones are one, of more weight
};

// Family and hyperparameters are drawn from their posterior p(family, theta | z): of every family that the data do not
// rule out, points from a Student distribution with the mode and the curvature of the fit, weighted by the posterior over
// that density, with large weights cut (truncated importance sampling, [Ionides08]); then `members` of these points by
// systematic resampling, so that all have about the same weight. The coefficients of the mean are drawn too.
EnsembleFit fit_ensemble(const Posterior& data, const FitOptions& options, std::uint64_t seed, int members = 16);

}  // namespace iqbo
