#include "jackknife.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

constexpr Index kCosinesForVar = 100;  // per lengthscale; the relative error of a variance is then about 1 / sqrt(100)

double variance_ratio(const std::vector<Laws>& laws, const Kernel& term, Rng& rng) {
  const Vector lengthscale = term.log_parameters().tail(term.dimension()).array().exp();
  Rows frequency(kCosinesForVar, term.dimension());
  for (Index r = 0; r < kCosinesForVar; ++r)
    frequency.row(r) = rng.normals(term.dimension()).cwiseQuotient(lengthscale).transpose();
  const Vector phase = 2.0 * std::numbers::pi * rng.uniforms(kCosinesForVar, 1).col(0);
  std::vector<Matrix> g;
  for (const Laws& p : laws) g.push_back(expect_cosines(p, frequency, phase));
  Matrix mean = Matrix::Zero(g.front().rows(), kCosinesForVar);
  const auto folds = static_cast<double>(g.size());
  for (const Matrix& refit : g) mean += refit / folds;
  double apart = 0.0;
  for (const Matrix& refit : g) apart += (refit - mean).squaredNorm();
  return (folds - 1.0) / folds * apart / (mean.rowwise() - mean.colwise().mean()).squaredNorm();
}

}  // namespace

double jackknife_error(const std::vector<Laws>& laws, const Sum& kappa) {
  Rng rng(20261);
  double sum = 0.0;
  for (const auto& term : kappa.terms()) sum += variance_ratio(laws, *term, rng);
  const double error = std::sqrt(sum / static_cast<double>(kappa.terms().size()));
  return std::isfinite(error) ? std::min(error, 1.0) : 1.0;
}

}  // namespace iqbo
