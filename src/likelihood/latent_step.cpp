#include "latent_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mixing.hpp"
#include "sparse_laws.hpp"

namespace iqbo::internal {

LatentPoint::LatentPoint(const LatentProblem& problem, Vector f_at, Vector slope_at)
    : f(std::move(f_at)),
      slope(std::move(slope_at)),
      g(problem.readings.weight * f),
      variance(problem.readings.size()),
      jacobian(scaled_columns(problem.readings.weight, slope)) {
  for (Index i = 0; i < g.size(); ++i)
    variance[i] = problem.likelihood.variance(problem.readings.answers[static_cast<std::size_t>(i)], g[i]);
}

LatentPoint::LatentPoint(const LatentProblem& problem, const Vector& eta)
    : LatentPoint(problem, apply(problem.link, eta),
                  eta.unaryExpr([&](double each) { return iqbo::slope(problem.link, each); })) {}

LatentUpdate::LatentUpdate(const Matrix& cov, const LatentPoint& at) : cross(times_transposed(cov, at.jacobian)) {
  Matrix s = at.jacobian * cross;
  s.diagonal() += at.variance;
  factor = Cholesky(s);
}

Vector LatentUpdate::explained() const {
  Matrix half = cross.transpose();
  factor.solve_lower_in_place(half);
  return half.colwise().squaredNorm().transpose();
}

Vector LatentUpdate::left_of_averages(const SparseRows& jacobian) const {
  Matrix half = jacobian * cross;
  const Vector prior = half.diagonal();
  factor.solve_lower_in_place(half);
  return prior - half.colwise().squaredNorm().transpose();
}

Matrix LatentUpdate::left(const Matrix& cov) const {
  Matrix half = cross.transpose();
  factor.solve_lower_in_place(half);
  Matrix out = cov;
  out.noalias() -= half.transpose() * half;
  return out;
}

namespace {

double psi_at(const LatentProblem& problem, const Vector& eta, const Vector& alpha) {
  const Vector g = problem.readings.weight * apply(problem.link, eta);
  double sum = -0.5 * (eta - problem.mean).dot(alpha);
  for (Index i = 0; i < g.size(); ++i)
    sum += problem.likelihood.log_density(problem.readings.answers[static_cast<std::size_t>(i)], g[i]);
  return std::isfinite(sum) ? sum : -std::numeric_limits<double>::infinity();
}

}  // namespace

LatentMode find_mode(const LatentProblem& problem, const Vector& start, double tolerance) {
  constexpr int kMostHalvings = 30;
  constexpr double kNear = 1.0;  // only then do steps say where the next ones lead
  const Vector& mean = problem.mean;
  const Index n = mean.size();
  const auto psi = [&](const Vector& both) { return psi_at(problem, both.head(n), both.tail(n)); };
  const auto falls = [](double from, double to) { return to < from - 1e-12 * std::abs(from); };
  Vector at(2 * n);  // eta, alpha
  at << mean, Vector::Zero(n);
  double height = psi(at);
  if (start.size() == n) {
    Vector other(2 * n);
    other << mean + problem.cov * start, start;
    if (const double value = psi(other); value > height) {
      at = other;
      height = value;
    }
  }
  Vector rate(problem.readings.size());
  for (Index i = 0; i < rate.size(); ++i) rate[i] = problem.readings.answers[static_cast<std::size_t>(i)].rate();

  Mixing mixing(n);
  int steps = 0;
  bool settled = false;
  while (steps < kMostLatentSteps && !settled) {
    ++steps;
    const Vector eta = at.head(n);
    const LatentPoint now(problem, eta);
    const LatentUpdate update(problem.cov, now);
    const Vector u = update.factor.solve(rate - now.g + now.jacobian * (eta - mean));
    Vector image(2 * n);
    image << mean + update.cross * u, now.jacobian.transpose() * u;
    const double size = (image - at).head(n).cwiseAbs().maxCoeff();
    settled = size < tolerance;
    Vector next = size < kNear ? mixing.next(at, image) : image;
    double reached = psi(next);
    if (size >= kNear || falls(height, reached)) {
      mixing.forget();
      double share = std::min(1.0, kLatentStride / std::max(size, 1e-300));
      next = at + share * (image - at);
      reached = psi(next);
      for (int halving = 0; halving < kMostHalvings && falls(height, reached); ++halving) {
        share *= 0.5;
        next = at + share * (image - at);
        reached = psi(next);
      }
      if (falls(height, reached)) {  // no higher place to go to in doubles
        settled = true;
        break;
      }
    }
    at = next;
    height = reached;
  }
  return {at.head(n), at.tail(n), height, steps, settled};
}

}  // namespace iqbo::internal
