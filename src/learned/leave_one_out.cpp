#include "leave_one_out.hpp"

#include <Eigen/Eigenvalues>
#include <string>

#include "iqbo/core/check.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo::internal {

Rows ridge_leave_one_out(const Matrix& gram_a, double ridge, const Rows& x) {
  require_positive(ridge, "ridge");
  require_rows(x.rows(), gram_a.rows(), "x");
  Matrix a = gram_a;
  a.diagonal().array() += ridge;
  const Cholesky factor(a);
  Matrix solved = x;
  factor.solve_lower_in_place(solved);
  factor.solve_upper_in_place(solved);
  solved.array().colwise() /= factor.inverse_diagonal().array();
  return solved;
}

RidgeLeaveOneOut::RidgeLeaveOneOut(const Matrix& gram_a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram_a);
  vectors_ = eigen.eigenvectors();
  values_ = eigen.eigenvalues().cwiseMax(0.0);
}

Rows RidgeLeaveOneOut::residuals(double ridge, const Rows& x) const {
  require_positive(ridge, "ridge");
  require_rows(x.rows(), values_.size(), "x");
  const Vector inverse = (values_.array() + ridge).inverse();
  const Vector diagonal = vectors_.array().square().matrix() * inverse;
  Rows out = vectors_ * (inverse.asDiagonal() * (vectors_.transpose() * x));
  out.array().colwise() /= diagonal.array();
  return out;
}

Vector RidgeLeaveOneOut::embedding_losses(double ridge, const Matrix& gram_x) const {
  require_positive(ridge, "ridge");
  require_rows(gram_x.rows(), values_.size(), "gram_x");
  const Vector inverse = (values_.array() + ridge).inverse();
  const Matrix a_inverse = vectors_ * inverse.asDiagonal() * vectors_.transpose();
  const Vector loss = (a_inverse * gram_x).cwiseProduct(a_inverse).rowwise().sum();
  return loss.array() / a_inverse.diagonal().array().square();
}

Vector weights_leave_one_out(const Matrix& similarity, const Matrix& gram_x) {
  require_rows(gram_x.rows(), similarity.rows(), "gram_x");
  if (similarity.rows() < 2) refuse("similarity", std::to_string(similarity.rows()) + " rows", "at least 2");
  Matrix w = similarity;
  w.diagonal().setZero();
  const Vector total = w.rowwise().sum();
  w.array().colwise() /= total.array();
  const Matrix wk = w * gram_x;
  return gram_x.diagonal() - 2.0 * wk.diagonal() + wk.cwiseProduct(w).rowwise().sum();
}

}  // namespace iqbo::internal
