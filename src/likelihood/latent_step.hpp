// One step towards the mode, or towards the posterior: a Gaussian update at what is believed now.
#pragma once

#include "latent.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo::internal {

// f = h(eta) and its slope at the nodes, and what follows from them for the answers.
struct LatentPoint {
  Vector f, slope, g, variance;
  SparseRows jacobian;

  LatentPoint(const LatentProblem& problem, Vector f_at, Vector slope_at);
  LatentPoint(const LatentProblem& problem, const Vector& eta);
};

// (J K J' + R), factored, and K J'.
struct LatentUpdate {
  Matrix cross;  // n x t
  Cholesky factor;

  LatentUpdate(const Matrix& cov, const LatentPoint& at);

  Vector explained() const;                                   // diag(K J' (J K J' + R)^-1 J K)
  Vector left_of_averages(const SparseRows& jacobian) const;  // diag(J S J'), S what is left of K
  Matrix left(const Matrix& cov) const;                       // S
};

// The mode, or its neighbourhood: until no eta changes by `tolerance`.
struct LatentMode {
  Vector eta, alpha;
  double psi;  // sum log p(y | g) - (eta - mu)' alpha / 2
  int steps = 0;
  bool settled = false;
};
LatentMode find_mode(const LatentProblem& problem, const Vector& start, double tolerance);

constexpr double kLatentStride = 3.0;  // no eta moves further in one step

}  // namespace iqbo::internal
