// Draws of a Gaussian vector with mean zero whose covariance is a prior at listed points.
//
//   factor     F eps, K = F F' by pivoted Cholesky: exact to 1e-14 of the largest variance
//   lattice    circulant embedding [Dietrich97]: exact to 1e-8 of the variance, for stationary kernels (a nugget too) on points
//              of a regular lattice, gaps allowed; O(m log m) for m cells of the embedding
//   axes       factors along both axes of the plane, for sums of products over them (a nugget too): exact to 1e-14
//   windows    averages of f over windows, from draws of f on a lattice: local_averages.hpp
//   features   sqrt(variance / m) sum_r (eps_r cos(w_r . x) + eps'_r sin(w_r . x)), m = kFeatures frequencies from the
//              spectral density [Rahimi07]: covariances are off by at most variance / sqrt(2 m) (one sd)
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

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

// Made when it is first needed.
class LazySampler {
 public:
  explicit LazySampler(std::function<std::unique_ptr<const PriorSampler>()> make) : make_(std::move(make)) {}
  const PriorSampler& get() const {
    std::call_once(made_, [this] { sampler_ = make_(); });
    return *sampler_;
  }

 private:
  std::function<std::unique_ptr<const PriorSampler>()> make_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<const PriorSampler> sampler_;
};

// Uses the lattice where there is one, else factors along axes where points share coordinates, else the factor up to
// FiniteBelief::kMostFactored points, else features where the kernel has them, else the factor after all.
std::unique_ptr<const PriorSampler> prior_sampler(JointPrior prior);

// Which of the distinct points each one is, so that a nugget is the same wherever a point is listed.
std::vector<Index> distinct(const Rows& x);

// f on x, which is on a lattice, by `of_f`; averages of f over windows from values of f there (local_averages.hpp).
std::unique_ptr<const PriorSampler> window_sampler(std::shared_ptr<const LazySampler> of_f,
                                                   const FiniteTargets& targets, const Functionals& averaged);

// The factor is computed at the first draw; if of low rank, with pivots from the first `preferred` rows where possible.
std::unique_ptr<const PriorSampler> factor_sampler(std::unique_ptr<const internal::CovarianceSource> k,
                                                   Index preferred = 0);

// Null if the points are not on a lattice, or the kernel is not stationary, or its embedding is not positive.
std::unique_ptr<const PriorSampler> lattice_sampler(const Kernel& kernel, const Inputs& x);

// Null if X is not a plane, if too few points share a coordinate, or if the kernel is no sum of products over axes.
std::unique_ptr<const PriorSampler> axis_sampler(const Kernel& kernel, const Inputs& x);

// Null if the kernel is not a sum of stationary ones.
std::unique_ptr<const PriorSampler> feature_sampler(const JointPrior& prior);

}  // namespace iqbo
