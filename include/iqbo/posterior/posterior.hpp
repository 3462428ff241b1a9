// The exact posterior of f and of g(a) = E[f(X) | A = a], given answers (averages), values of f, or both.
//
//   f ~ GP(m, k),   z_i = g(a_i) + eps_i  or  z_i = f(x_i) + eps_i,   eps_i ~ N(0, noise_var_i) independent
//
// Any observation is a linear functional of f, so this is ordinary Gaussian conditioning once the conditional model has
// given nu(a), q(a, a') and c(x, a). With S = Cov(observations) + diag(noise_var) = L L':
//
//   nu_t(a) = nu(a) + c_a' S^-1 (z - nu),     q_t(a, a') = q(a, a') - c_a' S^-1 c_a',    c_a = Cov(observations, g(a))
//
// and likewise for f(x). [Chau21], [Zhang26] appendix A (which prints the prior under the learned embedding).
//
// The order of observations matters by rounding only: after 1,000, with repeats, results agree to 1e-9 of the amplitude
// for noise sd >= 1e-3 of it, to 1e-5 at 1e-6 if the data contradict the model by no more than their noise.
//
// Noise 0 is allowed, and so are repeats: a noise sd of less than 1e-5 of the prior sd of the observation (1e-6 if
// no query is a window) counts as that much, and no sd of a prediction is less than that share of its prior sd. So sds
// include the errors of rounding. If observations that are determined by others to that precision still differ from what
// these predict, by six sds, predictions throw Contradiction. docs/theory/averages.md, "Noise 0", has the reasons.
//
// Immutable: condition() returns a new Posterior and leaves this one as it was, also when it throws. Adding n
// observations to t costs O(t^2 n); copies share everything. O((t + n)^2) memory.
//
//   Posterior prior(Rbf(1.0, lengthscale), GaussianConditional(QueryMap::identity(1), 0.05));
//   Posterior post = prior.condition(a, z, 0.01);
//   const auto [mean, var] = post.f(x);
#pragma once

#include <memory>
#include <vector>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"
#include "iqbo/posterior/belief.hpp"
#include "iqbo/posterior/contradiction.hpp"
#include "iqbo/posterior/evidence.hpp"

namespace iqbo {

struct Prior;
class Observations;

// Noise variance of a batch of observations: one number for all, or one for each.
class NoiseVar {
 public:
  NoiseVar(double value);  // NOLINT(google-explicit-constructor)
  template <class Values>
  NoiseVar(const Eigen::MatrixBase<Values>& each)  // NOLINT(google-explicit-constructor)
      : values_(each.reshaped()), columns_(each.cols()), common_(false) {}
  Vector of(Index observations) const;

 private:
  Vector values_;
  Index columns_;
  bool common_;
};

class Posterior final : public Belief {
 public:
  // Copies share everything, so that a moved-from posterior would save nothing: moving copies.
  Posterior(const Posterior&) = default;
  Posterior& operator=(const Posterior&) = default;
  ~Posterior() override = default;

  // No observations yet: the prior. Kernel and conditional must agree on the dimension of X.
  Posterior(const Kernel& kernel, const Conditional& conditional, const Mean& mean = ConstantMean(0.0));

  // Adds answers z at queries a; adds values z of f at inputs x.
  [[nodiscard]] Posterior condition(const Queries& a, const Vector& z, const NoiseVar& noise_var) const;
  [[nodiscard]] Posterior condition(const Inputs& x, const Vector& z, const NoiseVar& noise_var) const;

  // The same observations under other assumptions: about f; about a discrepancy e ~ GP(0, l) on A, independent of f, by
  // which answers depart from the average (g(a) = E[f(X) | a] + e(a), for a p(x|a) that was learned); about the noise.
  [[nodiscard]] Posterior with_prior(const Kernel& kernel, const Mean& mean) const;
  [[nodiscard]] Posterior with_discrepancy(const Kernel& l) const;
  [[nodiscard]] Posterior with_noise_var(const NoiseVar& noise_var) const;
  [[nodiscard]] Posterior with_conditional(const Conditional& conditional) const;

  Marginals f(const Inputs& x) const override;
  Marginals g(const Queries& a) const override;
  Matrix f_cov(const Inputs& x, const Inputs& y) const override;
  Matrix g_cov(const Queries& a, const Queries& b) const override;
  Matrix fg_cov(const Inputs& x, const Queries& a) const override;
  using Belief::f_cov;
  using QueryBelief::g_cov;

  // O(t^2) per point, as the marginals. kAnalytic if the conditional's are and the mean is affine.
  Gradients gradients() const override;
  Rows g_pull_back(const Queries& a, const Marginals& weight) const override;
  Rows g_pull_back(const Queries& a, const Marginals& weight, const Inputs& x, const Matrix& fg_weight) const override;
  Rows f_pull_back(const Inputs& x, const Marginals& weight) const override;

  // Inputs with which many queries are compared, one after another: what does not depend on the queries, computed once.
  struct References {
    Inputs x;
    Vector mean;       // of f
    Matrix seen;       // Cov(observations, f(x)); no rows without observations
    Matrix explained;  // L^-1 of it
    // Where p(x|a) has its weight on some listed points s, kMostSupport at most: prior covariances of f(s) with f(s), f(x) and the
    // observations, side by side. Those of a query are sums of their rows.
    Matrix of_support;
    bool of_density = false;  // DiscreteLaws::of_density of the queries
  };
  static constexpr Index kMostSupport = 2048;
  References references(const Inputs& x) const;

  // g(a) and Cov(f(x), g(a)) together: covariances of g(a) with the observations are computed once.
  struct Outlook {
    Marginals g;
    Matrix fg_cov;
  };
  Outlook outlook(const References& x, const Queries& a) const;
  Rows g_pull_back(const Queries& a, const Marginals& weight, const References& x, const Matrix& fg_weight) const;

  // Predicts each observation from those before it, noise included: z_i | z_1, ..., z_i-1 ~ N(z_i - L_ii e_i, L_ii^2),
  // e = L^-1 (z - nu). They are in the order of arrival, and depend on it.
  Marginals one_step_ahead() const;

  // The first observation that those before it contradict, by its position in z(): predictions throw.
  std::optional<Index> contradicted() const;

  double log_evidence() const;
  EvidenceGradient log_evidence_gradient() const;

  // I(z; f) = 1/2 log det(I + diag(noise_var)^-1 Q) in nats, to about 1e-11 relative for noise sd >= 1e-3 of the
  // amplitude; infinite once an observation has no noise. Jitter, where there is any, counts as noise.
  double information_gain() const;

  // What pathwise conditioning needs, in the order of the observations: z - nu, S^-1 right, prior covariances with them
  // (|x| x t), and the positions of inputs() and queries() among them.
  const Vector& prior_residual() const;
  Matrix solve(const Matrix& right) const;
  Matrix observed_cov(const Inputs& x) const;
  Matrix observed_cov(const Queries& a) const;
  std::vector<Index> input_rows() const;
  std::vector<Index> query_rows() const;

  const Kernel& kernel() const;
  const Kernel* discrepancy() const;  // l; null when g is the average and nothing else
  const Conditional& conditional() const;
  const Mean& mean() const;

  Index size() const;              // number of observations t
  const Inputs& inputs() const;    // where f was observed, in order of arrival
  const Queries& queries() const;  // where g was
  const Vector& z() const;         // all observations in order of arrival
  const Vector& noise_var() const;
  const Vector& assumed_noise_var() const;  // the same, but no less than the least that is assumed
  double jitter() const;                    // added to the diagonal of S because it was singular; 0 if it was not

 private:
  struct State;
  explicit Posterior(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  friend class FiniteBelief;  // continues from the same observations
  friend class FitData;       // fitting tries many priors on the same observations
  Posterior with(Prior prior, const Vector& noise_var) const;
  const Observations& observations() const;

  std::shared_ptr<const State> state_;
};

}  // namespace iqbo
