#include "iqbo/acquisition/location.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "batch.hpp"

namespace iqbo {
namespace {

// Nats between z and f(x*) for one sample and one query, and its derivatives.
struct Information {
  double nats = 0;
  double d_q = 0;
  double d_c = 0;
};

Information information(double q, double noise_var, double c, double f_var) {
  const double var = q + noise_var;
  if (f_var == 0 || var == 0) return {};
  const double least = Cjes::kLeastShare * q;
  const double explained = c * c / f_var;
  const bool floored = q - explained < least;
  const double left = (floored ? least : q - explained) + noise_var;
  const double share = (floored ? q - least : explained) / var;
  const double q_slope = floored ? Cjes::kLeastShare : 1;
  return {-0.5 * std::log1p(-share), 0.5 / var - 0.5 * q_slope / left, floored ? 0 : c / (f_var * left)};
}

Inputs checked(Inputs x_star) {
  require_not_empty(x_star.size(), "x_star");
  return x_star;
}

}  // namespace

Cjes::Cjes(Inputs x_star, Vector f_var) : x_star_(checked(std::move(x_star))), f_var_(std::move(f_var)) {
  require_rows(f_var_.size(), x_star_.size(), "f_var");
  require_non_negative(f_var_, "f_var");
}

Vector Cjes::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c, OutlookGradient* gradient) const {
  const Index samples = x_star_.size();
  require_batch(outlook);
  require_cross(c, samples, outlook.size());
  clear(gradient, samples, outlook.size());
  Vector value(outlook.size());
  for (Index j = 0; j < outlook.size(); ++j) {
    double sum = 0;
    for (Index s = 0; s < samples; ++s) {
      const Information one = information(outlook.q[j], outlook.noise_var[j], c(s, j), f_var_[s]);
      sum += one.nats;
      if (!gradient) continue;
      gradient->q[j] += one.d_q;
      gradient->c(s, j) = one.d_c;
    }
    value[j] = std::log(sum / static_cast<double>(samples));
    if (!gradient || sum == 0) continue;
    gradient->q[j] /= sum;
    gradient->c.col(j) /= sum;
  }
  return value;
}

ThompsonCorrelation::ThompsonCorrelation(Inputs x_star) : x_star_(checked(std::move(x_star))) {}

Vector ThompsonCorrelation::score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
                                  OutlookGradient* gradient) const {
  require_batch(outlook);
  require_cross(c, x_star_.size(), outlook.size());
  clear(gradient, x_star_.size(), outlook.size());
  Vector value(outlook.size());
  for (Index j = 0; j < outlook.size(); ++j) {
    const double var = outlook.q[j] + outlook.noise_var[j];
    const double sum = c.col(j).squaredNorm();
    value[j] = sum == 0 || var == 0 ? kWorthless : std::log(sum / static_cast<double>(x_star_.size())) - std::log(var);
    if (!gradient || value[j] == kWorthless) continue;
    gradient->q[j] = -1 / var;
    gradient->c.col(j) = 2 * c.col(j) / sum;
  }
  return value;
}

namespace {

// References for callers who have covariances but no inputs; only their number matters.
Inputs placeholders(Index n) { return Inputs(Rows::Zero(n, 1)); }

Outlook outlook_of(const Vector& q, const Vector& noise_var) { return {Vector::Zero(q.size()), q, noise_var}; }

}  // namespace

Vector cjes(const Vector& q, const Vector& noise_var, const Matrix& c, const Vector& f_var) {
  return Cjes(placeholders(f_var.size()), f_var).score(outlook_of(q, noise_var), c).array().exp();
}

Vector thompson_correlation(const Vector& q, const Vector& noise_var, const Matrix& c) {
  return ThompsonCorrelation(placeholders(c.rows())).score(outlook_of(q, noise_var), c).array().exp();
}

}  // namespace iqbo
