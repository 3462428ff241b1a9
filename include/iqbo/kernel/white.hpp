// The nugget: a white part of f, independent between distinct points.
//
//   k(x, y) = variance * [x = y in every coordinate]
//
// Meant for a finite X (pixels), where it keeps the intervals of a rough field honest. In an average over n equally
// weighted pixels its variance is variance / n; in an average under a density it vanishes. It is a part of f;
// measurement noise is noise_var.
#pragma once

#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

class White final : public Kernel {
 public:
  // Needs variance > 0.
  White(double variance, Index dimension);

  double variance() const { return variance_; }

  std::shared_ptr<const Kernel> clone() const override;
  std::string description() const override;
  Index dimension() const override { return dimension_; }
  std::vector<std::string> parameter_names() const override { return {"nugget"}; }
  Vector log_parameters() const override;
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override;
  std::vector<KernelTerm> stationary_terms() const override { return {{KernelTerm::Kind::kWhite, variance_, {}}}; }

  Matrix evaluate(const Rows& x, const Rows& y) const override;
  Vector evaluate_diagonal(const Rows& x) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;

 private:
  double variance_;
  Index dimension_;
};

}  // namespace iqbo
