#include "latent.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "latent_step.hpp"
#include "second_order.hpp"

namespace iqbo::internal {

namespace {

// sum_i weight_ix of_ix for each x.
Vector column_sums(const SparseRows& weight, const Matrix& of) {
  Vector out = Vector::Zero(weight.cols());
  for (Index i = 0; i < weight.outerSize(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it) out[it.col()] += it.value() * of(i, it.col());
  return out;
}

}  // namespace

LatentPosterior::LatentPosterior(LatentProblem problem, const Vector& start) : problem_(std::move(problem)) {
  constexpr double kTolerance = 1e-8;
  LatentMode found = find_mode(problem_, start, kTolerance);
  eta_ = std::move(found.eta);
  alpha_ = std::move(found.alpha);
  iterations_ = found.steps;
  settled_ = found.settled;
  const LatentPoint now(problem_, eta_);
  const LatentUpdate update(problem_.cov, now);
  laplace_ = found.psi - 0.5 * (update.factor.log_determinant() - now.variance.array().log().sum());
}

double LatentPosterior::correction() const {
  const LatentPoint now(problem_, eta_);
  const Matrix left = LatentUpdate(problem_.cov, now).left(problem_.cov);
  const auto [first, second] = evidence_correction(problem_, eta_, left);
  return first + second;
}

Matrix LatentPosterior::explained(const Matrix& h) const {
  const LatentPoint now(problem_, eta_);
  const LatentUpdate update(problem_.cov, now);
  Matrix half = now.jacobian * h;
  update.factor.solve_lower_in_place(half);
  return half.transpose() * half;
}

// Explicitly, dpsi = alpha' dK alpha / 2 and -dlog|B| / 2 = -tr(J'MJ dK) / 2, M = (J K J' + R)^-1. Through the mode, at
// which psi is stationary: d eta = (I + K H)^-1 dK alpha, H = -d^2 log p / d eta^2 = J' o J - diag(h'' W's), and q = d(-log|B|
// / 2) / d eta; so q' d eta = lambda' dK alpha with lambda = (I + H K)^-1 q.
LatentGradient LatentPosterior::gradient() const {
  const Index t = problem_.readings.size();
  const LatentPoint now(problem_, eta_);
  const LatentUpdate update(problem_.cov, now);
  const Matrix inverse = update.factor.inverse();
  const Vector bend = eta_.unaryExpr([this](double each) { return curvature(problem_.link, each); });
  Vector slopes(t), curved(t), by_variance(t), own_first(t), own_variance(t);
  LatentGradient out;
  for (Index i = 0; i < t; ++i) {
    const Count& answer = problem_.readings.answers[static_cast<std::size_t>(i)];
    const double lost = inverse(i, i) - 1.0 / now.variance[i];
    const auto [first, curvature] = problem_.likelihood.slopes(answer, now.g[i]);
    slopes[i] = first;
    curved[i] = curvature;
    by_variance[i] = lost * problem_.likelihood.variance_slope(answer, now.g[i]);
    const auto own = problem_.likelihood.parameter_slopes(answer, now.g[i]);
    own_first[i] = own.first;
    out.parameter += own.log_density - 0.5 * lost * own.variance;
  }
  const Matrix gain = inverse * update.cross.transpose();  // M J K, t x n
  const Vector q = -bend.cwiseProduct(column_sums(problem_.readings.weight, gain)) -
                   0.5 * now.slope.cwiseProduct(problem_.readings.weight.transpose() * by_variance);

  const Vector diagonal = bend.cwiseProduct(problem_.readings.weight.transpose() * slopes);
  const SparseRows& j = now.jacobian;
  const auto residual = [&](const Vector& lambda) -> Vector {  // q - (I + H K) lambda
    const Vector k = problem_.cov * lambda;
    return q - lambda - j.transpose() * Vector(curved.cwiseProduct(j * k)) + diagonal.cwiseProduct(k);
  };
  const auto preconditioned = [&](const Vector& r) -> Vector { return r - j.transpose() * (gain * r); };
  Vector lambda = preconditioned(q);
  Vector rest = residual(lambda);
  constexpr int kRefinements = 12;
  const double enough = 1e-10 * std::max(q.norm(), 1e-300);
  for (int k = 0; k < kRefinements && rest.norm() > enough; ++k) {
    const Vector next = lambda + preconditioned(rest);
    const Vector after = residual(next);
    if (after.norm() > 0.7 * rest.norm()) break;
    lambda = next;
    rest = after;
  }
  if (rest.norm() > enough) {  // far from what the preconditioner assumes
    Matrix h = Matrix(j.transpose() * (curved.asDiagonal() * j));
    h.diagonal() -= diagonal;
    const Matrix whole = Matrix::Identity(h.rows(), h.cols()) + h * problem_.cov;
    lambda = whole.partialPivLu().solve(q);
  }
  out.parameter += lambda.dot(problem_.cov * (j.transpose() * own_first));

  out.mean = alpha_ + lambda;
  out.cov.noalias() = (0.5 * (alpha_ + lambda)) * alpha_.transpose();
  out.cov.noalias() += (0.5 * alpha_) * lambda.transpose();
  const Matrix j_m = j.transpose() * (-0.5 * inverse);  // n x t
  for (Index i = 0; i < t; ++i)
    for (SparseRows::InnerIterator it(j, i); it; ++it) out.cov.col(it.col()) += it.value() * j_m.col(i);
  return out;
}

}  // namespace iqbo::internal
