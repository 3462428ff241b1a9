// A mixture of normal distributions: f(x) as the members of an ensemble believe it.
#pragma once

#include <cmath>

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

  double quantile(double p) const {
    double low = (mean - 8.0 * sd).minCoeff(), high = (mean + 8.0 * sd).maxCoeff();
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (low + high);
      (below(middle) < p ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
};

}  // namespace iqbo
