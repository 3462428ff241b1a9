// The standard normal N cut from above at t, in a form that survives both tails.
//
//   lam   = phi(t) / Phi(t)                          so that E[N | N <= t] = -lam
//   gap   = E[t - N | N <= t]     = lam + t          > 0
//   gap2  = E[(t - N)^2 | N <= t] = 1 + t gap        > 0
//   h     = t lam / 2 - log Phi                      > 0, decreasing: entropy of N minus that of N cut at t, in nats
//   kappa = h / lam
//
// Everything a score needs follows from these without cancellation or underflow:
//
//   h' = -lam gap2 / 2             (log h)' = -gap2 / (2 kappa)           log h = log lam + log kappa
//   lam' = -lam gap                kappa' = gap kappa - gap2 / 2
//   phi + t Phi = Phi gap, the expected improvement, whose logarithm has the derivative 1 / gap
//
// Any finite t. Relative errors, against 100 digits: h 1e-13 for t in [-1e8, 37.5] (from 38.6 on h underflows, log h
// does not), log h 1e-13 max(1, |log h|) for t in [-1e8, 1e8], lam, gap, gap2 and kappa 1e-11.
#pragma once

namespace iqbo::internal {

struct CutNormal {
  double lam;
  double log_lam;
  double log_cdf;  // log Phi(t)
  double gap;
  double gap2;
  double kappa;
};

CutNormal cut_normal(double t);

double log_normal_density(double t);  // log phi
double log_normal_cdf(double t);      // log Phi
double mills(double t);               // lam

double entropy_drop(double t);            // h
double entropy_drop_slope(double t);      // h'
double log_entropy_drop(double t);        // log h
double log_entropy_drop_slope(double t);  // (log h)'

double log_improvement(double t);        // log(phi + t Phi)
double log_improvement_slope(double t);  // 1 / gap

}  // namespace iqbo::internal
