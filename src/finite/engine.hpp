// The interface between FiniteBelief and its two engines.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/finite/finite.hpp"
#include "posterior/least_noise.hpp"
#include "race.hpp"
#include "targets.hpp"

namespace iqbo {

struct FiniteObservation {
  bool averaged;  // an answer to a query; else a value of f at an input
  Index row;      // in a or in x; -1 if it is not listed
  std::optional<Functionals> unlisted;
  double prior_mean;
  double z;
  double noise_var;
  bool agrees = false;  // with an earlier one at the same place, so that it contradicts none

  bool listed() const { return row >= 0; }
};

// The rank-one change that an observation makes: mean += step * surprise, cov -= step step', the step being
// Cov(target, z) / sd(z). If z had no variance and was as expected, or contradicts earlier observations, nothing
// changes, and the steps are empty.
struct FiniteStep {
  Vector f;
  Vector g;
  double surprise = 0.0;   // (z - its mean) / sd
  double sd = 0.0;         // of z
  double noise_var = 0.0;  // as assumed
  bool contradicts = false;

  bool any() const { return sd > 0.0; }
};

class FiniteEngine {
 public:
  using Step = FiniteStep;

  virtual ~FiniteEngine() = default;
  virtual std::unique_ptr<FiniteEngine> clone() const = 0;
  virtual EngineKind kind() const = 0;
  virtual std::string description(bool paths) const = 0;

  // Prior variances, on x and on a.
  virtual Vector f_var() const = 0;
  virtual Vector g_var() const = 0;

  // Whether observe() would be as exact as promised.
  virtual bool spans(const FiniteObservation& seen) const = 0;

  virtual Step observe(const FiniteObservation& seen) = 0;

  // Takes all observations at once, in an engine that has none yet, where that is faster than one by one; f_now() and
  // g_from(0) are current afterwards. Otherwise returns false and changes nothing.
  virtual bool absorb(const std::vector<FiniteObservation>& /*seen*/) { return false; }
  virtual Marginals f_now() const { return {}; }  // after absorb()

  virtual Index rank() const { return 0; }  // features, if it has any

  // Extends the belief to more queries: `targets` repeats those known so far, in their order, and appends others.
  // Returns false, and changes nothing, where that would not be as exact as promised.
  virtual bool extend(const std::shared_ptr<const FiniteTargets>& targets) = 0;

  // Current marginals of the queries from row `begin` on, and Cov(f(x), g) with them, n x count.
  virtual Marginals g_from(Index begin) const = 0;
  virtual Matrix fg_cov_from(Index begin) const = 0;

  // Marginals of queries from row `begin` of `targets` on, which are not among its own; empty where extend() is needed.
  virtual std::optional<Marginals> g_of(const std::shared_ptr<const FiniteTargets>& /*targets*/,
                                        Index /*begin*/) const {
    return std::nullopt;
  }

  virtual Matrix f_cov(const std::vector<Index>& inputs) const = 0;
  virtual Matrix g_cov(const std::vector<Index>& queries) const = 0;

  // Cov(f(x), f(inputs)) weight, n x columns of `weight`.
  virtual Matrix f_cov_times(const std::vector<Index>& inputs, const Matrix& weight) const {
    return f_cov(inputs).transpose() * weight;
  }
  virtual Matrix fg_cov(const std::vector<Index>& inputs) const = 0;
  virtual FiniteBelief::Paths draw(Index count, Rng& rng) const = 0;

  // Covariances among a few queries or inputs, and joint draws of f at them. The draws refer to the engine; mean: of f, current.
  virtual Matrix g_cov_among(const std::vector<Index>& queries) const { return g_cov(queries)(Eigen::all, queries); }
  virtual Matrix f_cov_among(const std::vector<Index>& inputs) const { return f_cov(inputs)(Eigen::all, inputs); }
  virtual std::unique_ptr<PartialPaths> partial_paths(const Vector& mean, const std::vector<Index>& inputs) const {
    return conditioned_paths(*this, mean, inputs);
  }

 protected:
  static double assumed(const FiniteTargets& targets, const FiniteObservation& seen, double var) {
    return LeastNoise::of(targets.least_share, var, seen.z, seen.noise_var);
  }
  static bool contradicts(const FiniteObservation& seen, double surprise, double var, double noise_var) {
    return !seen.agrees && Determined::contradicts(surprise, var, noise_var, seen.noise_var);
  }
  static Step contradiction(double surprise, double sd, double noise_var) {
    return {{}, {}, surprise, sd, noise_var, true};
  }

  FiniteEngine() = default;
  FiniteEngine(const FiniteEngine&) = default;
  FiniteEngine(FiniteEngine&&) = default;
  FiniteEngine& operator=(const FiniteEngine&) = default;
  FiniteEngine& operator=(FiniteEngine&&) = default;
};

// noise_var: the least that observe() may be given. Null if more than most_rank features are needed.
std::unique_ptr<FiniteEngine> low_rank_engine(std::shared_ptr<const FiniteTargets> targets, double noise_var,
                                              Index most_rank);
std::unique_ptr<FiniteEngine> data_space_engine(std::shared_ptr<const FiniteTargets> targets);

// sum_s weights_s Cov(f(inputs), g) + left right' of several data spaces on one lattice with the same laws, in one pass;
// empty where they are not of that kind.
std::optional<Matrix> mixed_fg_cov(const std::vector<const FiniteEngine*>& engines, const Vector& weights,
                                   const std::vector<Index>& inputs, const Matrix& left, const Matrix& right);

// Calls work(rows) for successive rows of n, so that of a large matrix little more than the result is in memory.
template <class Work>
void by_blocks(Index n, const Work& work) {
  constexpr Index kRowsAtOnce = 1024;
  for (Index begin = 0; begin < n; begin += kRowsAtOnce) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(kRowsAtOnce, n - begin)));
    std::iota(rows.begin(), rows.end(), begin);
    work(rows);
  }
}

// Independent N(0, 1) numbers, one path per column.
Matrix normals(Index rows, Index count, Rng& rng);

}  // namespace iqbo
