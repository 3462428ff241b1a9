// The posterior on a finite X and a finite A, kept up to date: what a search over listed candidates needs after every
// observation, without starting again.
//
//   FiniteBelief belief(posterior, x, a);      // all that `posterior` says about f(x_i) and g(a_j)
//   belief.observe(j, z, noise_var);           // z is the answer at a[j]
//   belief.add(more);                          // appends queries to a(), as when a tree is opened up
//   belief.g().mean, belief.f().var            // current
//   belief.draw(16, rng).f                     // n x 16: joint paths
//
// There are two engines; both give what Posterior gives, to 1e-8 of the amplitude for noise sd >= 1e-3 of it. With less
// noise, 0 included, both assume the least noise that Posterior assumes (posterior/posterior.hpp), and agree with it to a
// few percent of the sds they state.
//
// Low rank. One pivoted Cholesky of the prior: f(x) = m + F th, g(a) = nu + G th, th ~ N(0, I_r), so that everything
// after is Bayesian linear regression in r numbers: th ~ N(mu, T T'), and an observation with row g changes T by a
// rank-one update (Potter's square root, [Potter63]):
//
//   v = T' g,   s = v'v + noise_var,   u = T v / sqrt(s),   mu += u (z - nu - g'mu) / sqrt(s),   T -= (T v) v' / (s + sqrt(s noise_var))
//
//   O(r^2 + (n + p) r) per observation, however many there were (a large first batch is taken at once, by a QR); O((n +
//   p) r) memory; a path is mu + T eps. A discrepancy e on A is r_e further numbers that only G has. F is truncated
//   where less than max(1e-14, min(1e-9, 1e-9 noise_var / k)) k of any variance is left (k the largest prior variance
//   of f), divided by max (sum |w|)^2 where p(x|a) is a list of weights w.
//
// Data space. It keeps L^-1 Cov(observations, f(x)) and L^-1 Cov(observations, g(a)): exact, any kernel (rough ones,
//   nuggets). O(t (n + p)) per observation and memory. Where p(x|a) lists the points x of a lattice, whole or with holes,
//   and the kernel is stationary, covariances are sums by lag: O(n) for each rectangle of a bag, O(n log n) for any bag. Paths
//   are prior paths conditioned by Matheron's rule;
//   the prior paths come from circulant embedding for a stationary kernel on a lattice, else from a factor of the
//   prior (at most kMostFactored points), else from random features, which are an approximation: description() says so.
//
// Queries added later get features by a triangular solve with the pivots, O(r^2 + t) each, however many are listed.
// What the features do not span (at most the tolerance) becomes a pivot of its own, assumed independent of what all
// others leave; results are then right to 1e-7 of the amplitude. In data space the queries get rows of L^-1 Cov.
//
// In both engines an observation is a rank-one change: f(x) and g(a) move along one direction, so that means, variances
// and, once asked for, the n x p cross covariance are updated in one pass each.
//
// A FiniteBelief is a value: copies are independent (fantasies) and share what does not change. Only const calls may
// run concurrently.
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
struct FiniteStep;
struct FiniteTargets;
class SharedLaws;

enum class EngineKind {
  kAuto,  // low rank if r is at most a third of n + p and 1,000, no noise sd is below 1e-3 of the amplitude, and x is not
          // a lattice of many points with few observations of bags of x or of windows
  kLowRank,  // whatever the rank. An unlisted query or input is replaced by its projection on the r numbers, and the
             // rest of its variance counts as noise
  kDataSpace
};

struct FiniteOptions {
  EngineKind engine = EngineKind::kAuto;

  // The least noise variance to be expected; the smaller it is, the more features are needed. If not given: the least
  // in the posterior, or 1e-6 of the amplitude if it has no observations. With kAuto, an observation with less noise,
  // or of an unlisted query that the features do not span, makes the belief change to data space.
  std::optional<double> noise_var = {};

  // How many observations are expected, if more than the posterior has. On a lattice of many points, where columns of the prior
  // and paths cost little, features pay off from kManyObservations on.
  Index observations = 0;
  static constexpr Index kManyObservations = 128;

  // How many queries there may be in the end, if some will be added: features that would not pay for those listed now
  // may pay off then.
  Index queries = 0;

  // The laws of queries that beliefs with the same p(x|a) have in common, as the members of an ensemble do. Null: each
  // belief computes its own.
  std::shared_ptr<SharedLaws> laws = {};
};

// Laws as they were computed first, for whoever needs them next.
std::shared_ptr<SharedLaws> shared_laws();

class FiniteBelief {
 public:
  static constexpr Index kMostFactored = 6000;  // points whose prior is factored for exact paths

  FiniteBelief(const Posterior& posterior, Inputs x, Queries a, const FiniteOptions& options = {});
  FiniteBelief(const FiniteBelief& other);
  FiniteBelief(FiniteBelief&&) noexcept;
  FiniteBelief& operator=(FiniteBelief other) noexcept;
  ~FiniteBelief();

  // Adds z observed at a[query]; at any queries; or as values of f at any inputs. After a throw nothing has changed.
  // Throws Contradiction if z contradicts what was observed before, all of it with (nearly) no noise.
  void observe(Index query, double z, double noise_var);
  void observe(const Queries& a, const Vector& z, const NoiseVar& noise_var);
  void observe(const Inputs& x, const Vector& z, const NoiseVar& noise_var);

  // Appends queries to a(); existing rows keep their positions. After a throw nothing has changed.
  void add(const Queries& a);

  const Marginals& f() const { return f_; }  // on x()
  const Marginals& g() const { return g_; }  // on a()

  // Rows of the posterior covariances: |inputs| x n, |queries| x p, |inputs| x p.
  Matrix f_cov(const std::vector<Index>& inputs) const;
  Matrix g_cov(const std::vector<Index>& queries) const;
  Matrix fg_cov(const std::vector<Index>& inputs) const;
  Matrix g_cov_among(const std::vector<Index>& queries) const;  // |queries| x |queries|

  // Current marginals of queries that need not be listed, where they follow from what is kept about f on x(): in data space,
  // if p(x|a) lists x(). Empty elsewhere.
  std::optional<Marginals> g(const Queries& a) const;

  // The prior variance of f(x) - f(x + step); observations only take from it.
  double prior_apart(const Vector& step) const;

  // All of Cov(f(x_i), g(a_j)), n x p: computed at the first call, from then on kept current by rank-one updates.
  const Matrix& fg_cov();

  // Joint posterior draws, one per column; g includes the discrepancy.
  struct Paths {
    Matrix f;  // n x count
    Matrix g;  // p x count
  };
  Paths draw(Index count, Rng& rng) const;

  // The probability that f is largest at x()[row], by joint draws until the standard error is at most `error`. Draws are
  // made at likely rivals first and continued to all inputs only where `row` is ahead; at most `most` are continued, so
  // that the standard error may be larger than wanted. Inputs that are unlikely to win, all of them together with a
  // probability of at most 1e-3, are left out; the result is too large by at most that. `widening`, if given: at each input,
  // f is so many times as far from `about` as the belief says.
  struct WinProbability {
    double value;
    double error;  // standard error, as reached
    Index draws;
  };
  struct Widening {
    Vector about, factor;  // at each input; empty: f as it is
  };
  WinProbability win_probability(Index row, double error, Index most, Rng& rng, const Widening& widening = {}) const;

  const Inputs& x() const;
  const Queries& a() const;
  Index size() const;  // number of observations t, those of the posterior included

  EngineKind engine() const;  // kLowRank or kDataSpace
  // Which, and why: "low rank: 312 features for 5000 points"; with paths, also how these are drawn, which has to be found
  // out first.
  std::string description(bool paths = true) const;

 private:
  friend class FiniteEnsemble;  // keeps one covariance for all of its members, along their steps

  void choose(double noise_var);
  Index most_rank() const;
  bool is_few_on_lattice() const;
  void start(std::unique_ptr<FiniteEngine> engine, std::string reason);
  void take(const FiniteObservation& seen);
  void follow(const FiniteStep& step);
  void take_all();                // all observations, into an engine that has none yet
  bool extend(const Queries& a);  // add(); false: the engine started again
  void observe(const std::vector<FiniteObservation>& added);
  template <class Change>
  void all_or_nothing(const Change& change);

  std::shared_ptr<const FiniteTargets> targets_;
  EngineKind asked_;
  std::vector<FiniteObservation> observations_;
  std::unique_ptr<FiniteEngine> engine_;
  double least_noise_var_ = 0.0;  // promised
  Index queries_ = 0;
  Index expected_ = 0;  // observations
  std::string reason_;
  Marginals f_;
  Marginals g_;
  std::optional<Matrix> fg_cov_;
  std::shared_ptr<const FiniteStep> last_step_;  // of the last observation; null if the engine started again with it
};

}  // namespace iqbo
