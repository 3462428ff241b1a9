#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <utility>

#include "families.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "numerics/gamma_mixture.hpp"

namespace iqbo {

using namespace internal;

namespace {

const double kSqrt3 = std::sqrt(3.0);
const double kSqrt5 = std::sqrt(5.0);

// Smoothness nu = kTwiceNu / 2: a mixture of RBFs whose squared scale is G / nu, G ~ Gamma(nu).
template <int kTwiceNu>
class MaternPart : public RadialPart {
 public:
  static constexpr double kNu = kTwiceNu / 2.0;

  using RadialPart::RadialPart;

  const ScaleMixture* mixture() const final { return &matern_mixture(kNu); }
  bool is_rough() const final { return kTwiceNu == 1; }

 private:
  double inverse_scale(double uniform) const final {
    return std::sqrt(kNu / boost::math::quantile(boost::math::gamma_distribution<>(kNu), uniform));
  }
};

// Has a kink at r = 0: there the derivative in a lengthscale is 0, and the undefined one in a coordinate is set to 0.
class Matern12Part final : public MaternPart<1> {
 public:
  using MaternPart::MaternPart;

  void correlate(Batch r2) const override { r2 = (-r2.sqrt()).exp(); }
  void steepness(Batch r2) const override {
    r2 = r2.sqrt();
    r2 = (r2 > 0.0).select((-r2).exp() / r2, 0.0);
  }
};

class Matern32Part final : public MaternPart<3> {
 public:
  using MaternPart::MaternPart;

  void correlate(Batch r2) const override {
    r2 = kSqrt3 * r2.sqrt();
    r2 = (1.0 + r2) * (-r2).exp();
  }
  void steepness(Batch r2) const override { r2 = 3.0 * (-kSqrt3 * r2.sqrt()).exp(); }
};

class Matern52Part final : public MaternPart<5> {
 public:
  using MaternPart::MaternPart;

  void correlate(Batch r2) const override {
    r2 = kSqrt5 * r2.sqrt();
    r2 = (1.0 + r2 + r2.square() / 3.0) * (-r2).exp();
  }
  void steepness(Batch r2) const override {
    r2 = kSqrt5 * r2.sqrt();
    r2 = (5.0 / 3.0) * (1.0 + r2) * (-r2).exp();
  }
};

}  // namespace

StationaryFamily matern12_family() {
  return {.name = "matern12", .class_name = "Matern12", .words = "Matern 1/2", .make = make_part<Matern12Part>};
}
StationaryFamily matern32_family() {
  return {.name = "matern32", .class_name = "Matern32", .words = "Matern 3/2", .make = make_part<Matern32Part>};
}
StationaryFamily matern52_family() {
  return {.name = "matern52", .class_name = "Matern52", .words = "Matern 5/2", .make = make_part<Matern52Part>};
}

Matern12::Matern12(double variance, Vector lengthscale) : Stationary("matern12", variance, std::move(lengthscale)) {}
Matern32::Matern32(double variance, Vector lengthscale) : Stationary("matern32", variance, std::move(lengthscale)) {}
Matern52::Matern52(double variance, Vector lengthscale) : Stationary("matern52", variance, std::move(lengthscale)) {}

}  // namespace iqbo
