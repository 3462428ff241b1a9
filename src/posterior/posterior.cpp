#include "iqbo/posterior/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "iqbo/conditional/expectation.hpp"
#include "iqbo/numerics/cholesky.hpp"
#include "observations.hpp"

namespace iqbo {
namespace {

// Candidates at a time: with t = 500 their covariances with the data fit the second-level cache.
constexpr Index kChunk = 256;

}  // namespace

NoiseVar::NoiseVar(double value) : values_(Vector::Constant(1, value)), common_(true) {}

Vector NoiseVar::of(Index observations) const {
  if (!common_) require_rows(values_.size(), observations, "noise_var");
  require_non_negative(values_, "noise_var");
  return common_ ? Vector::Constant(observations, values_[0]) : values_;
}

struct Posterior::State {
  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const Conditional> conditional;
  std::shared_ptr<const Mean> mean;
  Observations data;
  Cholesky factor;  // L L' = S
  Vector residual;  // z - nu
  Vector weights;   // S^-1 (z - nu)

  // The state with `more` in place of `data`, of which it is a continuation by the laws `added`.
  State extended(Observations more, const Laws& added) const {
    State out{kernel, conditional, mean, std::move(more), {}, {}, {}};
    const Index n = added.size();
    Matrix corner = expect(*kernel, added, added);
    corner.diagonal() += out.data.noise_var().tail(n);
    auto grown = data.size() == 0 ? std::nullopt : factor.extended(data.covariance(*kernel, added).transpose(), corner);
    if (grown)
      out.factor = *std::move(grown);
    else
      out.factor = data.size() == 0 ? Cholesky(corner) : out.whole_factor();
    out.weigh();
    return out;
  }

  Cholesky whole_factor() const {
    Matrix s = data.covariance(*kernel);
    s.diagonal() += data.noise_var();
    return Cholesky(s);
  }

  void weigh() {
    residual = data.z() - data.prior_mean(*mean);
    weights = factor.solve(residual);
  }

  // L^-1 Cov(observations, laws).
  Matrix explained(const Laws& laws) const {
    Matrix v = data.covariance(*kernel, laws);
    factor.solve_lower_in_place(v);
    return v;
  }

  Matrix covariance(const Laws& left, const Laws& right) const {
    Matrix out = expect(*kernel, left, right);
    if (data.size() > 0) out.noalias() -= explained(left).transpose() * explained(right);
    return out;
  }

  // laws(begin, count): the laws of those candidates.
  template <class LawsOf>
  Marginals marginals(Index size, LawsOf laws_of) const {
    Marginals out{Vector(size), Vector(size)};
    for (Index begin = 0; begin < size; begin += kChunk) {
      const Index count = std::min(kChunk, size - begin);
      const Laws laws = laws_of(begin, count);
      auto mean_out = out.mean.segment(begin, count);
      auto var_out = out.var.segment(begin, count);
      mean_out = expect(*mean, laws);
      var_out = expect_diagonal(*kernel, laws);
      if (data.size() > 0) {
        Matrix v = data.covariance(*kernel, laws);
        mean_out.noalias() += v.transpose() * weights;
        factor.solve_lower_in_place(v);
        var_out -= v.colwise().squaredNorm().transpose();
      }
      var_out = var_out.cwiseMax(0.0);
    }
    return out;
  }
};

Posterior::Posterior(const Kernel& kernel, const Conditional& conditional, const Mean& mean) {
  require_columns(kernel.dimension(), conditional.input_dimension(), "kernel");
  state_ = std::make_shared<const State>(
      State{kernel.clone(), conditional.clone(), mean.clone(), Observations{}, Cholesky{}, Vector{}, Vector{}});
}

Posterior Posterior::condition(const Queries& a, const Vector& z, const NoiseVar& noise_var) const {
  require_not_empty(a.size(), QuerySpace::kName);
  require_rows(z.size(), a.size(), "z");
  require_finite(z, "z");
  const Vector noise = noise_var.of(a.size());
  const Laws laws = conditional().laws(a);
  return Posterior(std::make_shared<const State>(state_->extended(state_->data.with(a, laws, z, noise), laws)));
}

Posterior Posterior::condition(const Inputs& x, const Vector& z, const NoiseVar& noise_var) const {
  require_not_empty(x.size(), InputSpace::kName);
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  require_rows(z.size(), x.size(), "z");
  require_finite(z, "z");
  const Vector noise = noise_var.of(x.size());
  return Posterior(std::make_shared<const State>(state_->extended(state_->data.with(x, z, noise), x)));
}

Posterior Posterior::with_prior(const Kernel& kernel, const Mean& mean) const {
  require_columns(kernel.dimension(), conditional().input_dimension(), "kernel");
  State out{kernel.clone(), state_->conditional, mean.clone(), state_->data, {}, {}, {}};
  if (size() > 0) {
    out.factor = out.whole_factor();
    out.weigh();
  }
  return Posterior(std::make_shared<const State>(std::move(out)));
}

Marginals Posterior::f(const Inputs& x) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  return state_->marginals(x.size(), [&](Index begin, Index count) { return Laws(x.slice(begin, count)); });
}

Marginals Posterior::g(const Queries& a) const {
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  return state_->marginals(a.size(),
                           [&](Index begin, Index count) { return conditional().laws(a.slice(begin, count)); });
}

Matrix Posterior::f_cov(const Inputs& x, const Inputs& y) const { return state_->covariance(x, y); }

Matrix Posterior::g_cov(const Queries& a, const Queries& b) const {
  return state_->covariance(conditional().laws(a), conditional().laws(b));
}

Matrix Posterior::fg_cov(const Inputs& x, const Queries& a) const {
  return state_->covariance(x, conditional().laws(a));
}

double Posterior::log_evidence() const {
  const auto t = static_cast<double>(size());
  return -0.5 * (state_->residual.dot(state_->weights) + state_->factor.log_determinant() +
                 t * std::log(2.0 * std::numbers::pi));
}

EvidenceGradient Posterior::log_evidence_gradient() const {
  const Vector& w = state_->weights;
  const Matrix weight = 0.5 * (w * w.transpose() - state_->factor.inverse());
  return {state_->data.pull_back(kernel(), weight), state_->data.mean_jacobian(mean()).transpose() * w,
          weight.diagonal()};
}

double Posterior::information_gain() const {
  if ((noise_var().array() == 0.0).any()) return std::numeric_limits<double>::infinity();
  return 0.5 * (state_->factor.log_determinant() - noise_var().array().log().sum());
}

const Kernel& Posterior::kernel() const { return *state_->kernel; }
const Conditional& Posterior::conditional() const { return *state_->conditional; }
const Mean& Posterior::mean() const { return *state_->mean; }
Index Posterior::size() const { return state_->data.size(); }
const Inputs& Posterior::inputs() const { return state_->data.inputs(); }
const Queries& Posterior::queries() const { return state_->data.queries(); }
const Vector& Posterior::z() const { return state_->data.z(); }
const Vector& Posterior::noise_var() const { return state_->data.noise_var(); }
double Posterior::jitter() const { return state_->factor.jitter(); }

}  // namespace iqbo
