#include "latent.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/cholesky.hpp"

namespace iqbo::internal {

namespace {

constexpr double kStride = 3.0;
constexpr double kModeTolerance = 1e-8;
constexpr double kPosteriorTolerance = 1e-6;
constexpr int kMostHalvings = 30;

// left * rows', n x t for n x n: by columns, which a general product of dense and sparse matrices does not do.
Matrix times_transposed(const Matrix& left, const SparseRows& rows) {
  Matrix out = Matrix::Zero(left.rows(), rows.rows());
  for (Index i = 0; i < rows.outerSize(); ++i)
    for (SparseRows::InnerIterator it(rows, i); it; ++it) out.col(i) += it.value() * left.col(it.col());
  return out;
}

// (J K J' + R), factored, and K J'.
struct Update {
  Matrix cross;  // n x t
  Cholesky factor;

  Update(const Matrix& cov, const SparseRows& jacobian, const Vector& variance)
      : cross(times_transposed(cov, jacobian)) {
    Matrix s = jacobian * cross;
    s.diagonal() += variance;
    factor = Cholesky(s);
  }

  // diag(K J' (J K J' + R)^-1 J K)
  Vector explained() const {
    Matrix half = cross.transpose();
    factor.solve_lower_in_place(half);
    return half.colwise().squaredNorm().transpose();
  }

  // diag(J S J'), S what is left of K
  Vector left_of_averages(const SparseRows& jacobian) const {
    Matrix half = jacobian * cross;
    const Vector prior = half.diagonal();
    factor.solve_lower_in_place(half);
    return prior - half.colwise().squaredNorm().transpose();
  }
};

SparseRows scaled_columns(const SparseRows& weight, const Vector& by) {
  SparseRows out = weight;
  for (Index i = 0; i < out.outerSize(); ++i)
    for (SparseRows::InnerIterator it(out, i); it; ++it) it.valueRef() *= by[it.col()];
  return out;
}

// sum_i weight_ix of_ix for each x.
Vector column_sums(const SparseRows& weight, const Matrix& of) {
  Vector out = Vector::Zero(weight.cols());
  for (Index i = 0; i < weight.outerSize(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it) out[it.col()] += it.value() * of(i, it.col());
  return out;
}

}  // namespace

LatentPosterior::LatentPosterior(const Matrix& cov, Vector mean, const Readings& readings, const Likelihood& likelihood,
                                 Link link, const Vector& start)
    : cov_(cov), mean_(std::move(mean)), readings_(readings), likelihood_(likelihood), link_(link) {
  find_mode(start);
}

LatentPosterior::Point LatentPosterior::at(const Vector& f, const Vector& slope) const {
  Point out{f, slope, readings_.weight * f, Vector(readings_.size()), scaled_columns(readings_.weight, slope)};
  for (Index i = 0; i < readings_.size(); ++i)
    out.variance[i] = likelihood_.variance(readings_.answers[static_cast<std::size_t>(i)], out.g[i]);
  return out;
}

LatentPosterior::Point LatentPosterior::at(const Vector& eta) const {
  return at(apply(link_, eta), eta.unaryExpr([this](double each) { return slope(link_, each); }));
}

double LatentPosterior::psi(const Vector& eta, const Vector& alpha) const {
  const Vector g = readings_.weight * apply(link_, eta);
  double sum = -0.5 * (eta - mean_).dot(alpha);
  for (Index i = 0; i < readings_.size(); ++i)
    sum += likelihood_.log_density(readings_.answers[static_cast<std::size_t>(i)], g[i]);
  return std::isfinite(sum) ? sum : -std::numeric_limits<double>::infinity();
}

void LatentPosterior::find_mode(const Vector& start) {
  eta_ = mean_;
  alpha_ = Vector::Zero(mean_.size());
  double height = psi(eta_, alpha_);
  if (start.size() == alpha_.size()) {
    const Vector other = mean_ + cov_ * start;
    const double value = psi(other, start);
    if (value > height) {
      eta_ = other;
      alpha_ = start;
      height = value;
    }
  }
  while (iterations_ < kMostSteps && !settled_) {
    ++iterations_;
    const Point now = at(eta_);
    const Update update(cov_, now.jacobian, now.variance);
    Vector rate(readings_.size());
    for (Index i = 0; i < rate.size(); ++i) rate[i] = readings_.answers[static_cast<std::size_t>(i)].rate();
    const Vector u = update.factor.solve(rate - now.g + now.jacobian * (eta_ - mean_));
    const Vector eta_step = mean_ + update.cross * u - eta_;
    const Vector alpha_step = now.jacobian.transpose() * u - alpha_;
    const double size = eta_step.cwiseAbs().maxCoeff();
    double share = std::min(1.0, kStride / std::max(size, 1e-300));
    double reached = psi(eta_ + share * eta_step, alpha_ + share * alpha_step);
    for (int halving = 0; halving < kMostHalvings && reached < height - 1e-12 * std::abs(height); ++halving) {
      share *= 0.5;
      reached = psi(eta_ + share * eta_step, alpha_ + share * alpha_step);
    }
    settled_ = share * size < kModeTolerance || reached < height - 1e-12 * std::abs(height);
    if (reached < height - 1e-9 * std::abs(height)) break;
    eta_ += share * eta_step;
    alpha_ += share * alpha_step;
    height = reached;
  }
  const Point now = at(eta_);
  const Update update(cov_, now.jacobian, now.variance);
  laplace_ = height - 0.5 * (update.factor.log_determinant() - now.variance.array().log().sum());
}

Vector LatentPosterior::likelihood_slopes() const {
  const Vector g = readings_.weight * apply(link_, eta_);
  Vector out(g.size());
  for (Index i = 0; i < g.size(); ++i)
    out[i] = likelihood_.slopes(readings_.answers[static_cast<std::size_t>(i)], g[i]).first;
  return out;
}

// -1/2 [sum_i (o_i - 1/R_i)(J S J')_ii - sum_x (W's)_x h''_x v_x], o the curvature of log p in g.
double LatentPosterior::correction() const {
  const Point now = at(eta_);
  const Update update(cov_, now.jacobian, now.variance);
  const Vector v = cov_.diagonal() - update.explained();
  const Vector left = update.left_of_averages(now.jacobian);
  double sum = 0.0;
  for (Index i = 0; i < readings_.size(); ++i)
    sum += (likelihood_.slopes(readings_.answers[static_cast<std::size_t>(i)], now.g[i]).curvature -
            1.0 / now.variance[i]) *
           left[i];
  const Vector pull = readings_.weight.transpose() * likelihood_slopes();
  for (Index x = 0; x < eta_.size(); ++x) sum -= pull[x] * curvature(link_, eta_[x]) * v[x];
  return -0.5 * sum;
}

Matrix LatentPosterior::explained(const Matrix& h) const {
  const Point now = at(eta_);
  const Update update(cov_, now.jacobian, now.variance);
  Matrix half = now.jacobian * h;
  update.factor.solve_lower_in_place(half);
  return half.transpose() * half;
}

// Explicitly, dpsi = alpha' dK alpha / 2 and -dlog|B| / 2 = -tr(J'MJ dK) / 2, M = (J K J' + R)^-1. Through the mode, at
// which psi is stationary: d eta = (I + K H)^-1 dK alpha, H = -d^2 log p / d eta^2 = J' o J - diag(h'' W's), and q = d(-log|B|
// / 2) / d eta; so q' d eta = lambda' dK alpha with lambda = (I + H K)^-1 q.
LatentGradient LatentPosterior::gradient() const {
  const Index t = readings_.size();
  const Point now = at(eta_);
  const Update update(cov_, now.jacobian, now.variance);
  const Matrix inverse = update.factor.inverse();
  const Vector slopes = likelihood_slopes();
  const Vector bend = eta_.unaryExpr([this](double each) { return curvature(link_, each); });
  Vector curved(t), by_variance(t), own_first(t), own_variance(t);
  LatentGradient out;
  for (Index i = 0; i < t; ++i) {
    const Count& answer = readings_.answers[static_cast<std::size_t>(i)];
    const double lost = inverse(i, i) - 1.0 / now.variance[i];
    curved[i] = likelihood_.slopes(answer, now.g[i]).curvature;
    by_variance[i] = lost * likelihood_.variance_slope(answer, now.g[i]);
    const auto own = likelihood_.parameter_slopes(answer, now.g[i]);
    own_first[i] = own.first;
    out.parameter += own.log_density - 0.5 * lost * own.variance;
  }
  const Matrix gain = inverse * update.cross.transpose();  // M J K, t x n
  const Vector q = -bend.cwiseProduct(column_sums(readings_.weight, gain)) -
                   0.5 * now.slope.cwiseProduct(readings_.weight.transpose() * by_variance);

  const Vector diagonal = bend.cwiseProduct(readings_.weight.transpose() * slopes);
  const SparseRows& j = now.jacobian;
  const auto residual = [&](const Vector& lambda) -> Vector {  // q - (I + H K) lambda
    const Vector k = cov_ * lambda;
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
    const Matrix whole = Matrix::Identity(h.rows(), h.cols()) + h * cov_;
    lambda = whole.partialPivLu().solve(q);
  }
  out.parameter += lambda.dot(cov_ * (j.transpose() * own_first));

  out.mean = alpha_ + lambda;
  out.cov.noalias() = (0.5 * (alpha_ + lambda)) * alpha_.transpose();
  out.cov.noalias() += (0.5 * alpha_) * lambda.transpose();
  const Matrix j_m = j.transpose() * (-0.5 * inverse);  // n x t
  for (Index i = 0; i < t; ++i)
    for (SparseRows::InnerIterator it(j, i); it; ++it) out.cov.col(it.col()) += it.value() * j_m.col(i);
  return out;
}

Linearised LatentPosterior::linearised() const {
  Point now = at(eta_);
  std::optional<Update> update(std::in_place, cov_, now.jacobian, now.variance);
  Vector eta = eta_;
  Vector var = cov_.diagonal() - update->explained();
  const Index t = readings_.size();
  Vector residual(t);
  int steps = 0;
  double share = 1.0;
  double last = std::numeric_limits<double>::infinity();
  bool settled = false;
  while (true) {
    const LinkMoments expected = moments(link_, eta, var.cwiseMax(0.0));
    now = at(expected.mean, expected.slope);
    const Vector left = update->left_of_averages(now.jacobian);  // of the last step, which is this one in the end
    for (Index i = 0; i < t; ++i) {
      const Count& answer = readings_.answers[static_cast<std::size_t>(i)];
      const double spread = link_ == Link::kLog ? std::max(0.0, left[i]) / (now.g[i] * now.g[i]) : 0.0;
      const auto stand_in = likelihood_.working(answer, now.g[i], spread);
      residual[i] = stand_in.residual;
      now.variance[i] = stand_in.variance;
    }
    update.emplace(cov_, now.jacobian, now.variance);
    if (settled || steps == kMostSteps) break;
    ++steps;
    const Vector to = mean_ + update->cross * update->factor.solve(residual + now.jacobian * (eta - mean_));
    const Vector to_var = cov_.diagonal() - update->explained();
    const double change = std::max((to - eta).cwiseAbs().maxCoeff(), (to_var - var).cwiseAbs().maxCoeff());
    share = change > 0.9 * last ? std::max(0.1, 0.5 * share) : std::min(1.0, 1.5 * share);
    last = change;
    const double stride = share * std::min(1.0, kStride / std::max(change, 1e-300));
    eta += stride * (to - eta);
    var += stride * (to_var - var);
    settled = change < kPosteriorTolerance;
  }
  const Vector scale = readings_.weight * now.slope;
  return {eta,
          var,
          now.f,
          now.slope,
          now.g,
          scale,
          (residual + now.jacobian * eta).cwiseQuotient(scale),
          now.variance.cwiseQuotient(scale.cwiseAbs2()),
          iterations_ + steps,
          settled_ && settled};
}

}  // namespace iqbo::internal
