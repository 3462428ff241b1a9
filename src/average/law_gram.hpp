// The covariance matrix of a batch of laws with itself, under many kernels.
//
//   under(k).covariance(i,j)      = E k(X_i, X_j')                        as expect(k, laws, laws)
//   under(k).pull_back(M)[p]      = sum_ij M_ij dE k(X_i, X_j') / dtheta_p, M symmetric: as expect_pull_back
//
// A fit needs these for a hundred kernels and always the same laws. What does not depend on the kernel is found out
// once: which pairs of laws are alike, so that every stationary kernel has the same average for them; which points
// carry weight, and whether they lie on a lattice. Results agree with expect() to rounding.
#pragma once

#include <functional>
#include <memory>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo::internal {

class LawGram {
 public:
  struct Under {
    Matrix covariance;
    std::function<Vector(const Matrix& weight)> pull_back;  // may be called while the LawGram lives
  };

  static std::unique_ptr<const LawGram> of(const Laws& laws);
  virtual ~LawGram() = default;

  // If the gradient is not wanted, pull_back is empty and some work is saved. May be called by several threads at once.
  virtual Under under(const Kernel& kernel, bool with_gradient) const = 0;

  // False where under() sums over all pairs of points of many-pointed laws, which takes many factorisations.
  virtual bool is_quick(const Kernel&) const { return true; }

 protected:
  LawGram() = default;
  LawGram(const LawGram&) = default;
  LawGram(LawGram&&) = default;
  LawGram& operator=(const LawGram&) = default;
  LawGram& operator=(LawGram&&) = default;
};

}  // namespace iqbo::internal
