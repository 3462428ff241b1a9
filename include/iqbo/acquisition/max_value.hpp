// Scores that ask how far the largest value lies above the prediction at a query, gamma_s = (fstar_s - nu) / sqrt(q).
//
//   Cmes        log mean_s h(gamma_s)              [Zhang26] eq. 9: nats that z tells about f* if z is noiseless
//   NoisyCmes   log mean_s drop(gamma_s, rho)      [Zhang26] appendix B, corrected; rho^2 = q / (q + noise_var)
//   Est         -(m - nu) / sqrt(q)                [Wang17]: minus the number of deviations to m; not logarithmic
//
// h is in numerics/normal.hpp, drop in numerics/noisy_cut.hpp; docs/theory/acquisition.md derives both. h standardises
// by sqrt(q), as printed, so Cmes does not use noise_var; NoisyCmes tends to it as noise_var -> 0.
//
// Max-value entropy search [Wang17] is Cmes given samples of g* = max g instead of f*.
//
// A query with q <= q_floor has nothing to tell: its score is -infinity. h grows like log |gamma|, so a single fstar
// below nu at a query with hardly any variance would beat everything; 1e-12 of the prior variance is a sensible floor.
#pragma once

#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

class Cmes : public Acquisition {
 public:
  explicit Cmes(Vector fstar, double q_floor = 0);

  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Vector fstar_;  // ascending
  double q_floor_;
};

class NoisyCmes : public Acquisition {
 public:
  explicit NoisyCmes(Vector fstar, double q_floor = 0);

  bool logarithmic() const override { return true; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  Vector fstar_;
  double q_floor_;
};

class Est : public Acquisition {
 public:
  explicit Est(double m, double q_floor = 0);

  bool logarithmic() const override { return false; }
  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
               OutlookGradient* gradient = nullptr) const override;

 private:
  double m_;
  double q_floor_;
};

// The same for plain arrays, in nats rather than as a logarithm.
Vector cmes(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q,
            const Eigen::Ref<const Vector>& fstar);
Vector noisy_cmes(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q,
                  const Eigen::Ref<const Vector>& noise_var, const Eigen::Ref<const Vector>& fstar);
Vector est(const Eigen::Ref<const Vector>& nu, const Eigen::Ref<const Vector>& q, double m);

}  // namespace iqbo
