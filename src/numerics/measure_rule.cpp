#include "measure_rule.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo::internal {

Rule measure_rule(const Rule& fine, int n) {
  if (n < 1) refuse("n", "is " + std::to_string(n), "at least 1");
  require_rows(fine.weight.size(), fine.node.size(), "weight");
  require_finite(fine.node, "node");
  require_non_negative(fine.weight, "weight");
  const double total = fine.weight.sum();
  if (!(total > 0.0)) refuse("weight", "sums to " + readable(total), "a positive sum");

  // Nodes mapped to [-1, 1], so that the breakdown test below has a scale.
  const double centre = 0.5 * (fine.node.maxCoeff() + fine.node.minCoeff());
  const double radius = std::max(0.5 * (fine.node.maxCoeff() - fine.node.minCoeff()), 1e-300);
  const Eigen::ArrayXd node = (fine.node.array() - centre) / radius;

  Matrix basis(node.size(), n);
  basis.col(0) = (fine.weight.array() / total).sqrt();
  Vector diagonal(n);
  Vector off(n);
  Index size = 0;
  while (size < n) {
    Vector next = node * basis.col(size).array();
    diagonal[size] = basis.col(size).dot(next);
    ++size;
    const auto known = basis.leftCols(size);
    for (int pass = 0; pass < 2; ++pass) next -= known * (known.transpose() * next);
    const double norm = next.norm();
    if (norm < 1e-14) break;  // the measure has no more than `size` points
    if (size == n) break;
    off[size - 1] = norm;
    basis.col(size) = next / norm;
  }

  Eigen::SelfAdjointEigenSolver<Matrix> jacobi;
  jacobi.computeFromTridiagonal(diagonal.head(size), off.head(size - 1));
  return {(centre + radius * jacobi.eigenvalues().array()).matrix(),
          total * jacobi.eigenvectors().row(0).transpose().array().square()};
}

}  // namespace iqbo::internal
