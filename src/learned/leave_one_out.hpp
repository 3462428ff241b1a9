// Leave-one-out without refits: the error of each logged pair under a model trained on the others.
//
// L is the Gram matrix of the logged queries, A = L + ridge I, and K the Gram matrix of the logged inputs under kappa.
// The ridge is held fixed when a pair is left out.
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

// Kernel ridge regression of x on a: row j is x_j - mu_{-j}(a_j) = (A^-1 x)_j / (A^-1)_jj.
Rows ridge_leave_one_out(const Matrix& gram_a, double ridge, const Rows& x);

// The same for many ridges: L is decomposed once, and each ridge then costs O(n^2) per column.
class RidgeLeaveOneOut {
 public:
  explicit RidgeLeaveOneOut(const Matrix& gram_a);

  Rows residuals(double ridge, const Rows& x) const;  // as ridge_leave_one_out

  // Conditional mean embedding: entry j is |k(x_j, .) - embedding_{-j}(a_j)|^2, which is
  // k(x,x) - 2 c(x,a) + q(a,a) of the left-out pair, = (A^-1 K A^-1)_jj / (A^-1)_jj^2.
  Vector embedding_losses(double ridge, const Matrix& gram_x) const;

 private:
  Matrix vectors_;
  Vector values_;
};

// Weights over the other pairs, w_j(a_i) proportional to similarity_ij for j != i: entry i is
// K_ii - 2 sum_j w_j K_ij + sum_jk w_j w_k K_jk. Similarities are positive; needs two pairs.
Vector weights_leave_one_out(const Matrix& similarity, const Matrix& gram_x);

}  // namespace iqbo::internal
