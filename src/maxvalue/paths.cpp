#include "iqbo/maxvalue/paths.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/spectral.hpp"
#include "iqbo/kernel/white.hpp"
#include "numerics/maximise.hpp"
#include "numerics/sobol.hpp"

namespace iqbo {

using namespace internal;

namespace {

Matrix normals(Index rows, Index columns, Rng& rng) { return rng.normals(rows * columns).reshaped(rows, columns); }

// Draws of N(0, covariance), one per column. Smooth kernels are singular to working precision: no triangular factor.
Matrix draw(const Matrix& covariance, Index count, Rng& rng) {
  const Eigen::SelfAdjointEigenSolver<Matrix> factor(covariance);
  const Vector sd = factor.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return factor.eigenvectors() * (sd.asDiagonal() * normals(covariance.rows(), count, rng));
}

// What observations at a, then at x, show beyond the smooth part of f: discrepancy, and the nugget (variance `var`).
struct Remainder {
  Matrix at_queries;
  Matrix at_inputs;

  Remainder(const Posterior& posterior, double var, const Queries& a, const Inputs& x, Index count, Rng& rng)
      : at_queries(Matrix::Zero(a.size(), count)), at_inputs(Matrix::Zero(x.size(), count)) {
    if (posterior.discrepancy() == nullptr && var == 0.0) return;
    Matrix covariance = Matrix::Zero(a.size() + x.size(), a.size() + x.size());
    if (posterior.discrepancy() != nullptr && !a.empty())
      covariance.topLeftCorner(a.size(), a.size()) = posterior.discrepancy()->gram(a);
    if (var > 0.0) {
      const White white(var, posterior.kernel().dimension());
      const Conditional& conditional = posterior.conditional();
      if (!a.empty()) covariance.topLeftCorner(a.size(), a.size()) += conditional.q(white, a, a);
      if (!x.empty()) covariance.bottomRightCorner(x.size(), x.size()) += white.gram(x);
      if (!a.empty() && !x.empty()) {
        covariance.bottomLeftCorner(x.size(), a.size()) = conditional.c(white, x, a);
        covariance.topRightCorner(a.size(), x.size()) = conditional.c(white, x, a).transpose();
      }
    }
    const Matrix drawn = draw(covariance, count, rng);
    at_queries = drawn.topRows(a.size());
    at_inputs = drawn.bottomRows(x.size());
  }
};

// The `count` largest entries, best first.
std::vector<Index> best_rows(const Vector& values, Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(values.size()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const auto middle = rows.begin() + std::min(count, values.size());
  std::partial_sort(rows.begin(), middle, rows.end(), [&](Index i, Index j) { return values[i] > values[j]; });
  rows.erase(middle, rows.end());
  return rows;
}

}  // namespace

Paths::Paths(const Posterior& posterior, Queries a, Index count, Rng& rng, const PathOptions& options)
    : posterior_(posterior) {
  if (count < 1) refuse("count", std::to_string(count), "at least 1");
  const auto [frequency, amplitude, nugget] = spectral_features(posterior.kernel(), options.frequencies, rng);
  const Index r = amplitude.size();
  frequency_.resize(2 * r, posterior.kernel().dimension());
  frequency_ << frequency, frequency;
  phase_.resize(2 * r);
  phase_ << Vector::Zero(r), Vector::Constant(r, -0.5 * std::numbers::pi);
  amplitude_ = normals(2 * r, count, rng);
  amplitude_.topRows(r).array().colwise() *= amplitude.array();
  amplitude_.bottomRows(r).array().colwise() *= amplitude.array();

  const Conditional& conditional = posterior.conditional();
  const Queries& asked = posterior.queries();
  const Remainder rest(posterior, nugget, asked.joined(a), posterior.inputs(), count, rng);

  // Subtracts what the prior draws would have returned for the same observations.
  const Index t = posterior.size();
  Matrix residual = posterior.prior_residual().replicate(1, count);
  if (!posterior.inputs().empty())
    residual(posterior.input_rows(), Eigen::all) -= features(posterior.inputs()) * amplitude_ + rest.at_inputs;
  if (!asked.empty())
    residual(posterior.query_rows(), Eigen::all) -=
        conditional.cosines(asked, frequency_, phase_) * amplitude_ + rest.at_queries.topRows(asked.size());
  if (t > 0) residual -= posterior.assumed_noise_var().cwiseSqrt().asDiagonal() * normals(t, count, rng);
  weights_ = posterior.solve(residual);

  g_.resize(a.size(), count);
  if (a.empty()) return;
  g_ = conditional.cosines(a, frequency_, phase_) * amplitude_ + rest.at_queries.bottomRows(a.size());
  g_.colwise() += conditional.nu(posterior.mean(), a);
  if (t > 0) g_.noalias() += posterior.observed_cov(a) * weights_;
}

Matrix Paths::features(const Inputs& x) const {
  return ((x.coordinates() * frequency_.transpose()).rowwise() + phase_.transpose()).array().cos();
}

Matrix Paths::f(const Inputs& x) const {
  require_columns(x.dimension(), frequency_.cols(), InputSpace::kName);
  Matrix out = features(x) * amplitude_;
  out.colwise() += posterior_.mean().at(x);
  if (posterior_.size() > 0) out.noalias() += posterior_.observed_cov(x) * weights_;
  return out;
}

double Paths::f(Index path, const Vector& x, Vector* gradient) const {
  // Central differences, all in one batch: rows 2j+1 and 2j+2 are the neighbours of x along axis j. Steps follow the
  // frequencies, so that they are small in any units.
  const Index d = x.size();
  const Vector step = 1e-5 * frequency_.colwise().norm().transpose().cwiseMax(1e-300).cwiseInverse() *
                      std::sqrt(static_cast<double>(frequency_.rows()));
  Rows around = x.transpose().replicate(gradient == nullptr ? 1 : 2 * d + 1, 1);
  for (Index j = 0; gradient != nullptr && j < d; ++j) {
    around(2 * j + 1, j) += step[j];
    around(2 * j + 2, j) -= step[j];
  }
  const Inputs points(std::move(around));
  Vector value = features(points) * amplitude_.col(path) + posterior_.mean().at(points);
  if (posterior_.size() > 0) value.noalias() += posterior_.observed_cov(points) * weights_.col(path);
  for (Index j = 0; gradient != nullptr && j < d; ++j)
    (*gradient)[j] = (value[2 * j + 1] - value[2 * j + 2]) / (2.0 * step[j]);
  return value[0];
}

MaxSamples max_of_paths(const Paths& paths, const InputBox& box, const Inputs& also, Rng& rng,
                        const PathMaximumOptions& options) {
  const Vector width = box.upper() - box.lower();
  Rows spread = sobol(options.points, box.dimension(), rng) * width.asDiagonal();
  spread.rowwise() += box.lower().transpose();
  Inputs points(std::move(spread));
  if (!also.empty()) points = points.joined(box.clipped(also));
  const Matrix values = paths.f(points);

  MaxSamples out{Vector(paths.size())};
  Rows arguments(paths.size(), box.dimension());
  for (Index s = 0; s < paths.size(); ++s) {
    // Searches in units of the box, so that tolerances mean the same along every axis.
    const DifferentiableFunction path = [&](const Vector& u, Vector* gradient) {
      const double value = paths.f(s, box.lower() + width.cwiseProduct(u), gradient);
      if (gradient != nullptr) *gradient = gradient->cwiseProduct(width);
      return value;
    };
    double best = -std::numeric_limits<double>::infinity();
    for (const Index row : best_rows(values.col(s), options.starts)) {
      const Vector start = (points.row(row).transpose() - box.lower()).cwiseQuotient(width);
      const Maximum found = maximise(path, start, Vector::Zero(start.size()), Vector::Ones(start.size()));
      if (found.value <= best) continue;
      best = found.value;
      arguments.row(s) = (box.lower() + width.cwiseProduct(found.point)).transpose();
    }
    out.values[s] = paths.g().rows() > 0 ? std::max(best, paths.g().col(s).maxCoeff()) : best;
  }
  out.arguments = box.clipped(Inputs(std::move(arguments)));
  return out;
}

}  // namespace iqbo
