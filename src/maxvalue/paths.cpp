#include "iqbo/maxvalue/paths.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "iqbo/average/average_sum.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/spectral.hpp"
#include "iqbo/kernel/white.hpp"
#include "numerics/maximise.hpp"
#include "numerics/sin_cos.hpp"
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

// Windows of no width as points, whose covariances are values of the kernel.
Laws simplified(Laws laws) {
  const auto* spread = laws.parts().size() == 1 ? std::get_if<SpreadLaws>(&laws.parts().front().kind) : nullptr;
  if (spread == nullptr || !spread->sd.isZero(0.0) || !spread->half_width.isZero(0.0)) return laws;
  return Inputs(spread->centre);
}

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
  if (!posterior.inputs().empty()) observed_.emplace_back(Laws(posterior.inputs()), posterior.input_rows());
  if (!asked.empty()) observed_.emplace_back(simplified(conditional.laws(asked)), posterior.query_rows());

  g_.resize(a.size(), count);
  if (a.empty()) return;
  g_ = conditional.cosines(a, frequency_, phase_) * amplitude_ + rest.at_queries.bottomRows(a.size());
  g_.colwise() += conditional.nu(posterior.mean(), a);
  if (t > 0) g_.noalias() += posterior.observed_cov(a) * weights_;
}

Matrix Paths::features(const Inputs& x) const {
  const Index r = frequency_.rows() / 2;
  const auto [sin, cos] = sin_cos(x.coordinates() * frequency_.topRows(r).transpose());
  Matrix out(x.size(), 2 * r);
  out << cos, sin;
  return out;
}

Matrix Paths::f(const Inputs& x) const {
  require_columns(x.dimension(), frequency_.cols(), InputSpace::kName);
  Matrix out = features(x) * amplitude_;
  out.colwise() += posterior_.mean().at(x);
  if (posterior_.size() > 0) out.noalias() += posterior_.observed_cov(x) * weights_;
  return out;
}

std::function<double(const Vector& x, Vector* gradient)> Paths::function(Index path) const {
  // Shared, so that copies of the function share the laws.
  const auto rest = std::make_shared<AverageSum>(AverageSum{posterior_.kernel(), posterior_.mean(), Vector::Ones(1)});
  for (const auto& [laws, rows] : observed_) rest->cross.push_back({laws, weights_.col(path)(rows)});
  return [this, path, rest](const Vector& x, Vector* gradient) {
    const Inputs point(Rows(x.transpose()));
    const Index r = frequency_.rows() / 2;
    const auto of_cos = amplitude_.col(path).head(r);
    const auto of_sin = amplitude_.col(path).tail(r);
    const auto [sin, cos] = sin_cos(frequency_.topRows(r) * x);
    if (gradient != nullptr)
      *gradient = frequency_.topRows(r).transpose() * (of_sin.cwiseProduct(cos) - of_cos.cwiseProduct(sin)) +
                  rest->gradient(point).row(0).transpose();
    return of_cos.dot(cos.col(0)) + of_sin.dot(sin.col(0)) + rest->at(Laws(point))[0];
  };
}

double Paths::f(Index path, const Vector& x, Vector* gradient) const { return function(path)(x, gradient); }

Inputs PathMaxima::spread(const InputBox& box, const Inputs& also, Rng& rng, const PathMaximumOptions& options) {
  Rows out = sobol(options.points, box.dimension(), rng) * (box.upper() - box.lower()).asDiagonal();
  out.rowwise() += box.lower().transpose();
  return also.empty() ? Inputs(std::move(out)) : Inputs(std::move(out)).joined(box.clipped(also));
}

PathMaxima::PathMaxima(const Paths& paths, const InputBox& box, Inputs points, const PathMaximumOptions& options)
    : paths_(paths), box_(box), starts_(options.starts), points_(std::move(points)), values_(paths.f(points_)) {}

PathMaxima::PathMaxima(const Paths& paths, const InputBox& box, const Inputs& also, Rng& rng,
                       const PathMaximumOptions& options)
    : PathMaxima(paths, box, spread(box, also, rng, options), options) {}

PathMaxima::Top PathMaxima::search(Index path) const {
  // Searches in units of the box, so that tolerances mean the same along every axis.
  const Vector width = box_.upper() - box_.lower();
  const auto in_space = paths_.function(path);
  const DifferentiableFunction f = [&](const Vector& u, Vector* gradient) {
    const double value = in_space(box_.lower() + width.cwiseProduct(u), gradient);
    if (gradient != nullptr) *gradient = gradient->cwiseProduct(width);
    return value;
  };
  Top out{{}, -std::numeric_limits<double>::infinity()};
  for (const Index row : best_rows(values_.col(path), starts_)) {
    const Vector start = (points_.row(row).transpose() - box_.lower()).cwiseQuotient(width);
    const Maximum found = maximise(f, start, Vector::Zero(start.size()), Vector::Ones(start.size()));
    if (found.value > out.value) out = {box_.lower() + width.cwiseProduct(found.point), found.value};
  }
  return out;
}

MaxSamples max_of_paths(const Paths& paths, const InputBox& box, const Inputs& also, Rng& rng,
                        const PathMaximumOptions& options) {
  const PathMaxima maxima(paths, box, also, rng, options);
  MaxSamples out{Vector(paths.size())};
  Rows arguments(paths.size(), box.dimension());
  for (Index s = 0; s < paths.size(); ++s) {
    const PathMaxima::Top top = maxima.search(s);
    arguments.row(s) = top.x.transpose();
    out.values[s] = paths.g().rows() > 0 ? std::max(top.value, paths.g().col(s).maxCoeff()) : top.value;
  }
  out.arguments = box.clipped(Inputs(std::move(arguments)));
  return out;
}

}  // namespace iqbo
