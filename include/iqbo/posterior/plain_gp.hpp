// A plain Gaussian process on (a, z): the baseline that ignores which inputs a query touches.
//
//   g ~ GP(mean, l),   z_i = g(a_i) + eps_i
//
// It predicts at queries only: it has no f.
#pragma once

#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

class PlainGp final : public QueryBelief {
 public:
  explicit PlainGp(const Kernel& l, double mean = 0.0);

  [[nodiscard]] PlainGp condition(const Queries& a, const Vector& z, const NoiseVar& noise_var) const;

  Marginals g(const Queries& a) const override;
  Matrix g_cov(const Queries& a, const Queries& b) const override;
  using QueryBelief::g_cov;

  Gradients gradients() const override { return Gradients::kAnalytic; }
  Rows g_pull_back(const Queries& a, const Marginals& weight) const override;

  double log_evidence() const { return gp_.log_evidence(); }
  EvidenceGradient log_evidence_gradient() const { return gp_.log_evidence_gradient(); }
  double information_gain() const { return gp_.information_gain(); }

  // The same observations under another kernel and mean.
  [[nodiscard]] PlainGp with_prior(const Kernel& l, double mean) const {
    return PlainGp(gp_.with_prior(l, ConstantMean(mean)));
  }

  const Kernel& kernel() const { return gp_.kernel(); }
  Index size() const { return gp_.size(); }
  Queries queries() const { return Queries(gp_.inputs().coordinates()); }  // where g was observed, in order of arrival
  const Vector& z() const { return gp_.z(); }
  const Vector& noise_var() const { return gp_.noise_var(); }
  double jitter() const { return gp_.jitter(); }

 private:
  explicit PlainGp(const Posterior& gp) : gp_(gp) {}

  Posterior gp_;  // a process on A, observed directly: its "inputs" are our queries
};

}  // namespace iqbo
