#include "predictive_count.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <cmath>

namespace iqbo {
namespace {

constexpr double kLeastMean = 1e-9;
constexpr double kHardly = 1.0 + 1e-6;  // by how much a variance must exceed that of certain rates

double expected_variance(const Likelihood& likelihood, const Count& like, double m, double v) {
  const double step = 1e-3 * m;
  const double bend =
      (likelihood.variance_slope(like, m + step) - likelihood.variance_slope(like, m - step)) / (2.0 * step);
  return likelihood.variance(like, m) + 0.5 * bend * v;
}

}  // namespace

PredictiveCount::PredictiveCount(const Likelihood& likelihood, double exposure, double mean_g, double var_g)
    : bounded_(likelihood.admits(Link::kLogit)), exposure_(exposure) {
  const double least = kLeastMean / exposure;
  const double m = std::clamp(mean_g, least, bounded_ ? 1.0 - least : std::max(mean_g, least));
  // A share has at most the variance m (1 - m), which a rate of 0 or 1 has.
  const double v = bounded_ ? std::min(var_g, 0.99 * m * (1.0 - m)) : var_g;
  mean_ = exposure * m;
  var_ = exposure * exposure * (expected_variance(likelihood, {0.0, exposure}, m, v) + v);
}

double PredictiveCount::cdf(double y) const {
  if (y < 0.0) return 0.0;
  const double whole = std::floor(y);
  if (bounded_) return whole >= exposure_ ? 1.0 : beta_binomial_cdf(whole);
  if (var_ > kHardly * mean_)
    return boost::math::cdf(boost::math::negative_binomial(mean_ * mean_ / (var_ - mean_), mean_ / var_), whole);
  return boost::math::cdf(boost::math::poisson(mean_), whole);
}

// Y ~ Binomial(N, G), G ~ Beta(a, b): Var Y = N m (1 - m) (1 + (N - 1) rho), rho = 1 / (a + b + 1).
double PredictiveCount::beta_binomial_cdf(double y) const {
  const double n = exposure_, m = mean_ / n, plain = n * m * (1.0 - m);
  if (n <= 1.0 || var_ <= kHardly * plain) return boost::math::cdf(boost::math::binomial(n, m), y);
  if (n > kExact) {
    const double rho = var_ / (n * plain);  // of the share itself
    const double total = 1.0 / std::min(rho, 0.999) - 1.0;
    return boost::math::cdf(boost::math::beta_distribution<>(m * total, (1.0 - m) * total),
                            std::min((y + 0.5) / n, 1.0));
  }
  const double rho = std::min((var_ / plain - 1.0) / (n - 1.0), 0.999);
  const double total = 1.0 / rho - 1.0, a = m * total, b = (1.0 - m) * total;
  // P(0), and then from each to the next by the ratio of their probabilities.
  double log_p = std::lgamma(n + b) + std::lgamma(a + b) - std::lgamma(n + a + b) - std::lgamma(b);
  double sum = std::exp(log_p);
  for (double k = 0.0; k < y; ++k) {
    log_p += std::log((n - k) / (k + 1.0)) + std::log((k + a) / (n - k - 1.0 + b));
    sum += std::exp(log_p);
  }
  return std::min(sum, 1.0);
}

double PredictiveCount::middle(double y) const { return 0.5 * (cdf(y) + cdf(y - 1.0)); }

double quantile(const std::vector<PredictiveCount>& each, const Vector& weights, double p) {
  const auto below = [&](double y) {
    double sum = 0.0;
    for (std::size_t s = 0; s < each.size(); ++s) sum += weights[static_cast<Index>(s)] * each[s].cdf(y);
    return sum;
  };
  double low = -1.0, high = 1.0;
  for (const PredictiveCount& one : each) high = std::max(high, std::ceil(one.mean() + 8.0 * std::sqrt(one.var())));
  while (below(high) < p && high < 1e15) high *= 2.0;
  while (high - low > 1.0) {
    const double middle = std::floor(0.5 * (low + high));
    (below(middle) >= p ? high : low) = middle;
  }
  return high;
}

}  // namespace iqbo
