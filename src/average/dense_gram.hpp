// The covariance of laws with themselves, for many kernels, where all laws share their points and most weights are not
// zero, as in learned embeddings:
//
//   q = W k(S, S) W',   W (t x s) the weights, S the s points
//
// Only k changes from one evaluation of the evidence to the next. So W is factored once: W = U V' with V (s x r)
// orthonormal, by a QR with column pivoting that is cut off where no law changes by more than kError in the sum of its
// |weights|; an average of f then changes by at most kError sd(f). After that q = U (V' K V) U' takes s^2 / 2 kernel values
// and s^2 r products, and the gradient as many again. Weights that hardly have a lower rank than t are used as they are.
#pragma once

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo::internal {

class DenseGram {
 public:
  static constexpr double kError = 1e-10;

  explicit DenseGram(const DiscreteLaws& laws);

  Index size() const { return size_; }          // t
  Index rank() const { return right_.cols(); }  // r

  Matrix covariance(const Kernel& kernel) const;

  // sum_ij weight_ij d covariance_ij / dtheta, theta = kernel.log_parameters(), for a symmetric `weight`.
  Vector pull_back(const Kernel& kernel, const Matrix& weight) const;

 private:
  Rows point_;
  Index size_ = 0;
  Matrix left_;   // U; empty if it would save nothing: then V is W'
  Matrix right_;  // V
};

}  // namespace iqbo::internal
