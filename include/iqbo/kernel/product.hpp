// A product over groups of columns, for example location times resolution.
//
//   k(x, y) = variance * prod_g rho_g(x_g, y_g),   x_g the columns of group g
//
// The factors' variances matter only through their product, so a Product has that single variance.
#pragma once

#include "iqbo/kernel/stationary.hpp"

namespace iqbo {

class Product final : public Kernel {
 public:
  struct Factor {
    Stationary kernel;
    std::vector<Index> columns;  // as many as kernel.dimension(), in its order
  };

  // Together the factors must use each of the columns 0 .. d-1 exactly once.
  explicit Product(std::vector<Factor> factors);

  double variance() const { return variance_; }
  const std::vector<Factor>& factors() const { return factors_; }  // each of variance 1

  std::shared_ptr<const Kernel> clone() const override;
  std::string description() const override;
  Index dimension() const override { return dimension_; }
  std::vector<std::string> parameter_names()
      const override;  // variance; group by group lengthscale[column], shape[column]
  Vector log_parameters() const override;
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override;
  std::vector<KernelTerm> stationary_terms() const override;

  Matrix evaluate(const Rows& x, const Rows& y) const override;
  Vector evaluate_diagonal(const Rows& x) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;

 private:
  // weight * variance * all factors but `left_out`: the multiplier of that factor's own derivative.
  Matrix others(const Rows& x, const Rows& y, const Matrix& weight, std::size_t left_out) const;

  std::vector<Factor> factors_;
  double variance_ = 1.0;
  Index dimension_ = 0;
};

}  // namespace iqbo
