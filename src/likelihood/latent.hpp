// The posterior of eta at nodes, given answers about averages of f = h(eta): counts, proportions, positive measurements.
//
//   eta ~ N(mu, K) at n nodes,   g = W h(eta),   y_i ~ p(y | g_i) independent
//
// Mode. With J = W diag h', R_i = Var(y_i / N_i) each step is a Gaussian update,
//
//   eta* = mu + K J' u,   u = (J K J' + R)^-1 (y / N - g + J (eta - mu)),   alpha* = J' u
//
// moved towards by at most kStride, and halved until psi = sum log p(y | g) - (eta - mu)' alpha / 2 does not fall; eta and
// alpha = K^-1 (eta - mu) move together, so that K is never inverted.
//
// Evidence. Laplace's, psi - log|B| / 2 with B = I + R^-1/2 J K J' R^-1/2, plus a correction for the curvature of g and of
// log p that the update leaves out (docs/counts.md has the formula, and how far it is from importance sampling).
//
// Posterior. The same iteration with h, h' replaced by their expectations under N(m, v), which removes the bias of the
// mode. What it ends with is a Gaussian problem like any other in this house: answers z_i of averages of eta under the laws
// p_i(x) ~ W_ix E h'(eta_x), with noise variances: Linearised.
#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/likelihood/likelihood.hpp"

namespace iqbo::internal {

struct Readings {
  SparseRows weight;  // t x n
  std::vector<Count> answers;

  Index size() const { return weight.rows(); }
};

struct Linearised {
  Vector mean, var;  // of eta at the nodes
  Vector f, tilt;    // E h and E h' there
  Vector g;          // weight * f
  Vector scale;      // weight * tilt: law i is weight_ix tilt_x / scale_i
  Vector z;          // answers that stand for the counts: averages of eta under these laws
  Vector noise_var;  // of these
  int iterations;
  bool settled;
};

// Where the derivative of the evidence goes: sum_xy cov_xy dK_xy + mean . d mu + parameter d(log parameter of the likelihood).
struct LatentGradient {
  Matrix cov;
  Vector mean;
  double parameter = 0.0;
};

class LatentPosterior {
 public:
  static constexpr int kMostSteps = 40;

  // `cov`, `readings` and `likelihood` must outlive this. `start`: weights alpha of an earlier mode, taken if they are better
  // than none.
  LatentPosterior(const Matrix& cov, Vector mean, const Readings& readings, const Likelihood& likelihood, Link link,
                  const Vector& start = {});
  LatentPosterior(Matrix&&, Vector, const Readings&, const Likelihood&, Link, const Vector& = {}) = delete;

  const Vector& mode() const { return eta_; }
  const Vector& alpha() const { return alpha_; }
  int iterations() const { return iterations_; }
  bool settled() const { return settled_; }

  double laplace() const { return laplace_; }  // log p(y), without the correction
  double correction() const;
  double log_evidence() const { return laplace_ + correction(); }

  // H' J' (J K J' + R)^-1 J H: how much of the variance of coefficients of H the answers explain.
  Matrix explained(const Matrix& h) const;

  LatentGradient gradient() const;  // of laplace(), the dependence of the mode included

  Linearised linearised() const;

 private:
  // Everything at one eta that a step needs.
  struct Point {
    Vector f, slope, g, variance;
    SparseRows jacobian;
  };
  Point at(const Vector& f, const Vector& slope) const;
  Point at(const Vector& eta) const;
  double psi(const Vector& eta, const Vector& alpha) const;
  void find_mode(const Vector& start);
  Vector likelihood_slopes() const;  // d log p / dg at the mode

  const Matrix& cov_;
  Vector mean_;
  const Readings& readings_;
  const Likelihood& likelihood_;
  Link link_;

  Vector eta_, alpha_;
  int iterations_ = 0;
  bool settled_ = false;
  double laplace_ = 0.0;
};

}  // namespace iqbo::internal
