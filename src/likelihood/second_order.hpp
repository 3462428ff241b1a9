// The evidence beyond Laplace's: what the Gaussian about the mode leaves out, to second order in its covariance.
//
// With l(eta) = sum_i log p(y_i | g_i), the Gaussian has the precision K^-1 + J' R^-1 J. What is missing in the exponent is
// -u' D u / 2, D = -l'' - J' R^-1 J, and the third and fourth derivatives of l. Expanded under the Gaussian, S its covariance:
//
//   first    -tr(S D) / 2
//   second   tr(S D S D) / 4, and the third derivatives with themselves and the fourth ones, joined by S
//
// docs/theory/counts.md writes the sums out; they take a few products of matrices of the size of S, as an update does.
#pragma once

#include "latent.hpp"

namespace iqbo::internal {

struct EvidenceCorrection {
  double first;
  double second;  // bounded, as the series is asymptotic: at most 2 nats
};

// At the mode: `left` is S.
EvidenceCorrection evidence_correction(const LatentProblem& problem, const Vector& mode, const Matrix& left);

// d^3 log p / dg^3 and d^4 log p / dg^4, by differences of the curvature that a family states: to 1e-5, relatively.
struct HigherSlopes {
  double third;
  double fourth;
};
HigherSlopes higher_slopes(const Likelihood& likelihood, const Count& answer, double g);

}  // namespace iqbo::internal
