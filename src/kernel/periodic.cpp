#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "families.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLeastForSeries = 1e-3;  // for a series, which then has some 9000 cosines
constexpr double kNegligible = 1e-17;     // smallest amplitude that is kept

// exp(-z) I_k(z) for k = 0, 1, ..., from the ratios I_k / I_(k-1) = z / (2 k + z I_(k+1) / I_k), whose backward
// recurrence forgets its starting value, and from exp(z) = I_0 + 2 (I_1 + I_2 + ...).
Vector scaled_bessel(double z) {
  const auto last = static_cast<Index>(std::ceil(20.0 + 10.0 * std::sqrt(z)));
  Vector out = Vector::Zero(last + 2);
  for (Index k = last; k > 0; --k) out[k] = z / (2.0 * static_cast<double>(k) + z * out[k + 1]);
  out[0] = 1.0;
  for (Index k = 1; k <= last; ++k) out[k] *= out[k - 1];
  return out / (2.0 * out.sum() - 1.0);
}

// phi(t) = exp(-2 sin^2(pi t / p) / l^2) = exp(-z) exp(z cos(2 pi t / p)), z = 1 / l^2. Its Fourier coefficients are
// the Bessel functions I_k(z).
class PeriodicPart final : public AxisPart {
 public:
  using AxisPart::AxisPart;

  void correlate(Index c, Batch t) const override {
    t = (t * (kPi / period(c))).sin();
    t = (-2.0 * z(c) * t.square()).exp();
  }

  Eigen::ArrayXXd slopes(Index c, const Eigen::ArrayXd& t) const override {
    const Eigen::ArrayXd angle = t * (kPi / period(c));
    const Eigen::ArrayXd sine = angle.sin();
    const Eigen::ArrayXd exponent = 2.0 * z(c) * sine.square();
    const Eigen::ArrayXd phi = (-exponent).exp();
    Eigen::ArrayXXd out(t.size(), 3);
    out.col(0) = -4.0 * z(c) * kPi / period(c) * sine * angle.cos() * phi;
    out.col(1) = 2.0 * exponent * phi;
    out.col(2) = -t * out.col(0);
    return out;
  }

  bool has_series() const override { return true; }

  CosineSeries series(Index c) const override {
    if (lengthscale()[c] < kLeastForSeries)
      refuse("lengthscale", "row " + std::to_string(c) + " is " + readable(lengthscale()[c]),
             "at least " + readable(kLeastForSeries) + ", where a periodic kernel is averaged under windows");
    const Vector bessel = scaled_bessel(z(c));
    Index count = bessel.size() - 1;  // the last has no neighbour for its slope
    while (count > 1 && bessel[count - 1] < kNegligible) --count;
    CosineSeries out{Vector(count), Vector(count), Matrix::Zero(count, 2), Matrix::Zero(count, 2)};
    for (Index k = 0; k < count; ++k) {
      const double share = k == 0 ? 1.0 : 2.0;
      const double neighbours = 0.5 * (bessel[std::abs(k - 1)] + bessel[k + 1]);  // I_k' = (I_(k-1) + I_(k+1)) / 2
      out.frequency[k] = 2.0 * kPi * static_cast<double>(k) / period(c);
      out.amplitude[k] = share * bessel[k];
      out.amplitude_slope(k, 0) = -2.0 * z(c) * share * (neighbours - bessel[k]);
      out.frequency_slope(k, 1) = -1.0;
    }
    return out;
  }

 private:
  double period(Index c) const { return shape()[c]; }
  double z(Index c) const { return 1.0 / (lengthscale()[c] * lengthscale()[c]); }
};

}  // namespace

StationaryFamily periodic_family() {
  return {
      .name = "periodic",
      .class_name = "Periodic",
      .words = "periodic",
      .shape = {{.name = "period", .meaning = "after which f repeats itself", .per_column = true, .is_length = true}},
      .lengthscale_is_length = false,
      .oscillates = true,
      .make = make_part<PeriodicPart>};
}

Periodic::Periodic(double variance, Vector lengthscale, Vector period)
    : Stationary("periodic", variance, std::move(lengthscale), std::move(period)) {}

}  // namespace iqbo
