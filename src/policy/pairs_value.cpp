#include "iqbo/policy/pairs_value.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

Inputs pairs_contenders(const Posterior& posterior, const Inputs& x) {
  if (x.size() <= kPairsContenders) return x;
  const Marginals f = posterior.f(x);
  const Vector reach = f.mean + 2.0 * f.var.cwiseSqrt();
  std::vector<Index> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::nth_element(order.begin(), order.begin() + kPairsContenders, order.end(),
                   [&](Index i, Index j) { return reach[i] > reach[j]; });
  order.resize(kPairsContenders);
  return Inputs(Rows(x.coordinates()(order, Eigen::all)));
}

// A square root of a covariance whose small negative eigenvalues are rounding.
Matrix root_of(const Matrix& cov) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (cov + cov.transpose()));
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

struct Rise {
  double mean, error;
};

// E max (m + N(0, cov)) - max m. The same draws with both signs, so that an expectation of 0 comes out as 0.
Rise expected_rise(const Vector& m, const Matrix& cov, Rng& rng, Index draws) {
  const Matrix root = root_of(cov);
  const double now = m.maxCoeff();
  const Index pairs = std::max(Index{2}, draws / 2);
  Vector rise(pairs);
  for (Index i = 0; i < pairs; ++i) {
    const Vector d = root * rng.normals(m.size());
    rise[i] = 0.5 * ((m + d).maxCoeff() + (m - d).maxCoeff()) - now;
  }
  const double mean = rise.mean();
  return {mean, std::sqrt((rise.array() - mean).square().sum() / static_cast<double>(pairs - 1) /
                          static_cast<double>(pairs))};
}

}  // namespace

PairsValue value_of_pairs(const Posterior& posterior, const Inputs& x, const Queries& a, double noise_var, Rng& rng,
                          Index draws) {
  require_not_empty(x.size(), "x");
  require_not_empty(a.size(), "a");
  const Kernel* l = posterior.discrepancy();
  if (l == nullptr || l->log_parameters().size() != 1)
    refuse("posterior", "no discrepancy of one parameter", "one with that of a learned conditional");
  if (posterior.queries().empty()) refuse("posterior", "without answers", "at least one answer");
  const Inputs contenders = pairs_contenders(posterior, x);
  const Vector m = posterior.f(contenders).mean;
  const auto half = l->with_log_parameters(Vector(l->log_parameters().array() - std::log(2.0)));

  PairsValue out;
  const Matrix told = posterior.f_cov(contenders) - posterior.with_discrepancy(*half).f_cov(contenders);
  const Rise rise = expected_rise(m, told, rng, draws);
  out.doubling = rise.mean;
  out.doubling_error = rise.error;

  const Marginals g = posterior.g(a);
  out.query = knowledge_gradient(m, posterior.fg_cov(contenders, a), g.var, Vector::Constant(a.size(), noise_var))
                  .maxCoeff(&out.best_query);

  // Cov(f(x), e1(a) | z) and Var(e1(a) | z): e1 is independent of f before the answers.
  Matrix prior = Matrix::Zero(posterior.size(), a.size());
  const std::vector<Index> rows = posterior.query_rows();
  const Matrix with_asked = half->evaluate(posterior.queries().coordinates(), a.coordinates());
  for (std::size_t i = 0; i < rows.size(); ++i) prior.row(rows[i]) = with_asked.row(static_cast<Index>(i));
  const Matrix solved = posterior.solve(prior);
  const Matrix cov = -(posterior.observed_cov(contenders) * solved);
  const Vector var =
      (half->evaluate_diagonal(a.coordinates()) - prior.cwiseProduct(solved).colwise().sum().transpose()).cwiseMax(0.0);
  out.here = knowledge_gradient(m, cov, var, Vector::Zero(a.size()));
  out.here.maxCoeff(&out.best_place);
  return out;
}

}  // namespace iqbo
