// A mixture of normal distributions: f(x) as the members of an ensemble believe it.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "iqbo/core/matrix.hpp"
#include "numerics/normal.hpp"

namespace iqbo {

struct MixedNormal {
  Vector mean, sd, weight;

  // The share of the mixture below y.
  double below(double y) const {
    double sum = 0.0;
    for (Index s = 0; s < mean.size(); ++s)
      sum += weight[s] *
             (sd[s] > 0.0 ? std::exp(internal::log_normal_cdf((y - mean[s]) / sd[s])) : (mean[s] <= y ? 1.0 : 0.0));
    return sum;
  }

  double density(double y) const {
    double sum = 0.0;
    for (Index s = 0; s < mean.size(); ++s)
      if (sd[s] > 0.0) sum += weight[s] * std::exp(-0.5 * std::pow((y - mean[s]) / sd[s], 2)) / sd[s];
    return sum * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  }

  // What intervals are widened around.
  double middle(bool about_median) const { return about_median ? quantile(0.5) : mean.dot(weight); }

  // Newton's steps, from the middle of what is left where they leave it.
  double quantile(double p) const {
    constexpr double kEnough = 1e-12;  // of p: a spike beside a wide part has steps that are near and not there
    double low = (mean - 8.0 * sd).minCoeff(), high = (mean + 8.0 * sd).maxCoeff();
    const double near = 1e-14 * std::max({high - low, std::abs(low), std::abs(high)});
    double at = 0.5 * (low + high);
    for (int step = 0; step < 60 && high - low > near; ++step) {
      const double excess = below(at) - p;
      (excess < 0.0 ? low : high) = at;
      const double next = at - excess / density(at);
      if (std::abs(excess) <= kEnough && std::abs(next - at) <= near) return next;
      at = next > low && next < high ? next : 0.5 * (low + high);
    }
    return 0.5 * (low + high);
  }
};

}  // namespace iqbo
