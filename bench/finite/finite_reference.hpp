// Recompute everything: what a finite belief is measured against. At each suggestion the posterior covariance of f on X
// is formed and factored, and paths are drawn from the factor; g is conditioned by triangular solves.
//
//   C = Cov(observations, f(X)),   V = L^-1 C,   S = K - V'V + jitter = M M',   paths m + M eps
//
// Not a straw man: the prior is computed once, products are matrix products, only lower triangles are touched, and the
// Cholesky factorisation that the name stands for is most of the time.
#pragma once

#include <Eigen/Cholesky>
#include <utility>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo::bench {

class Reference {
 public:
  Reference(const Posterior& prior, const Inputs& x, const Queries& a)
      : on_support_(prior.kernel().gram(*prior.conditional().support())),
        across_(prior.kernel().gram(*prior.conditional().support(), x)),
        on_x_(prior.kernel().gram(x)) {
    const Index points = on_support_.rows();
    weight_ = prior.conditional().average(a, Matrix::Identity(points, points));
    g_prior_ = (weight_ * on_support_).cwiseProduct(weight_).rowwise().sum();
    draw_ = Matrix(x.size(), x.size());
  }

  void observe(Index query, double z, double noise_var) {
    const Index t = z_.size();
    const Vector w = weight_.row(query);
    with_x_.conservativeResize(t + 1, on_x_.rows());
    with_a_.conservativeResize(t + 1, weight_.rows());
    with_x_.row(t) = w.transpose() * across_;
    with_a_.row(t) = weight_ * (on_support_ * w);
    query_.push_back(query);
    z_.conservativeResize(t + 1);
    z_[t] = z;
    noise_var_ = noise_var;
  }

  Matrix draw(Index count, Rng& rng) {
    draw_.triangularView<Eigen::Lower>() = on_x_;
    draw_.diagonal().array() += kJitter;
    Vector mean = Vector::Zero(on_x_.rows());
    if (z_.size() > 0) {
      Matrix v = with_x_;
      factor().solveInPlace(v);
      draw_.selfadjointView<Eigen::Lower>().rankUpdate(v.transpose(), -1.0);
      mean = v.transpose() * solved_z();
    }
    const Eigen::LLT<Eigen::Ref<Matrix>> llt(draw_);
    Matrix eps(on_x_.rows(), count);
    for (Index j = 0; j < count; ++j) eps.col(j) = rng.normals(eps.rows());
    Matrix out = llt.matrixL() * eps;
    out.colwise() += mean;
    return out;
  }

  Marginals g() {
    if (z_.size() == 0) return {Vector::Zero(weight_.rows()), g_prior_};
    Matrix v = with_a_;
    factor().solveInPlace(v);
    return {v.transpose() * solved_z(), (g_prior_ - v.colwise().squaredNorm().transpose()).cwiseMax(0.0)};
  }

 private:
  static constexpr double kJitter = 1e-8;

  Eigen::TriangularView<const Matrix, Eigen::Lower> factor() {
    Matrix s = with_a_(Eigen::all, query_);
    s.diagonal().array() += noise_var_;
    lower_ = Eigen::LLT<Matrix>(s).matrixL();
    return std::as_const(lower_).triangularView<Eigen::Lower>();
  }
  Vector solved_z() const { return lower_.triangularView<Eigen::Lower>().solve(z_); }

  Matrix on_support_;
  Matrix across_;
  Matrix on_x_;
  Matrix weight_;
  Vector g_prior_;
  Matrix with_x_;
  Matrix with_a_;
  std::vector<Index> query_;
  Vector z_;
  double noise_var_ = 0.0;
  Matrix lower_;
  Matrix draw_;
};

}  // namespace iqbo::bench
