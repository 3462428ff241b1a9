#include "search.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "numerics/maximise.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Kind = FitParameter::Kind;

constexpr double kStep = 1e-3;      // of central differences of the gradient, in logarithms: error about 1e-6
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

// -d^2 log posterior / dtheta^2 by differences of the analytic gradient.
Matrix information(const FitObjective& objective, const Vector& at) {
  const Index p = at.size();
  Matrix out(p, p);
  Vector ahead(p);
  Vector behind(p);
  for (Index i = 0; i < p; ++i) {
    Vector theta = at;
    theta[i] = at[i] + kStep;
    const bool one = std::isfinite(objective.evaluate(theta, &ahead).log_posterior);
    theta[i] = at[i] - kStep;
    const bool other = std::isfinite(objective.evaluate(theta, &behind).log_posterior);
    out.col(i) = one && other ? Vector((behind - ahead) / (2.0 * kStep)) : Vector(Vector::Zero(p));
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

FitPoint climb(const FitObjective& objective, const Vector& start, int budget, double tolerance) {
  // Scaled per observation: the first step of the search assumes slopes of order one.
  const double scale = 1.0 / static_cast<double>(std::max<Index>(1, objective.data().size()));
  const auto f = [&](const Vector& theta, Vector* gradient) {
    const double value = objective.evaluate(theta, gradient).log_posterior;
    if (gradient != nullptr) *gradient *= scale;
    return value * scale;
  };
  const Maximum found = maximise(f, start, objective.low(), objective.high(),
                                 {std::max(1, budget), tolerance * scale, 1e-3 * std::sqrt(tolerance)});
  return {found.point, found.value / scale};
}

Laplace laplace(const FitObjective& objective, const FitPoint& found) {
  const Vector low = objective.low();
  const Vector high = objective.high();
  Laplace out{found, covariance(information(objective, found.theta), spreads(objective))};
  Vector gradient(objective.size());
  objective.evaluate(found.theta, &gradient);
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
