#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <utility>

#include "families.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "numerics/gamma_mixture.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kLeastAlpha = 0.01;  // the mixture has 46 / alpha scales

// (1 + s)^-alpha with s = r^2 / (2 alpha): a mixture of RBFs where 1 / scale^2 is G / alpha, G ~ Gamma(alpha).
class RationalQuadraticPart final : public RadialPart {
 public:
  RationalQuadraticPart(const StationaryFamily& family, Vector lengthscale, Vector shape)
      : RadialPart(family, std::move(lengthscale), std::move(shape)), alpha_(this->shape()[0]) {
    if (alpha_ < kLeastAlpha) refuse("alpha", "is " + readable(alpha_), "at least " + readable(kLeastAlpha));
    mixture_ = rational_quadratic_mixture(alpha_);
  }

  const ScaleMixture* mixture() const override { return &mixture_; }

 private:
  void correlate(Batch r2) const override { r2 = (-alpha_ * (r2 / (2.0 * alpha_)).log1p()).exp(); }
  void steepness(Batch r2) const override { r2 = (-(alpha_ + 1.0) * (r2 / (2.0 * alpha_)).log1p()).exp(); }

  // d/dlog alpha = alpha rho (s / (1 + s) - log(1 + s)).
  Eigen::ArrayXXd shape_slopes(const Eigen::ArrayXd& r2) const override {
    const Eigen::ArrayXd s = r2 / (2.0 * alpha_);
    const Eigen::ArrayXd log_of = s.log1p();
    return alpha_ * (-alpha_ * log_of).exp() * (s / (1.0 + s) - log_of);
  }
  double inverse_scale(double uniform) const override {
    return std::sqrt(boost::math::quantile(boost::math::gamma_distribution<>(alpha_), uniform) / alpha_);
  }
  double far() const override { return 1e100; }  // a power of r never reaches 0

  double alpha_;
  ScaleMixture mixture_;
};

}  // namespace

StationaryFamily rational_quadratic_family() {
  return {.name = "rational-quadratic",
          .class_name = "RationalQuadratic",
          .words = "rational quadratic",
          .shape = {{.name = "alpha", .meaning = "the smaller, the more different lengthscales are mixed"}},
          .make = make_part<RationalQuadraticPart>};
}

RationalQuadratic::RationalQuadratic(double variance, Vector lengthscale, double alpha)
    : Stationary("rational-quadratic", variance, std::move(lengthscale), Vector::Constant(1, alpha)) {}

}  // namespace iqbo
