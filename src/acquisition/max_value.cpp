#include "iqbo/acquisition/max_value.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "batch.hpp"
#include "numerics/entropy_drops.hpp"
#include "numerics/noisy_cut.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Beyond this, gamma^2 overflows, and larger values need not be told apart.
constexpr double kLargestGamma = 1e150;

double margin(double fstar, double nu, double sd) {
  return std::clamp((fstar - nu) / sd, -kLargestGamma, kLargestGamma);
}

Vector sorted(Vector fstar) {
  require_samples(fstar, "fstar");
  std::sort(fstar.begin(), fstar.end());
  return fstar;
}

double checked_floor(double q_floor) {
  if (!(q_floor >= 0)) refuse("q_floor", "is " + readable(q_floor), "a number >= 0");
  return q_floor;
}

// The logarithm of the mean of worths, each given times exp(-shift), and its derivatives.
class LogMean {
 public:
  explicit LogMean(double shift) : shift_(shift) {}

  void add(double scaled_worth, double log_slope_nu, double log_slope_q) {
    sum_ += scaled_worth;
    d_nu_ += scaled_worth * log_slope_nu;
    d_q_ += scaled_worth * log_slope_q;
  }

  ScoreWithSlopes score(Index n) const {
    return {shift_ + std::log(sum_ / static_cast<double>(n)), d_nu_ / sum_, d_q_ / sum_};
  }

 private:
  double shift_;
  double sum_ = 0;
  double d_nu_ = 0;
  double d_q_ = 0;
};

}  // namespace

Cmes::Cmes(Vector fstar, double q_floor) : fstar_(sorted(std::move(fstar))), q_floor_(checked_floor(q_floor)) {}

// Logarithms are summed relative to that of the smallest fstar, which has the largest h, so underflow is harmless.
Vector Cmes::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& /*c*/, OutlookGradient* gradient) const {
  Vector log_h(fstar_.size());
  const auto value = [&](double nu, double sd) {
    log_h = ((fstar_.array() - nu) / sd).max(-kLargestGamma).min(kLargestGamma);
    log_entropy_drops_in_place(log_h);
    const double shift = log_h[0];
    return shift + std::log((log_h.array() - shift).exp().mean());
  };
  return score_each(outlook, gradient, [&](double nu, double q, double /*noise_var*/) -> ScoreWithSlopes {
    if (q <= q_floor_) return {};
    const double sd = std::sqrt(q);
    const double score = value(nu, sd);
    if (gradient == nullptr) return {score, 0, 0};
    LogMean mean(log_h[0]);
    for (Index s = 0; s < fstar_.size(); ++s) {
      const double gamma = margin(fstar_[s], nu, sd);
      const double slope = log_entropy_drop_slope(gamma);
      mean.add(std::exp(log_h[s] - log_h[0]), -slope / sd, -0.5 * slope * gamma / q);
    }
    return mean.score(fstar_.size());
  });
}

NoisyCmes::NoisyCmes(Vector fstar, double q_floor)
    : fstar_(sorted(std::move(fstar))), q_floor_(checked_floor(q_floor)) {}

Vector NoisyCmes::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& /*c*/,
                        OutlookGradient* gradient) const {
  return score_each(outlook, gradient, [&](double nu, double q, double noise_var) -> ScoreWithSlopes {
    if (q <= q_floor_) return {};
    const double sd = std::sqrt(q);
    const double var = q + noise_var;
    const double rho = std::sqrt(q / var);
    const double s = std::sqrt(noise_var / var);
    const double shift = noisy_drop(margin(fstar_[0], nu, sd), rho, s).log_drop;
    LogMean mean(shift);
    for (const double fstar : fstar_) {
      const double gamma = margin(fstar, nu, sd);
      const NoisyDrop drop = noisy_drop(gamma, rho, s);
      mean.add(std::exp(drop.log_drop - shift), -drop.t_slope / sd,
               -0.5 * (drop.t_slope * gamma / q + drop.s_slope * s / var));
    }
    return mean.score(fstar_.size());
  });
}

Est::Est(double m, double q_floor) : m_(m), q_floor_(checked_floor(q_floor)) { require_finite(m, "m"); }

Vector Est::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& /*c*/, OutlookGradient* gradient) const {
  return score_each(outlook, gradient, [&](double nu, double q, double /*noise_var*/) -> ScoreWithSlopes {
    if (q <= q_floor_) return {};
    const double sd = std::sqrt(q);
    const double value = (nu - m_) / sd;
    return {value, 1 / sd, -0.5 * value / q};
  });
}

Vector cmes(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q,
            const Eigen::Ref<const Vector>& fstar) {
  return Cmes(fstar).score(exact_outlook(nu, q), Matrix()).array().exp();
}

Vector noisy_cmes(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q,
                  const Eigen::Ref<const Vector>& noise_var, const Eigen::Ref<const Vector>& fstar) {
  return NoisyCmes(fstar).score({nu, q, noise_var}, Matrix()).array().exp();
}

Vector est(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q, double m) {
  return Est(m).score(exact_outlook(nu, q), Matrix());
}

}  // namespace iqbo
