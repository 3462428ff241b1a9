// A stationary kernel: a variance times the correlation function of a family, one lengthscale per coordinate (ARD).
//
//   k(x, y) = variance * rho(x - y),   rho of r^2 = sum_c ((x_c - y_c) / lengthscale_c)^2 in most families (family.hpp)
//
// [Rasmussen06] section 4.2. Distances are computed from differences, never as |x|^2 + |y|^2 - 2 x.y: that saves little
// in few dimensions and loses half the digits for nearby points.
#pragma once

#include "iqbo/kernel/family.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

class Stationary : public Kernel {
 public:
  // Needs variance > 0 and every lengthscale > 0; `shape` as the family lists it.
  Stationary(std::string_view family, double variance, Vector lengthscale, Vector shape = {});
  Stationary(double variance, std::shared_ptr<const StationaryPart> part);

  const StationaryFamily& family() const { return part_->family(); }
  double variance() const { return variance_; }
  const Vector& lengthscale() const { return part_->lengthscale(); }
  const Vector& shape() const { return part_->shape(); }
  const std::shared_ptr<const StationaryPart>& part() const { return part_; }

  std::shared_ptr<const Kernel> clone() const override;
  std::string description() const override;
  Index dimension() const override { return part_->dimension(); }
  std::vector<std::string> parameter_names() const override;  // variance, lengthscale[0], ..., shape
  Vector log_parameters() const override;
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override;
  std::vector<KernelTerm> stationary_terms() const override;

  Matrix evaluate(const Rows& x, const Rows& y) const override;
  Vector evaluate_diagonal(const Rows& x) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;

 private:
  double variance_;
  std::shared_ptr<const StationaryPart> part_;
};

struct Rbf : Stationary {
  Rbf(double variance, Vector lengthscale);
};
struct Matern12 : Stationary {
  Matern12(double variance, Vector lengthscale);
};
struct Matern32 : Stationary {
  Matern32(double variance, Vector lengthscale);
};
struct Matern52 : Stationary {
  Matern52(double variance, Vector lengthscale);
};

// (1 + r^2 / (2 alpha))^-alpha: a mixture of RBFs; the smaller alpha, the more their scales differ. alpha >= 0.01.
struct RationalQuadratic : Stationary {
  RationalQuadratic(double variance, Vector lengthscale, double alpha);
};

// prod_c exp(-2 sin^2(pi (x_c - y_c) / period_c) / lengthscale_c^2). With a lengthscale of 1, points half a period
// apart have correlation exp(-2).
struct Periodic : Stationary {
  Periodic(double variance, Vector lengthscale, Vector period);
};

}  // namespace iqbo
