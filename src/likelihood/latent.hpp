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
// Fixed points are reached by mixing the last few steps (mixing.hpp).
//
// Evidence. Laplace's, psi - log|B| / 2 with B = I + R^-1/2 J K J' R^-1/2, plus a correction for the curvature that the update
// leaves out and for the third and fourth derivatives of log p(y | g(eta)) (second_order.hpp).
//
// Posterior. The same iteration with h, h' replaced by their expectations under N(m, v), which removes the bias of the
// mode. What it ends with is a Gaussian problem like any other in this house: answers z_i of averages of eta under the laws
// p_i(x) ~ W_ix E h'(eta_x), with noise variances: Linearised. It needs the neighbourhood of the mode, not the mode.
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

struct LatentProblem {
  const Matrix& cov;
  Vector mean;
  const Readings& readings;
  const Likelihood& likelihood;
  Link link;
};

constexpr int kMostLatentSteps = 40;

// The mode, and the evidence.
class LatentPosterior {
 public:
  // What the problem refers to must outlive this. `start`: weights alpha of an earlier mode, taken if they are better than none.
  explicit LatentPosterior(LatentProblem problem, const Vector& start = {});

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

 private:
  LatentProblem problem_;
  Vector eta_, alpha_;
  int iterations_ = 0;
  bool settled_ = false;
  double laplace_ = 0.0;
};

Linearised linearised(const LatentProblem& problem);

}  // namespace iqbo::internal
