// What every score does with its batch: check it once, then go through its queries.
#pragma once

#include <limits>

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

inline constexpr double kWorthless = -std::numeric_limits<double>::infinity();

// For scores that do not look at the noise.
inline Outlook exact_outlook(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q) {
  return {nu, q, Vector::Zero(nu.size())};
}

void require_batch(const Outlook& outlook);
void require_samples(const Vector& samples, std::string_view name);  // at least one, finite

// Needs a row per reference, a column per query, and finite entries. Without references c is not read.
void require_cross(const Eigen::Ref<const Matrix>& c, Index references, Index queries);

void clear(OutlookGradient* gradient, Index references, Index queries);

// The score of one query and its derivatives in nu and q.
struct ScoreWithSlopes {
  double value = kWorthless;
  double d_nu = 0;
  double d_q = 0;
};

// Scores that need no covariances: score_one(nu, q, noise_var) -> ScoreWithSlopes.
template <class ScoreOne>
Vector score_each(const Outlook& outlook, OutlookGradient* gradient, const ScoreOne& score_one) {
  require_batch(outlook);
  clear(gradient, 0, outlook.size());
  Vector value(outlook.size());
  for (Index j = 0; j < outlook.size(); ++j) {
    const ScoreWithSlopes score = score_one(outlook.nu[j], outlook.q[j], outlook.noise_var[j]);
    value[j] = score.value;
    if (!gradient) continue;
    gradient->nu[j] = score.d_nu;
    gradient->q[j] = score.d_q;
  }
  return value;
}

}  // namespace iqbo
