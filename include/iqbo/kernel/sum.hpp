// A sum of kernels on the same coordinates, for example a smooth part and a nugget, or a long and a short lengthscale.
//
//   k(x, y) = sum_i k_i(x, y)
#pragma once

#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

class Sum final : public Kernel {
 public:
  using Terms = std::vector<std::shared_ptr<const Kernel>>;

  explicit Sum(Terms terms);
  Sum(const Kernel& first, const Kernel& second) : Sum(Terms{first.clone(), second.clone()}) {}

  const Terms& terms() const { return terms_; }

  std::shared_ptr<const Kernel> clone() const override;
  std::string description() const override;
  Index dimension() const override { return terms_.front()->dimension(); }
  std::vector<std::string> parameter_names() const override;  // "0.variance", ..., "1.nugget"
  Vector log_parameters() const override;
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override;
  std::vector<KernelTerm> stationary_terms() const override;

  Matrix evaluate(const Rows& x, const Rows& y) const override;
  Vector evaluate_diagonal(const Rows& x) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;

 private:
  Terms terms_;
};

}  // namespace iqbo
