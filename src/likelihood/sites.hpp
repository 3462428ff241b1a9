// Counts under the identity link: f is Gaussian itself, and each answer sees one average, y_i ~ p(y | g_i), g_i > 0.
//
// Expectation propagation ([Minka01], [Rasmussen06] section 3.6): every factor p(y_i | g_i) is replaced by a Gaussian answer
// z_i with variance noise_var_i, chosen so that mean and variance of g_i are right given all other answers. Its evidence
// may be compared with that of a log link (latent.hpp); that of a Gaussian answer with a working variance may not.
#pragma once

#include <vector>

#include "iqbo/likelihood/likelihood.hpp"

namespace iqbo::internal {

class SitePosterior {
 public:
  // Prior mean and covariance of the averages, one row per answer.
  SitePosterior(const Matrix& cov, const Vector& mean, const std::vector<Count>& answers, const Likelihood& likelihood);

  const Vector& z() const { return z_; }
  const Vector& noise_var() const { return noise_var_; }
  double log_evidence() const { return log_evidence_; }
  const Vector& weight() const { return weight_; }                                  // (cov + noise)^-1 (z - mean)
  Matrix explained(const Matrix& h) const { return h.transpose() * inverse_ * h; }  // of coefficients of h
  int sweeps() const { return sweeps_; }
  bool settled() const { return settled_; }

  struct Gradient {
    Matrix cov;
    double parameter = 0.0;
  };
  Gradient gradient() const;  // of log_evidence(); exact where the sweeps have settled

 private:
  Vector z_, noise_var_;
  double log_evidence_ = 0.0;
  int sweeps_ = 0;
  bool settled_ = false;
  Vector weight_;   // (cov + noise)^-1 (z - mean)
  Matrix inverse_;  // (cov + noise)^-1
  double by_parameter_ = 0.0;
};

// Of p(y | g) N(g; mean, var) over g > 0: the logarithm of its integral, mean and variance, and the mean of d log p by the
// likelihood's parameter. Relative errors below 1e-5.
struct SiteMoments {
  double log_mass, mean, var, parameter;
};
SiteMoments site_moments(const Count& answer, const Likelihood& likelihood, double mean, double var,
                         bool slopes = false);  // with `parameter`

}  // namespace iqbo::internal
