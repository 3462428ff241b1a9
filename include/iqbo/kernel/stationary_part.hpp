// The correlation function of a stationary kernel: rho(x - y) with rho(0) = 1, on some columns.
//
// A part has lengthscales and whatever else its family needs (its shape, such as the alpha of RationalQuadratic), and
// says what it can do. Points need evaluate() and the two gradients. Windows, boxes and truncated windows need one of
// two forms, in which averages are products over columns:
//
//   RadialPart   rho = rho(r), r^2 = sum_c ((x_c - y_c) / lengthscale_c)^2, which may be a mixture of RBFs over scales,
//                rho(r) = sum_s weight_s exp(-r^2 / (2 scale_s^2))                          see mixture()
//   AxisPart     rho = prod_c phi_c(x_c - y_c), where each phi may be a sum of cosines,
//                phi_c(t) = sum_k amplitude_k cos(frequency_k t)                            see series()
//
// Paths need frequencies of its spectrum, which both forms provide. A part without either form works with points, bags,
// samples and learned laws; windows refuse it with a message that names SampledConditional.
//
// To add a kernel, derive from one of the two and register its family: family.hpp.
#pragma once

#include <memory>

#include "iqbo/core/matrix.hpp"
#include "iqbo/numerics/scale_mixture.hpp"

namespace iqbo {

struct StationaryFamily;
class AxisPart;

class StationaryPart {
 public:
  // Needs positive numbers, lengthscales from 1e-100 to 1e100, and a family that lives as long (registered ones do).
  StationaryPart(const StationaryFamily& family, Vector lengthscale, Vector shape);
  virtual ~StationaryPart() = default;
  StationaryPart& operator=(const StationaryPart&) = delete;
  StationaryPart& operator=(StationaryPart&&) = delete;

  const StationaryFamily& family() const { return family_; }
  Index dimension() const { return lengthscale_.size(); }
  const Vector& lengthscale() const { return lengthscale_; }
  const Vector& shape() const { return shape_; }  // as family().shape lists them; per-column ones side by side

  Vector parameters() const;  // lengthscale, then shape
  std::shared_ptr<const StationaryPart> with_parameters(const Vector& values) const;

  // variance * rho(x_i - y_j).
  virtual Matrix evaluate(const Rows& x, const Rows& y, double variance) const = 0;

  // With R_ij = rho(x_i - y_j): sum_ij weight_ij R_ij, then sum_ij weight_ij dR_ij / dlog parameter for each parameter.
  virtual Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const = 0;

  // Row i: variance * sum_j weight_ij dR_ij / dx_i; 0 where there is no derivative.
  virtual Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight, double variance) const = 0;

  // The two forms; null if the part does not have that form.
  virtual const ScaleMixture* mixture() const { return nullptr; }
  virtual const AxisPart* by_axes() const { return nullptr; }

  // Frequencies w, one per row, such that the mean of cos(w . (x - y)) is rho, made from uniform numbers on (0, 1),
  // uniforms() per frequency. uniforms() is 0 if no spectrum is known.
  virtual Index uniforms() const { return 0; }
  virtual Rows frequencies(const Eigen::Ref<const Rows>& uniform) const;

  // Whether f is nowhere differentiable.
  virtual bool is_rough() const { return false; }

 protected:
  StationaryPart(const StationaryPart&) = default;
  StationaryPart(StationaryPart&&) = default;

 private:
  const StationaryFamily& family_;
  Vector lengthscale_, shape_;
};

// A function of the scaled distance r alone.
class RadialPart : public StationaryPart {
 public:
  using StationaryPart::StationaryPart;

  Matrix evaluate(const Rows& x, const Rows& y, double variance) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight, double variance) const override;
  Index uniforms() const override;
  Rows frequencies(const Eigen::Ref<const Rows>& uniform) const override;

 protected:
  using Batch = Eigen::Ref<Eigen::ArrayXd>;

  virtual void correlate(Batch r2) const = 0;  // overwrites r^2 with rho
  virtual void steepness(Batch r2) const = 0;  // overwrites r^2 with -2 d rho / d(r^2), the factor of all derivatives

  // d rho / dlog shape, one column each; override it if the family has shape parameters.
  virtual Eigen::ArrayXXd shape_slopes(const Eigen::ArrayXd& r2) const { return {r2.size(), 0}; }

  // 1 / scale, drawn from the mixture by weight. Override it where the mixture is a law with a quantile function.
  virtual double inverse_scale(double uniform) const;

  // A distance along one coordinate, in lengthscales, beyond which rho is 0 or its tail can be cut off.
  virtual double far() const { return 1e3; }
};

// sum_k amplitude_k cos(frequency_k t). Slopes are derivatives in the logarithms of the column's own parameters, one
// column each: lengthscale, then the shape.
struct CosineSeries {
  Vector frequency, amplitude;  // amplitudes >= 0; they sum to one
  Matrix amplitude_slope;       // d amplitude_k / dlog parameter
  Matrix frequency_slope;       // dlog frequency_k / dlog parameter
};

// A product of functions of the coordinates. Every parameter has one value per column.
class AxisPart : public StationaryPart {
 public:
  using StationaryPart::StationaryPart;
  using Batch = Eigen::Ref<Eigen::ArrayXd>;

  virtual void correlate(Index c, Batch t) const = 0;  // overwrites differences t along column c with phi_c(t)

  // Column 0: d phi_c / dt; the others: d phi_c / dlog parameter of column c, lengthscale first, then shape.
  virtual Eigen::ArrayXXd slopes(Index c, const Eigen::ArrayXd& t) const = 0;

  // Accurate to 1e-14 at every t; empty if there is no such series.
  virtual CosineSeries series(Index) const { return {}; }
  virtual bool has_series() const { return false; }

  // The position of parameter q of column c (0: lengthscale) in parameters().
  Index position(Index q, Index c) const { return q * dimension() + c; }
  Index parameters_per_column() const { return 1 + shape().size() / dimension(); }

  Matrix evaluate(const Rows& x, const Rows& y, double variance) const override;
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight, double variance) const override;
  const AxisPart* by_axes() const override { return this; }
  Index uniforms() const override { return has_series() ? dimension() : 0; }
  Rows frequencies(const Eigen::Ref<const Rows>& uniform) const override;
};

}  // namespace iqbo
