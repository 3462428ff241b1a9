// Scores that ask what a query tells about f at given inputs, the maximisers x*_s of sampled paths. With
// c_s = Cov(f(x*_s), g(a)), k_s = Var f(x*_s) and v = q + noise_var, the variance of the answer z:
//
//   Cjes                   log mean_s [ log(v) - log(q_s + noise_var) ] / 2,   q_s = q - c_s^2 / k_s
//                          nats between z and f(x*_s): conditional joint entropy search, from variances alone
//   ThompsonCorrelation    log mean_s c_s^2 / v,   by how much the variance of f(x*_s) falls; usually with one path
//
// Where z would determine f(x*_s) the information is infinite, and its computed value is rounding error. So q_s is at
// least kLeastShare q: without noise one sample is worth at most -log(kLeastShare) / 2 = 13.8 nats. A sample with
// k_s = 0 has nothing left to learn and counts as zero.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

class Cjes : public Acquisition {
 public:
  static constexpr double kLeastShare = 1e-12;

  Cjes(Inputs x_star, Vector f_var);  // x*_s and k_s

  const Inputs& references() const override { return x_star_; }
  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Inputs x_star_;
  Vector f_var_;
};

class ThompsonCorrelation : public Acquisition {
 public:
  explicit ThompsonCorrelation(Inputs x_star);

  const Inputs& references() const override { return x_star_; }
  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Inputs x_star_;
};

// The same for plain arrays, not as a logarithm; c has a row per sample and a column per query.
Vector cjes(const Eigen::Ref<const Vector>& q, const Eigen::Ref<const Vector>& noise_var,
            const Eigen::Ref<const Matrix>& c, const Eigen::Ref<const Vector>& f_var);
Vector thompson_correlation(const Eigen::Ref<const Vector>& q, const Eigen::Ref<const Vector>& noise_var,
                            const Eigen::Ref<const Matrix>& c);

}  // namespace iqbo
