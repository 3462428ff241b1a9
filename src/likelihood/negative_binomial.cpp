#include <boost/math/special_functions/digamma.hpp>
#include <cmath>

#include "iqbo/core/check.hpp"
#include "iqbo/likelihood/likelihood.hpp"
#include "log_factorial.hpp"

namespace iqbo {
namespace {

// With M = N g, phi = 1 / k:  log p = log Gamma(y + k) - log Gamma(k) - log y! - (y + k) log(1 + phi M) + y log(phi M).
class NegativeBinomial final : public Likelihood {
 public:
  explicit NegativeBinomial(double dispersion) : phi_(dispersion), k_(1.0 / dispersion) {
    require_positive(dispersion, "dispersion");
  }

  std::string name() const override { return "negative-binomial"; }
  bool merges() const override { return false; }

  double log_density(const Count& answer, double g) const override {
    const double mean = answer.exposure * g;
    return rising_value(answer.y) - internal::log_factorial(answer.y) - (answer.y + k_) * std::log1p(phi_ * mean) +
           (answer.y > 0.0 ? answer.y * std::log(mean) : 0.0);
  }

  Slopes slopes(const Count& answer, double g) const override {
    const double mean = answer.exposure * g;
    const double wide = 1.0 + phi_ * mean;
    const double first = (answer.y - mean) / (g * wide);
    // d/dg of y / g - (y + k) phi N / wide, and phi k = 1
    const double pull = phi_ * answer.exposure / wide;
    return {first, answer.y / (g * g) - (answer.y + k_) * pull * pull};
  }

  double variance(const Count& answer, double g) const override { return g / answer.exposure + phi_ * g * g; }
  double variance_slope(const Count& answer, double g) const override { return 1.0 / answer.exposure + 2.0 * phi_ * g; }

  bool has_parameter() const override { return true; }
  double log_parameter() const override { return std::log(phi_); }
  std::shared_ptr<const Likelihood> with_log_parameter(double value) const override {
    return negative_binomial_answers(std::exp(value));
  }

  ParameterSlopes parameter_slopes(const Count& answer, double g) const override {
    const double mean = answer.exposure * g;
    const double wide = 1.0 + phi_ * mean;
    // d/dlog phi = -k d/dk
    const double by_k = rising_slope(answer.y) - std::log1p(phi_ * mean) + (answer.y + k_) * mean / (k_ * k_ * wide);
    return {-k_ * by_k, -(answer.y - mean) * phi_ * mean / (g * wide * wide), phi_ * g * g};
  }

 private:
  static constexpr double kFew = 100.0;  // sums of so many terms, which lose no digits where k is large

  // log Gamma(y + k) - log Gamma(k) - y log k. Densities are asked at many g for one y: the last one is kept.
  double rising_value(double y) const {
    thread_local double last_y = -1.0, last_phi = 0.0, last = 0.0;
    if (y != last_y || phi_ != last_phi) {
      last = computed_value(y);
      last_y = y;
      last_phi = phi_;
    }
    return last;
  }
  // Its derivative in k.
  double rising_slope(double y) const {
    thread_local double last_y = -1.0, last_phi = 0.0, last = 0.0;
    if (y != last_y || phi_ != last_phi) {
      last = computed_slope(y);
      last_y = y;
      last_phi = phi_;
    }
    return last;
  }

  double computed_value(double y) const {
    if (y < kFew) {
      double sum = 0.0;
      for (double i = 1.0; i < y; i += 1.0) sum += std::log1p(i * phi_);
      return sum;
    }
    return std::lgamma(y + k_) - std::lgamma(k_) - y * std::log(k_);
  }
  double computed_slope(double y) const {
    if (y < kFew) {
      double sum = 0.0;
      for (double i = 1.0; i < y; i += 1.0) sum -= i * phi_ * phi_ / (1.0 + i * phi_);
      return sum;
    }
    return boost::math::digamma(y + k_) - boost::math::digamma(k_) - y / k_;
  }

  double phi_, k_;
};

}  // namespace

LikelihoodPtr negative_binomial_answers(double dispersion) {
  return std::make_shared<const NegativeBinomial>(dispersion);
}

}  // namespace iqbo
