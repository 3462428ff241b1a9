#include "ridge_mean.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "iqbo/conditional/leave_one_out.hpp"
#include "iqbo/numerics/cholesky.hpp"
#include "iqbo/numerics/pattern_search.hpp"
#include "ridge_grid.hpp"

namespace iqbo {
namespace {

constexpr double kIntercept = 100.0;

Matrix gram(const Matrix& a, const Matrix& b) { return similarity(a, b).array() + kIntercept; }

}  // namespace

RidgeSettings choose_ridge(const Pairs& all) {
  const Pairs pairs = all.subset(some_rows(all.size(), kRidgePairs));
  const Rows x = pairs.scaled_x();
  // With L = U diag(e) U', leaving one out costs O(n^2) for each further ridge.
  return search_ridge(*pairs.encoding, [&](const Vector& scale) {
    const Matrix logged = pairs.encoding->encoded(pairs.a, scale);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram(logged, logged));
    const Matrix& u = eigen.eigenvectors();
    const Matrix rotated = u.transpose() * x;
    return best_ridge([&](double ridge) {
      const Vector inverse = (eigen.eigenvalues().array().max(0.0) + ridge).inverse();
      const Vector diagonal = u.array().square().matrix() * inverse;
      const Matrix solved = u * (inverse.asDiagonal() * rotated);
      return (diagonal.cwiseInverse().asDiagonal() * solved).squaredNorm();
    });
  });
}

RidgeMean::RidgeMean(const Pairs& pairs, const RidgeSettings& settings)
    : encoding_(pairs.encoding), scale_(settings.scale), logged_(encoding_->encoded(pairs.a, scale_)) {
  Matrix a = gram(logged_, logged_);
  a.diagonal().array() += settings.ridge;
  const Cholesky factor(a);
  Matrix inverse_root = Matrix::Identity(a.rows(), a.rows());
  factor.solve_lower_in_place(inverse_root);
  const Vector diagonal = inverse_root.colwise().squaredNorm();  // of (L L')^-1
  Matrix solved = pairs.x().coordinates();
  factor.solve_lower_in_place(solved);
  factor.solve_upper_in_place(solved);
  weight_ = solved;
  leave_one_out_ = diagonal.cwiseInverse().asDiagonal() * weight_;
}

Rows RidgeMean::operator()(const Queries& a) const { return gram(encoding_->encoded(a, scale_), logged_) * weight_; }

}  // namespace iqbo
