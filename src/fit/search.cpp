#include "search.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "numerics/quasi_newton.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Kind = FitParameter::Kind;

constexpr double kStep = 1e-4;      // of differences of the gradient, in logarithms
constexpr double kLeastInfo = 0.1;  // in units of the prior's: no parameter is less certain than 3 prior sds
constexpr int kNewtonSteps = 3;

// The scale on which a parameter may vary. A discrepancy's prior is on tau, not on its logarithm.
Vector spreads(const FitObjective& objective) {
  Vector out(objective.size());
  for (Index i = 0; i < objective.size(); ++i) {
    const auto& p = objective.parameters()[static_cast<std::size_t>(i)];
    out[i] = p.kind == Kind::kDiscrepancy ? 2.0 : p.sd;
  }
  return out;
}

// -d^2 log posterior / dtheta^2 by differences of the analytic gradient, which is `gradient` at `at`.
Matrix information(const FitObjective& objective, const Vector& at, const Vector& gradient) {
  const Index p = at.size();
  Matrix out(p, p);
  Vector ahead(p);
  for (Index i = 0; i < p; ++i) {
    Vector theta = at;
    theta[i] += kStep;
    const bool sound = std::isfinite(objective.evaluate(theta, &ahead).log_posterior);
    out.col(i) = sound ? Vector((gradient - ahead) / kStep) : Vector(Vector::Zero(p));
  }
  return 0.5 * (out + out.transpose());
}

// info^-1 with its eigenvalues, in units of the priors, kept above kLeastInfo.
Matrix covariance(const Matrix& info, const Vector& spread) {
  const Matrix scaled = spread.asDiagonal() * info * spread.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled);
  const Vector inverse = eigen.eigenvalues().cwiseMax(kLeastInfo).cwiseInverse();
  const Matrix root = spread.asDiagonal() * eigen.eigenvectors();
  return root * inverse.asDiagonal() * root.transpose();
}

}  // namespace

Matrix usual_inverse_curvature(const FitObjective& objective) {
  constexpr double kPerObservation = 0.1;  // information about the logarithm of a parameter, roughly
  const double known = kPerObservation * static_cast<double>(objective.sample().size());
  return (spreads(objective).array().square().inverse() + known).inverse().matrix().asDiagonal();
}

Matrix inverse_curvature_of(const FitObjective& objective, const Hyperparameters& fitted) {
  constexpr double kWidth95 = 2 * 1.959964;
  Matrix out = usual_inverse_curvature(objective);
  for (const FittedParameter& known : fitted.parameters())
    for (Index i = 0; i < objective.size(); ++i)
      if (objective.parameters()[static_cast<std::size_t>(i)].name == known.name && known.low > 0.0 &&
          known.high > known.low)
        out(i, i) = std::pow(std::log(known.high / known.low) / kWidth95, 2);
  return out;
}

FitClimb climb(const FitObjective& objective, const Vector& start, const Matrix& inverse_curvature, int budget,
               double tolerance) {
  const auto f = [&](const Vector& theta, Vector& gradient) {
    return objective.evaluate(theta, &gradient).log_posterior;
  };
  const double first_step = objective.oscillates() ? 0.02 : 0.5;  // one that passes over a period is lost
  Climb found = climb_by_steps(f, start, objective.low(), objective.high(), inverse_curvature, std::max(1, budget),
                               tolerance, first_step);
  return {{found.point, found.value}, std::move(found.inverse_curvature)};
}

Laplace laplace(const FitObjective& objective, const FitPoint& found) {
  const Vector low = objective.low();
  const Vector high = objective.high();
  Vector gradient(objective.size());
  objective.evaluate(found.theta, &gradient);
  Laplace out{found, covariance(information(objective, found.theta, gradient), spreads(objective))};
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Vector move = (out.cov * gradient).cwiseMax(-0.5).cwiseMin(0.5);
    const Vector theta = (out.mode.theta + move).cwiseMax(low).cwiseMin(high);
    Vector there(objective.size());
    const double value = objective.evaluate(theta, &there).log_posterior;
    // Near the maximum, values differ by less than their rounding error; slopes do not.
    if (!(value > out.mode.log_posterior - 1e-8) || there.norm() > gradient.norm()) break;
    out.mode = {theta, value};
    gradient = there;
  }
  return out;
}

}  // namespace iqbo
