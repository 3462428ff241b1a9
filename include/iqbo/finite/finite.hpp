// The posterior on a finite X and a finite A, kept up to date: what a search over listed candidates needs after every
// observation, without starting again.
//
//   FiniteBelief belief(posterior, x, a);      // all that `posterior` says about f(x_i) and g(a_j)
//   belief.observe(j, z, noise_var);           // z was seen at a[j]
//   belief.add(more);                          // a() goes on with these: a tree that is opened up
//   belief.g().mean, belief.f().var            // current
//   belief.draw(16, rng).f                     // n x 16: joint paths
//
// Two engines answer; both give what Posterior gives, to 1e-8 of the amplitude for noise sd >= 1e-3 of it.
//
// Low rank. One pivoted Cholesky of the prior: f(x) = m + F th, g(a) = nu + G th, th ~ N(0, I_r), so that everything after
// is Bayesian linear regression in r numbers: th ~ N(mu, T T'), and an observation with row g changes T by a rank-one
// update (Potter's square root, [Potter63]):
//
//   v = T' g,   s = v'v + noise_var,   u = T v / sqrt(s),   mu += u (z - nu - g'mu) / sqrt(s),   T -= (T v) v' / (s + sqrt(s noise_var))
//
//   O(r^2 + (n + p) r) per observation, however many there were (many at the beginning are taken at once, by a QR); O((n + p) r) memory; a path is mu + T eps.
//   A discrepancy e on A is r_e further numbers that only G has. F is truncated where less than
//   max(1e-14, min(1e-9, 1e-9 noise_var / k)) k of any variance is left (k the largest prior variance of f), divided by
//   max (sum |w|)^2 where p(x|a) is a list of weights w.
//
// Data space. Kept rows of L^-1 Cov(observations, f(x)) and L^-1 Cov(observations, g(a)): exact, any kernel (rough ones,
//   nuggets), any noise. O(t (n + p)) per observation and memory. Paths are prior paths conditioned by Matheron's rule;
//   the prior paths come from circulant embedding where a stationary kernel meets a lattice, else from a factor of the
//   prior (at most kMostFactored points), else from random features, which are an approximation: description() tells.
//
// Queries added later get their features by a triangular solve with the pivots, O(r^2 + t) each whatever is listed already;
// what the features do not span becomes a pivot of its own, taken for independent of what all others leave: at most the
// tolerance, so that answers are right to 1e-7 of the amplitude then. In data space they get their rows of L^-1 Cov.
//
// Whichever it is, an observation is a rank-one change, f(x) and g(a) move along one direction: means, variances and,
// once asked for, the n x p cross covariance follow in one pass each.
//
// A value: copies are independent (fantasies) and share what does not change. Not for concurrent observe(); const calls
// may run at the same time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

class FiniteEngine;
struct FiniteObservation;
struct FiniteTargets;

enum class EngineKind {
  kAuto,     // low rank if r is at most a third of n + p and 1,000, and no noise sd is below 1e-3 of the amplitude
  kLowRank,  // whatever the rank. A query or input not listed is then taken for its projection on the r numbers, what
             // is left of its variance for noise
  kDataSpace
};

struct FiniteOptions {
  EngineKind engine = EngineKind::kAuto;

  // The least noise variance to be expected; smaller promises need more features. Not given: the least in the posterior,
  // or 1e-6 of the amplitude if it has no observations. With kAuto a smaller one, when it is observed, is answered by
  // changing to data space, and so is an unlisted query that the features do not span.
  std::optional<double> noise_var = {};

  // How many queries there may be in the end, if some will be added: features that would not pay for those listed now
  // may pay then.
  Index queries = 0;
};

class FiniteBelief {
 public:
  static constexpr Index kMostFactored = 6000;  // points whose prior is factored for exact paths

  FiniteBelief(const Posterior& posterior, Inputs x, Queries a, const FiniteOptions& options = {});
  FiniteBelief(const FiniteBelief& other);
  FiniteBelief(FiniteBelief&&) noexcept;
  FiniteBelief& operator=(FiniteBelief other) noexcept;
  ~FiniteBelief();

  // z was seen at a[query]; at any queries; directly, at any inputs. After a throw nothing has changed. What repeats
  // without noise what is known already (to 5e-14 of its variance) changes nothing.
  void observe(Index query, double z, double noise_var);
  void observe(const Queries& a, const Vector& z, const NoiseVar& noise_var);
  void observe(const Inputs& x, const Vector& z, const NoiseVar& noise_var);

  // More queries, at the end of a(): rows stay what they are. After a throw nothing has changed.
  void add(const Queries& a);

  const Marginals& f() const { return f_; }  // on x()
  const Marginals& g() const { return g_; }  // on a()

  // Rows of the posterior covariances: |inputs| x n, |queries| x p, |inputs| x p.
  Matrix f_cov(const std::vector<Index>& inputs) const;
  Matrix g_cov(const std::vector<Index>& queries) const;
  Matrix fg_cov(const std::vector<Index>& inputs) const;

  // All of Cov(f(x_i), g(a_j)), n x p: made when it is first asked for, from then on kept by rank-one updates.
  const Matrix& fg_cov();

  // Joint posterior draws, one a column; g has the discrepancy in it.
  struct Paths {
    Matrix f;  // n x count
    Matrix g;  // p x count
  };
  Paths draw(Index count, Rng& rng) const;

  // The same, kept: drawn when first asked for (or for another count), then moved along with every observation, by
  // Matheron's rule and in one pass over them. Always draws from the current posterior; not independent of the last ones.
  const Paths& paths(Index count, Rng& rng);

  const Inputs& x() const;
  const Queries& a() const;
  Index size() const;  // number of observations t, those of the posterior included

  EngineKind engine() const;        // kLowRank or kDataSpace
  std::string description() const;  // which, and why: "low rank: 312 features for 5000 points"

 private:
  void choose(double noise_var);
  Index most_rank() const;
  void start(std::unique_ptr<FiniteEngine> engine, std::string reason);
  void take(const FiniteObservation& seen);
  void take_all();  // the observations, into an engine that has seen none
  void observe(const std::vector<FiniteObservation>& added);

  std::shared_ptr<const FiniteTargets> targets_;
  EngineKind asked_;
  std::vector<FiniteObservation> observations_;
  std::unique_ptr<FiniteEngine> engine_;
  double least_noise_var_ = 0.0;  // promised
  Index queries_ = 0;
  std::string reason_;
  Marginals f_;
  Marginals g_;
  std::optional<Matrix> fg_cov_;
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace iqbo
