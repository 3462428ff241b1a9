#include "beta_rule.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace iqbo {

// With x = (1 + t) / 2 the density is (1 - t)^p (1 + t)^q, p = beta - 1, q = alpha - 1.
Rule beta_rule(const BetaLaw& law, int n) {
  const double p = law.beta - 1.0;
  const double q = law.alpha - 1.0;
  Vector diagonal(n);
  Vector beside(n - 1);
  for (int k = 0; k < n; ++k) {
    const double s = 2.0 * k + p + q;
    diagonal[k] = k == 0 ? (q - p) / (p + q + 2.0) : (q * q - p * p) / (s * (s + 2.0));
    if (k == 0) continue;
    const double square = k == 1 ? 4.0 * (p + 1.0) * (q + 1.0) / ((s + 1.0) * s * s)  // p + q + 1 may vanish
                                 : 4.0 * k * (k + p) * (k + q) * (k + p + q) / (s * s * (s + 1.0) * (s - 1.0));
    beside[k - 1] = std::sqrt(square);
  }
  Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  Vector weight = solver.eigenvectors().row(0).transpose().cwiseAbs2();
  weight /= weight.sum();
  return {(0.5 + 0.5 * solver.eigenvalues().array()).max(0.0).min(1.0), weight};
}

}  // namespace iqbo
