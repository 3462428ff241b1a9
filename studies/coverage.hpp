// How often intervals hold.
#pragma once

#include <boost/math/distributions/beta.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "study.hpp"

namespace iqbo::study {

// The share of 1 among hits of 0 or 1, with Jeffreys' 95 % interval: "0.93 [0.84, 0.98]".
inline std::string with_jeffreys(const std::vector<double>& hits) {
  const auto n = static_cast<double>(hits.size());
  const double k = n * summarise(hits).mean;
  const boost::math::beta_distribution<double> belief(k + 0.5, n - k + 0.5);
  char text[64];
  std::snprintf(text, sizeof text, "%.2f [%.2f, %.2f]", k / n, k == 0.0 ? 0.0 : quantile(belief, 0.025),
                k == n ? 1.0 : quantile(belief, 0.975));
  return text;
}

}  // namespace iqbo::study
