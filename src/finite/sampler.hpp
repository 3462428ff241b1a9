// Draws of a Gaussian vector with mean zero whose covariance is a prior at listed points.
//
//   factor     F eps, K = F F' by pivoted Cholesky: exact to 1e-14 of the largest variance
//   lattice    circulant embedding [Dietrich97]: exact, for stationary kernels (a nugget too) on points of a regular lattice,
//              gaps allowed; O(m log m) for m cells of the embedding
//   features   sqrt(variance / m) sum_r (eps_r cos(w_r . x) + eps'_r sin(w_r . x)), m = kFeatures frequencies from the
//              spectral density [Rahimi07]: covariances are off by at most variance / sqrt(2 m) (one sd)
#pragma once

#include <memory>
#include <string>

#include "iqbo/core/rng.hpp"
#include "targets.hpp"

namespace iqbo {

class PriorSampler {
 public:
  virtual ~PriorSampler() = default;
  virtual Matrix draw(Index count, Rng& rng) const = 0;  // one draw per column
  virtual std::string description() const = 0;

 protected:
  PriorSampler() = default;
  PriorSampler(const PriorSampler&) = default;
  PriorSampler(PriorSampler&&) = default;
  PriorSampler& operator=(const PriorSampler&) = default;
  PriorSampler& operator=(PriorSampler&&) = default;
};

// Uses the lattice where there is one, else the factor up to FiniteBelief::kMostFactored points, else features where
// the kernel has them, else the factor after all.
std::unique_ptr<const PriorSampler> prior_sampler(JointPrior prior);

// The factor is computed at the first draw; if of low rank, with pivots from the first `preferred` rows where possible.
std::unique_ptr<const PriorSampler> factor_sampler(std::unique_ptr<const internal::CovarianceSource> k,
                                                   Index preferred = 0);

// Null if the points are not on a lattice, or the kernel is not stationary, or its embedding is not positive.
std::unique_ptr<const PriorSampler> lattice_sampler(const Kernel& kernel, const Inputs& x);

// Null if the kernel is not a sum of stationary ones.
std::unique_ptr<const PriorSampler> feature_sampler(const JointPrior& prior);

}  // namespace iqbo
