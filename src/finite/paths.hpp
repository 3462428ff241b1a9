// Prior covariances of the targets of a finite belief, and joint prior paths of them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "average/lattice_kernel.hpp"
#include "engine.hpp"
#include "listed_laws.hpp"
#include "sampler.hpp"

namespace iqbo {

// Rows of x, or of a.
struct Listed {
  bool averaged;
  std::vector<Index> rows;
};

// Columns of the prior covariance. Stores the laws of all listed queries: as sparse weights W over listed points,
// Cov(g(a), .) = W Cov(f(support), .) + discrepancy, or as they are. On a lattice covariances come by lag.
class FinitePrior {
 public:
  explicit FinitePrior(std::shared_ptr<const FiniteTargets> targets);

  // The same with more queries.
  FinitePrior(const FinitePrior& before, std::shared_ptr<const FiniteTargets> targets);

  const FiniteTargets& targets() const { return *targets_; }
  bool is_weighed() const { return targets_->support() != nullptr; }  // g = W f + discrepancy
  Matrix average(const Eigen::Ref<const Matrix>& on_support) const;   // W times it

  // W times it, for the queries from `begin` on, which is where earlier ones ended.
  Matrix average_from(Index begin, const Eigen::Ref<const Matrix>& on_support) const;

  Vector f_var() const { return targets_->prior.variance(looks(targets_->x)); }
  Vector g_var(Index begin = 0) const;
  Matrix f_cov(const Listed& shown) const;                              // n x |shown|
  Matrix g_cov(const Listed& shown) const;                              // p x |shown|
  Matrix f_cov(const Functionals& others) const;                        // n x |others|
  Matrix g_cov(const Functionals& others) const;                        // p x |others|
  std::pair<Matrix, Matrix> covariances(const Listed& shown) const;     // both
  std::pair<Matrix, Matrix> covariances(const Functionals& one) const;  // both
  Matrix f_cov_among(const std::vector<Index>& inputs) const;
  Matrix g_cov_among(const std::vector<Index>& queries) const;
  Matrix f_cov_times(const std::vector<Index>& inputs, const Matrix& weight) const;  // f_cov of them times it
  Matrix fg_cov(const std::vector<Index>& inputs) const;                             // |inputs| x p

  // On a lattice, a mixture of priors of the same queries needs the sums by lag of one kernel only, which `k` is.
  Matrix fg_cov(const std::vector<Index>& inputs, const internal::LatticeKernel& k) const;
  const internal::LatticeKernel* by_lag() const { return by_lag_.get(); }
  bool has_laws_of(const FinitePrior& other) const { return laws_ == other.laws_; }
  Functionals functionals(const Listed& shown) const;

 private:
  Matrix with_discrepancy(Matrix out, const Functionals& others) const;
  Matrix with_discrepancy(Matrix out, const Listed& shown) const;

  std::shared_ptr<const FiniteTargets> targets_;
  std::vector<std::shared_ptr<const ListedLaws>> laws_;    // of all listed queries, in their order
  std::shared_ptr<const internal::LatticeKernel> by_lag_;  // or null
};

// Joint draws, with mean zero, of f on x, g on a and unlisted observations. The discrepancy is drawn separately.
class PriorPaths {
 public:
  // `before`: of fewer queries, or fewer unlisted ones. What it has found out about f serves again.
  PriorPaths(std::shared_ptr<const FinitePrior> prior, const std::vector<FiniteObservation>& unlisted,
             const PriorPaths* before = nullptr);

  struct Draw {
    Matrix f;
    Matrix g;
    Matrix unlisted;  // in the order given
  };
  Draw draw(Index count, Rng& rng) const;
  std::string description() const { return sampler_->get().description(); }

 private:
  Inputs drawn_at(const std::vector<FiniteObservation>& unlisted) const;

  std::shared_ptr<const FinitePrior> prior_;
  std::vector<bool> unlisted_averaged_;
  Index unlisted_looks_ = 0;
  Queries all_a_;                               // listed, then unlisted
  SparseRows unlisted_weight_;                  // of unlisted queries, over the support
  std::shared_ptr<const LazySampler> of_f_;     // f on x alone; null where that is never drawn
  std::shared_ptr<const LazySampler> sampler_;  // what is drawn
  std::unique_ptr<const PriorSampler> discrepancy_;
};

}  // namespace iqbo
