// Prior covariances of the targets of a finite belief, and joint prior paths of them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "sampler.hpp"

namespace iqbo {

// Columns of the prior covariance. Stores the laws of all listed queries: as sparse weights W over listed points,
// Cov(g(a), .) = W Cov(f(support), .) + discrepancy, or as they are.
class FinitePrior {
 public:
  explicit FinitePrior(std::shared_ptr<const FiniteTargets> targets);

  const FiniteTargets& targets() const { return *targets_; }
  const SparseRows* weight() const { return targets_->support() == nullptr ? nullptr : &weight_; }

  Vector f_var() const { return targets_->prior.variance(looks(targets_->x)); }
  Vector g_var() const { return targets_->prior.variance(averaged_); }
  std::pair<Vector, Vector> covariances(const Functionals& one) const;  // with f on x, with g on a
  Matrix f_cov(const Functionals& others) const;                        // n x |others|
  Matrix g_cov(const Functionals& others) const;                        // p x |others|
  Functionals look_at(const std::vector<Index>& inputs) const;
  Functionals ask(const std::vector<Index>& queries) const;

 private:
  Matrix averaged(const Matrix& on_support, const Functionals& others) const;

  std::shared_ptr<const FiniteTargets> targets_;
  Functionals averaged_;  // of all listed queries
  SparseRows weight_;     // p x support
};

// Joint draws, with mean zero, of f on x, g on a and unlisted observations. The discrepancy is drawn separately.
class PriorPaths {
 public:
  PriorPaths(std::shared_ptr<const FinitePrior> prior, const std::vector<FiniteObservation>& unlisted);

  struct Draw {
    Matrix f;
    Matrix g;
    Matrix unlisted;  // in the order given
  };
  Draw draw(Index count, Rng& rng) const;
  std::string description() const { return sampler_->description(); }

 private:
  std::shared_ptr<const FinitePrior> prior_;
  std::vector<bool> unlisted_averaged_;
  Index unlisted_looks_ = 0;
  Queries all_a_;               // listed, then unlisted
  SparseRows unlisted_weight_;  // of unlisted queries, over the support
  std::unique_ptr<const PriorSampler> sampler_;
  std::unique_ptr<const PriorSampler> discrepancy_;
};

}  // namespace iqbo
