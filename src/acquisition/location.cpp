#include "iqbo/acquisition/location.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "batch.hpp"

namespace iqbo {
namespace {

// The part of the variance of z at one query that f(x*) of one sample explains.
struct Explained {
  double share;  // of q + noise_var
  double left;   // the rest, not relative
  bool floored;
};

Explained explained(double q, double noise_var, double c, double f_var) {
  const double var = q + noise_var;
  if (f_var == 0 || var == 0) return {0, var, false};
  const double least = Cjes::kLeastShare * q;
  const double by_f = c * c / f_var;
  const bool floored = q - by_f < least;
  return {(floored ? q - least : by_f) / var, (floored ? least : q - by_f) + noise_var, floored};
}

// -sum log(1 - share) with one logarithm for many shares: from 1 - prod (1 - share), a sum of positive terms, while
// that is small, otherwise from the product itself.
class LogsOfRests {
 public:
  void add(double share, double rest) {
    gone_ += share * (1 - gone_);
    left_ *= rest;
    if (left_ < kSmall) flush();
  }
  double sum() {
    flush();
    return sum_;
  }

 private:
  static constexpr double kSmall = 1e-150;  // multiplied by one more rest, this is still a normal number

  void flush() {
    sum_ -= gone_ < 0.5 ? std::log1p(-gone_) : std::log(left_);
    gone_ = 0;
    left_ = 1;
  }

  double gone_ = 0;
  double left_ = 1;
  double sum_ = 0;
};

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
    const double q = outlook.q[j];
    const double var = q + outlook.noise_var[j];
    LogsOfRests logs;
    for (Index s = 0; s < samples; ++s) {
      const auto [share, left, floored] = explained(q, outlook.noise_var[j], c(s, j), f_var_[s]);
      if (share == 0) continue;
      logs.add(share, left / var);
      if (!gradient) continue;
      gradient->q[j] += 1 / var - (floored ? kLeastShare : 1) / left;
      gradient->c(s, j) = floored ? 0 : 2 * c(s, j) / (f_var_[s] * left);
    }
    const double sum = logs.sum();
    value[j] = std::log(0.5 * sum / static_cast<double>(samples));
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

// References for callers that have covariances but no inputs; only their number matters.
Inputs placeholders(Index n) { return Inputs(Rows::Zero(n, 1)); }

Outlook centred_outlook(const Eigen::Ref<const Vector>& q, const Eigen::Ref<const Vector>& noise_var) {
  return {Vector::Zero(q.size()), q, noise_var};
}

}  // namespace

Vector cjes(const Eigen::Ref<const Vector>& q, const Eigen::Ref<const Vector>& noise_var,
            const Eigen::Ref<const Matrix>& c, const Eigen::Ref<const Vector>& f_var) {
  return Cjes(placeholders(f_var.size()), f_var).score(centred_outlook(q, noise_var), c).array().exp();
}

Vector thompson_correlation(const Eigen::Ref<const Vector>& q, const Eigen::Ref<const Vector>& noise_var,
                            const Eigen::Ref<const Matrix>& c) {
  return ThompsonCorrelation(placeholders(c.rows())).score(centred_outlook(q, noise_var), c).array().exp();
}

}  // namespace iqbo
