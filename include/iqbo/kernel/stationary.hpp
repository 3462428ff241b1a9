// Kernels of the scaled distance r, with one lengthscale per coordinate (ARD):
//
//   k(x, y) = variance * rho(r),   r^2 = sum_c ((x_c - y_c) / lengthscale_c)^2
//
//   Rbf        rho = exp(-r^2 / 2)                                  smooth
//   Matern52   rho = (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r)    twice differentiable
//   Matern32   rho = (1 + sqrt(3) r) exp(-sqrt(3) r)                once differentiable
//   Matern12   rho = exp(-r)                                        continuous, nowhere differentiable
//
// [Rasmussen06] section 4.2. Distances are taken as differences, never as |x|^2 + |y|^2 - 2 x.y: that saves little in
// few dimensions and loses half the digits for near points.
#pragma once

#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

// Not a base for kernels of your own: copies and averages know only these four. Derive from Kernel.
class Stationary : public Kernel {
 public:
  enum class Family { kRbf, kMatern12, kMatern32, kMatern52 };

  // Needs variance > 0 and every lengthscale > 0.
  Stationary(Family family, double variance, Vector lengthscale);

  Family family() const { return family_; }
  double variance() const { return variance_; }
  const Vector& lengthscale() const { return lengthscale_; }

  std::shared_ptr<const Kernel> clone() const override;
  Index dimension() const override { return lengthscale_.size(); }
  std::vector<std::string> parameter_names() const override;  // variance, lengthscale[0], ...
  Vector log_parameters() const override;
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override;

  Matrix evaluate(const Rows& x, const Rows& y) const override;
  Vector evaluate_diagonal(const Rows& x) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;

 private:
  Family family_;
  double variance_;
  Vector lengthscale_;
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

}  // namespace iqbo
