#include "sites.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "iqbo/numerics/gauss_rule.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo::internal {

namespace {

constexpr int kNodes = 64;
constexpr double kBelow = 9.0;    // sds from the mode
constexpr double kAbove = 20.0;   // these are skewed to the right; from 0 on they may fall like an exponential
constexpr double kPlaced = 1e-3;  // of its sd: where the mode is enters through the range of the sum only
constexpr int kMostSweeps = 60;
constexpr double kTolerance = 1e-7;
constexpr double kLeastPrecision = 1e-6;  // of a site, in units of its cavity's: a factor that says nothing

// The largest g that can matter: binomial proportions end at 1.
double ceiling_of(const Likelihood& likelihood) {
  return likelihood.admits(Link::kLogit) && likelihood.counts() ? 1.0 : std::numeric_limits<double>::infinity();
}

struct Bump {
  double mode, sd;
};

// Where p(y | g) N(g; mean, var) is largest on (0, top), and how wide it is there. Its logarithm is concave, or nearly.
Bump bump_of(const Count& answer, const Likelihood& likelihood, double mean, double var, double top) {
  const auto slope = [&](double g) { return likelihood.slopes(answer, g).first - (g - mean) / var; };
  const double sd = std::sqrt(var);
  double high = std::max(mean, 0.0) + answer.rate() + 10.0 * sd + 1.0 / answer.exposure;
  high = std::min(high, top * (1.0 - 1e-12));
  double low = std::min(1e-12 * high, 1e-12);
  if (slope(low) > 0.0) {
    if (slope(high) > 0.0) low = high;
    double at = 0.5 * (low + high), bend = 0.0;
    for (int step = 0; step < 100; ++step) {  // Newton's steps, or halves of the interval where these leave it
      const auto [first, curvature] = likelihood.slopes(answer, at);
      const double rise = first - (at - mean) / var;
      bend = std::max(0.0, curvature) + 1.0 / var;
      (rise > 0.0 ? low : high) = at;
      const double next = at + rise / bend;
      if (std::abs(next - at) * std::sqrt(bend) < kPlaced || high - low <= 1e-12 * high) break;
      at = next > low && next < high ? next : 0.5 * (low + high);
    }
    return {at, 1.0 / std::sqrt(bend)};
  }
  return {0.0, std::min(sd, 1.0 / std::max(-slope(low), 1e-300))};  // falls from 0 on
}

}  // namespace

SiteMoments site_moments(const Count& answer, const Likelihood& likelihood, double mean, double var, bool slopes) {
  const double top = ceiling_of(likelihood);
  const Bump bump = bump_of(answer, likelihood, mean, var, top);
  const double low = std::max(0.0, bump.mode - kBelow * bump.sd);
  const double high = std::min(top, bump.mode + (bump.mode > 0.0 ? kAbove : 2.0 * kAbove) * bump.sd);
  const Rule& rule = gauss_legendre(kNodes);
  Vector at(kNodes), height(kNodes);
  for (int i = 0; i < kNodes; ++i) {
    at[i] = 0.5 * (low + high) + 0.5 * (high - low) * rule.node[i];
    height[i] = likelihood.log_density(answer, at[i]) - 0.5 * (at[i] - mean) * (at[i] - mean) / var;
  }
  const double best = height.maxCoeff();
  const Vector mass = rule.weight.array() * (height.array() - best).exp();
  const double total = mass.sum();
  SiteMoments out{};
  out.mean = mass.dot(at) / total;
  out.var = mass.dot((at.array() - out.mean).square().matrix()) / total;
  out.log_mass = best + std::log(total * (high - low)) - 0.5 * std::log(2.0 * std::numbers::pi * var);
  if (!slopes || !likelihood.has_parameter()) return out;
  for (int i = 0; i < kNodes; ++i)
    out.parameter += mass[i] / total * likelihood.parameter_slopes(answer, at[i]).log_density;
  return out;
}

SitePosterior::SitePosterior(const Matrix& cov, const Vector& mean, const std::vector<Count>& answers,
                             const Likelihood& likelihood) {
  const auto t = static_cast<Index>(answers.size());
  double y = 0.0, exposure = 0.0;
  for (const Count& each : answers) {
    y += each.y;
    exposure += each.exposure;
  }
  const double usual = (y + 0.5) / exposure;
  Vector precision(t), shift(t);  // of the sites: exp(shift g - precision g^2 / 2)
  for (Index i = 0; i < t; ++i) {
    const Count& each = answers[static_cast<std::size_t>(i)];
    precision[i] = 1.0 / likelihood.variance(each, std::min(usual, 0.9));
    shift[i] = precision[i] * each.rate();
  }
  double damping = 1.0;
  double last = std::numeric_limits<double>::infinity();
  while (true) {
    noise_var_ = precision.cwiseInverse();
    z_ = shift.cwiseProduct(noise_var_);
    Matrix s = cov;
    s.diagonal() += noise_var_;
    const Cholesky factor(s);
    inverse_ = factor.inverse();
    weight_ = inverse_ * (z_ - mean);
    // g given all sites, from S = cov + noise:  mean z - noise w,  variance noise - noise^2 S^-1_ii
    double change = 0.0;
    double sum = -0.5 * (factor.log_determinant() + (z_ - mean).dot(weight_));
    Vector new_precision(t), new_shift(t), cavity_mean(t), cavity_var(t);
    for (Index i = 0; i < t; ++i) {
      const double r = noise_var_[i];
      const double var = std::max(r * (1.0 - r * inverse_(i, i)), 1e-14 * r);
      const double at = z_[i] - r * weight_[i];
      const double cavity = std::max(1.0 / var - precision[i], 1e-10 / var);
      cavity_var[i] = 1.0 / cavity;
      cavity_mean[i] = cavity_var[i] * (at / var - shift[i]);
      const SiteMoments m =
          site_moments(answers[static_cast<std::size_t>(i)], likelihood, cavity_mean[i], cavity_var[i]);
      new_precision[i] = std::max(1.0 / m.var - cavity, kLeastPrecision * cavity);
      new_shift[i] = m.mean * (new_precision[i] + cavity) - cavity * cavity_mean[i];
      change = std::max({change, std::abs(m.mean - at) / std::sqrt(var), std::abs(m.var / var - 1.0)});
      const double both = cavity_var[i] + r;
      sum += m.log_mass + 0.5 * std::log(both) + 0.5 * std::pow(cavity_mean[i] - z_[i], 2) / both;
    }
    log_evidence_ = sum;
    if (change < kTolerance || sweeps_ == kMostSweeps) {
      settled_ = change < 1e-2;  // in sds of g: a third of the error that docs/counts.md states
      for (Index i = 0; i < t && likelihood.has_parameter(); ++i)
        by_parameter_ +=
            site_moments(answers[static_cast<std::size_t>(i)], likelihood, cavity_mean[i], cavity_var[i], true)
                .parameter;
      return;
    }
    ++sweeps_;
    damping = change > 0.9 * last ? std::max(0.2, 0.7 * damping) : std::min(1.0, 1.2 * damping);
    last = change;
    precision += damping * (new_precision - precision);
    shift += damping * (new_shift - shift);
  }
}

SitePosterior::Gradient SitePosterior::gradient() const {
  Gradient out{-0.5 * inverse_, by_parameter_};
  out.cov.noalias() += (0.5 * weight_) * weight_.transpose();
  return out;
}

}  // namespace iqbo::internal
