#include "iqbo/conditional/leave_one_out.hpp"

#include <string>

#include "iqbo/core/check.hpp"
#include "iqbo/numerics/cholesky.hpp"

namespace iqbo {
namespace {

Matrix ridge_inverse(const Matrix& gram_a, double ridge) {
  require_positive(ridge, "ridge");
  Matrix a = gram_a;
  a.diagonal().array() += ridge;
  return Cholesky(a).inverse();
}

}  // namespace

Rows ridge_leave_one_out(const Matrix& gram_a, double ridge, const Rows& x) {
  require_rows(x.rows(), gram_a.rows(), "x");
  const Matrix inverse = ridge_inverse(gram_a, ridge);
  Rows out = inverse * x;
  out.array().colwise() /= inverse.diagonal().array();
  return out;
}

Vector embedding_leave_one_out(const Matrix& gram_a, double ridge, const Matrix& gram_x) {
  require_rows(gram_x.rows(), gram_a.rows(), "gram_x");
  const Matrix inverse = ridge_inverse(gram_a, ridge);
  const Matrix product = inverse * gram_x;
  return product.cwiseProduct(inverse).rowwise().sum().array() / inverse.diagonal().array().square();
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

}  // namespace iqbo
