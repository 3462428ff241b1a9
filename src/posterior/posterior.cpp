#include "iqbo/posterior/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "iqbo/average/average_sum.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/errors.hpp"
#include "iqbo/core/stop.hpp"
#include "least_noise.hpp"
#include "numerics/cholesky.hpp"
#include "observations.hpp"
#include "prior.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Candidates per chunk: with t = 500 their covariances with the data fit the second-level cache.
constexpr Index kChunk = 256;
constexpr Index kSharedValues = Index{1} << 22;

// Sums of weights times covariances have rounding errors of 1e-16 sum |weight| amplitude: above this limit, over 1e-10.
constexpr double kCancelling = 1e6;

void require_dimension(const Mean& mean, const Kernel& kernel) {
  if (mean.dimension() != 0) require_columns(mean.dimension(), kernel.dimension(), "mean");
}

Marginals sliced(const Marginals& all, Index begin, Index count) {
  const auto some = [&](const Vector& v) -> Vector { return v.size() == 0 ? v : Vector(v.segment(begin, count)); };
  return {some(all.mean), some(all.var)};
}

template <class Body>
void for_chunks(Index size, Body body) {
  for (Index begin = 0; begin < size; begin += kChunk) body(begin, std::min(kChunk, size - begin));
}

}  // namespace

NoiseVar::NoiseVar(double value) : values_(Vector::Constant(1, value)), columns_(1), common_(true) {}

Vector NoiseVar::of(Index observations) const {
  if (!common_) require_columns(columns_, 1, "noise_var");
  if (!common_) require_rows(values_.size(), observations, "noise_var");
  require_non_negative(values_, "noise_var");
  return common_ ? Vector::Constant(observations, values_[0]) : values_;
}

struct Posterior::State {
  std::shared_ptr<const Conditional> conditional;
  Prior prior;
  Observations data;
  double share = 0.0;         // of the variance: the least noise (least_noise.hpp)
  Vector noise;               // variances, as assumed
  Cholesky factor;            // L L' = S
  Vector residual;            // z - nu
  Vector weights;             // S^-1 (z - nu)
  ExtendedVector cancelling;  // the same in extended precision, where double is not enough
  std::optional<Contradiction> contradiction;
  Index contradicted = -1;  // which observation that is

  State(std::shared_ptr<const Conditional> p_x_given_a, Prior assumed)
      : conditional(std::move(p_x_given_a)), prior(std::move(assumed)) {}

  // All of `observations` at once.
  State(std::shared_ptr<const Conditional> p_x_given_a, Prior assumed, Observations observations)
      : conditional(std::move(p_x_given_a)), prior(std::move(assumed)), data(std::move(observations)) {
    for (const auto& part : data.parts()) share = std::max(share, LeastNoise::share(part.functionals.laws));
    Matrix s = data.covariance(prior);
    noise = assumed_of(s.diagonal(), data.z(), data.noise_var());
    s.diagonal() += noise;
    factor = Cholesky(s);
    weigh();
  }

  State with(const Functionals& added, const Vector& z, const Vector& noise_var) const {
    Observations more = data.with(added, z, noise_var);
    if (data.size() == 0 || LeastNoise::share(added.laws) > share) return {conditional, prior, std::move(more)};
    Matrix corner = prior.covariance(added, added);
    const Vector added_noise = assumed_of(corner.diagonal(), z, noise_var);
    corner.diagonal() += added_noise;
    auto grown = factor.extended(data.covariance(prior, added).transpose(), corner);
    if (!grown) return {conditional, prior, std::move(more)};  // more jitter is needed
    State out(conditional, prior);
    out.data = std::move(more);
    out.share = share;
    out.noise.resize(out.data.size());
    out.noise << noise, added_noise;
    out.factor = *std::move(grown);
    out.weigh();
    return out;
  }

  Vector assumed_of(const Vector& var, const Vector& z, const Vector& stated) const {
    Vector out(z.size());
    for (Index i = 0; i < z.size(); ++i) out[i] = LeastNoise::of(share, var[i], z[i], stated[i]);
    return out;
  }

  // The first observation that those before it contradict, and none of them agrees with; with its repeat among them if
  // there is one.
  void look_for_contradiction() {
    if (!(data.noise_var().array() < noise.array()).any()) return;
    Vector surprise = residual;
    factor.solve_lower_in_place(surprise);
    const Vector sd = factor.lower().diagonal();
    for (Index i = 0; i < data.size(); ++i) {
      if (!Determined::contradicts(surprise[i], sd[i] * sd[i], noise[i], data.noise_var()[i])) continue;
      Contradiction::Observed it = data.observed(i);
      it.expected = it.z - sd[i] * surprise[i];
      it.noise_sd = std::sqrt(noise[i]);
      bool agrees = false;
      for (Index j = 0; j < i && !agrees; ++j) {
        const Contradiction::Observed other = data.observed(j);
        if (data.noise_var()[j] >= noise[j] || other.averaged != it.averaged || other.at != it.at) continue;
        agrees = Determined::agree(it.z, other.z, noise[i], noise[j]);
        if (!it.repeat) it.expected = other.z;
        it.repeat = true;
      }
      if (agrees) continue;
      contradiction.emplace(it);
      contradicted = i;
      return;
    }
  }

  void weigh() {
    residual = data.z() - data.prior_mean(prior);
    look_for_contradiction();
    ExtendedVector full = factor.solve_extended(residual);
    weights = full.cast<double>();
    const double amplitude = std::sqrt(factor.diagonal().maxCoeff());
    if (weights.lpNorm<1>() * amplitude > kCancelling) cancelling = std::move(full);
  }

  // Nothing is predicted from observations that contradict each other; their evidence can still be compared.
  void require_consistent() const {
    if (contradiction) throw Contradiction(*contradiction);
  }

  // v' S^-1 (z - nu), summed in extended precision where the terms are large enough to cancel.
  Vector weighted_sums(const Matrix& v) const {
    if (cancelling.size() == 0) return v.transpose() * weights;
    return (v.transpose().cast<long double>() * cancelling).cast<double>();
  }

  // L^-1 Cov(observations, functionals).
  Matrix explained(const Functionals& functionals) const {
    Matrix v = data.covariance(prior, functionals);
    factor.solve_lower_in_place(v);
    return v;
  }

  Matrix covariance(const Functionals& left, const Functionals& right) const {
    require_consistent();
    Matrix out = prior.covariance(left, right);
    if (data.size() > 0) out.noalias() -= explained(left).transpose() * explained(right);
    return out;
  }

  Matrix covariance(const Functionals& all) const {
    require_consistent();
    Matrix out = prior.covariance(all, all);
    if (data.size() == 0) return out;
    const Matrix v = explained(all);
    out.noalias() -= v.transpose() * v;
    return out;
  }

  // Writes the weighted posterior at `some` as a sum of prior averages whose weights are constant to first order. The
  // weight of C = Cov(observations, some) is S^-1 (z - nu) weight.mean' - S^-1 (2 C diag(weight.var) + seen); seen is
  // Cov(observations, f(x)) times the weights of Cov(f(x), some), or empty.
  AverageSum average_sum(const Functionals& some, const Marginals& weight, const Matrix& seen) const {
    require_consistent();
    AverageSum sum{*prior.kernel, *prior.mean, weight.mean, weight.var};
    if (data.size() == 0) return sum;
    Matrix in_data = seen.size() > 0 ? Matrix(-seen) : Matrix(Matrix::Zero(data.size(), some.size()));
    if (weight.var.size() > 0) in_data -= 2.0 * data.covariance(prior, some) * weight.var.asDiagonal();
    if (weight.var.size() > 0 || seen.size() > 0) {
      factor.solve_lower_in_place(in_data);
      factor.solve_upper_in_place(in_data);
    }
    if (weight.mean.size() > 0) in_data += weights * weight.mean.transpose();
    for (const auto& part : data.parts()) sum.cross.push_back({part.functionals.laws, in_data(part.rows, Eigen::all)});
    return sum;
  }

  Rows f_pull_back(const Inputs& x, const Marginals& weight) const {
    return average_sum(looks(x), weight, {}).gradient(x);
  }

  // `at_x`: the inputs x of the covariances Cov(f(x), g(a)) that `fg_weight` weighs, or null.
  Rows g_pull_back(const Queries& a, const Marginals& weight, const Inputs* at_x, const Matrix& fg_weight,
                   const Matrix& seen) const {
    AverageSum sum = average_sum(averages(*conditional, a), weight, seen);
    Rows discrepancy_part = Rows::Zero(a.size(), a.dimension());
    if (prior.discrepancy) {
      for (std::size_t p = 0; p < data.parts().size(); ++p)
        if (const Functionals& part = data.parts()[p].functionals; part.averaged())
          discrepancy_part += prior.discrepancy->input_pull_back(a, part.queries, sum.cross[p].weight.transpose());
      if (weight.var.size() > 0) discrepancy_part += prior.discrepancy->diagonal_pull_back(a, weight.var);
    }
    if (at_x != nullptr) sum.cross.push_back({Laws(*at_x), fg_weight});
    return conditional->pull_back(a, sum) + discrepancy_part;
  }

  const DiscreteLaws* on_support(const Laws& laws) const {
    if (laws.parts().size() != 1) return nullptr;
    const auto* discrete = std::get_if<DiscreteLaws>(&laws.parts().front().kind);
    return discrete != nullptr && discrete->support.get() == conditional->support() ? discrete : nullptr;
  }

  // What a pull-back needs: the inputs, and their covariances with the observations.
  References seen_at(const Inputs& x) const {
    return {x, {}, data.size() > 0 ? data.covariance(prior, looks(x)) : Matrix(0, x.size()), Matrix(0, x.size()), {}};
  }

  // The laws of some query say how its points are meant; each point of the support is then a law of that kind.
  void add_support(References& out) const {
    const Inputs* support = conditional->support();
    if (support == nullptr || support->size() > kMostSupport || data.queries().empty()) return;
    const Laws some = conditional->laws(data.queries().slice(0, 1));
    const DiscreteLaws* known = on_support(some);
    if (known == nullptr) return;
    const Index n = support->size();
    SparseRows one(n, n);
    one.setIdentity();
    const Laws each(DiscreteLaws{known->support, one, known->of_density, known->exact_constant});
    out.of_density = known->of_density;
    out.of_support.resize(n, n + out.x.size() + data.size());
    out.of_support.leftCols(n) = expect(*prior.kernel, each, each);
    out.of_support.middleCols(n, out.x.size()) = expect(*prior.kernel, each, Laws(out.x));
    for (const auto& part : data.parts()) {
      const Matrix with_part = expect(*prior.kernel, each, part.functionals.laws);
      for (std::size_t i = 0; i < part.rows.size(); ++i)
        out.of_support.col(n + out.x.size() + part.rows[i]) = with_part.col(static_cast<Index>(i));
    }
  }

  // Prior variances, and covariances with f(x) and with the observations, one column for each functional.
  struct PriorCov {
    Vector var;
    Matrix with_x, with_data;
  };
  PriorCov prior_of(const Functionals& some, const References& x) const {
    const DiscreteLaws* laws = x.of_support.size() > 0 ? on_support(some.laws) : nullptr;
    if (laws == nullptr || laws->of_density != x.of_density)
      return {prior.variance(some), prior.covariance(looks(x.x), some), data.covariance(prior, some)};
    const Index n = x.of_support.rows();
    const Matrix all = laws->weight * x.of_support;
    PriorCov out{Vector::Zero(some.size()), all.middleCols(n, x.x.size()).transpose(),
                 all.rightCols(data.size()).transpose()};
    for (Index i = 0; i < some.size(); ++i)
      for (SparseRows::InnerIterator it(laws->weight, i); it; ++it) out.var[i] += it.value() * all(i, it.col());
    if (!prior.discrepancy) return out;
    out.var += prior.discrepancy->diagonal(some.queries);
    for (const auto& part : data.parts())
      if (part.functionals.averaged())
        out.with_data(part.rows, Eigen::all) += prior.discrepancy->gram(part.functionals.queries, some.queries);
    return out;
  }

  // Chunks are small where each candidate brings its own covariances; candidates over listed points share the kernel
  // values of those points, so that chunks are then as large as 32 MB allow.
  Index chunk() const {
    if (conditional->support() == nullptr) return kChunk;
    return std::max(kChunk, kSharedValues / std::max<Index>(1, data.size()));
  }

  // candidates(begin, count) returns the functionals of a chunk.
  template <class Candidates>
  Marginals marginals(Index size, Candidates candidates) const {
    require_consistent();
    Marginals out{Vector(size), Vector(size)};
    for (Index begin = 0; begin < size; begin += chunk()) {
      stop_point();
      const Index count = std::min(chunk(), size - begin);
      const Functionals some = candidates(begin, count);
      auto mean_out = out.mean.segment(begin, count);
      auto var_out = out.var.segment(begin, count);
      mean_out = prior.mean_of(some);
      var_out = prior.variance(some).cwiseMax(0.0);
      if (data.size() == 0) continue;
      Matrix v = data.covariance(prior, some);
      mean_out += weighted_sums(v);
      factor.solve_lower_in_place(v);
      const Vector least = std::max(share, LeastNoise::share(some.laws)) * var_out;
      var_out = (var_out - v.colwise().squaredNorm().transpose()).cwiseMax(least);
    }
    return out;
  }
};

Posterior::Posterior(const Kernel& kernel, const Conditional& conditional, const Mean& mean) {
  require_columns(kernel.dimension(), conditional.input_dimension(), "kernel");
  require_dimension(mean, kernel);
  state_ = std::make_shared<const State>(conditional.clone(), Prior{kernel.clone(), mean.clone(), nullptr});
}

Posterior Posterior::condition(const Queries& a, const Vector& z, const NoiseVar& noise_var) const {
  require_not_empty(a.size(), QuerySpace::kName);
  require_rows(z.size(), a.size(), "z");
  require_finite(z, "z");
  const Vector noise = noise_var.of(a.size());
  return Posterior(std::make_shared<const State>(state_->with(averages(conditional(), a), z, noise)));
}

Posterior Posterior::condition(const Inputs& x, const Vector& z, const NoiseVar& noise_var) const {
  require_not_empty(x.size(), InputSpace::kName);
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  require_rows(z.size(), x.size(), "z");
  require_finite(z, "z");
  const Vector noise = noise_var.of(x.size());
  return Posterior(std::make_shared<const State>(state_->with(looks(x), z, noise)));
}

Posterior Posterior::with(Prior prior, const Vector& noise_var) const {
  if (size() == 0) return Posterior(std::make_shared<const State>(state_->conditional, std::move(prior)));
  return Posterior(
      std::make_shared<const State>(state_->conditional, std::move(prior), state_->data.with_noise_var(noise_var)));
}

Posterior Posterior::with_prior(const Kernel& kernel, const Mean& mean) const {
  require_columns(kernel.dimension(), conditional().input_dimension(), "kernel");
  require_dimension(mean, kernel);
  return with({kernel.clone(), mean.clone(), state_->prior.discrepancy}, noise_var());
}

Posterior Posterior::with_discrepancy(const Kernel& l) const {
  require_columns(l.dimension(), conditional().query_dimension(), "l");
  return with({state_->prior.kernel, state_->prior.mean, l.clone()}, noise_var());
}

Posterior Posterior::with_conditional(const Conditional& conditional) const {
  require_columns(conditional.input_dimension(), kernel().dimension(), "conditional");
  Posterior out(std::make_shared<const State>(conditional.clone(), state_->prior));
  if (!queries().empty()) require_columns(conditional.query_dimension(), queries().dimension(), "conditional");
  if (size() == 0) return out;
  return Posterior(
      std::make_shared<const State>(conditional.clone(), state_->prior, state_->data.with_laws(conditional)));
}

Posterior Posterior::with_noise_var(const NoiseVar& noise_var) const {
  return with(state_->prior, noise_var.of(size()));
}

Marginals Posterior::f(const Inputs& x) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  return state_->marginals(x.size(), [&](Index begin, Index count) { return looks(x.slice(begin, count)); });
}

Marginals Posterior::g(const Queries& a) const {
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  return state_->marginals(a.size(),
                           [&](Index begin, Index count) { return averages(conditional(), a.slice(begin, count)); });
}

Matrix Posterior::f_cov(const Inputs& x, const Inputs& y) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  require_columns(y.dimension(), kernel().dimension(), "y");
  if (&x == &y) return state_->covariance(looks(x));
  return state_->covariance(looks(x), looks(y));
}

Matrix Posterior::g_cov(const Queries& a, const Queries& b) const {
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  require_columns(b.dimension(), conditional().query_dimension(), "b");
  if (&a == &b) return state_->covariance(averages(conditional(), a));
  return state_->covariance(averages(conditional(), a), averages(conditional(), b));
}

Matrix Posterior::fg_cov(const Inputs& x, const Queries& a) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  return state_->covariance(looks(x), averages(conditional(), a));
}

Posterior::References Posterior::references(const Inputs& x) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  state_->require_consistent();
  References out = state_->seen_at(x);
  out.mean = state_->prior.mean_of(looks(x));
  if (size() > 0) {
    out.mean += state_->weighted_sums(out.seen);
    out.explained = out.seen;
    state_->factor.solve_lower_in_place(out.explained);
  }
  state_->add_support(out);
  return out;
}

Posterior::Outlook Posterior::outlook(const References& x, const Queries& a) const {
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  require_not_empty(a.size(), QuerySpace::kName);
  state_->require_consistent();
  const Functionals some = averages(conditional(), a);
  auto [var, with_x, with_data] = state_->prior_of(some, x);
  Marginals g{state_->prior.mean_of(some), var.cwiseMax(0.0)};
  if (size() == 0) return {std::move(g), std::move(with_x)};
  g.mean += state_->weighted_sums(with_data);
  state_->factor.solve_lower_in_place(with_data);
  const Vector least = std::max(state_->share, LeastNoise::share(some.laws)) * g.var;
  g.var = (g.var - with_data.colwise().squaredNorm().transpose()).cwiseMax(least);
  with_x.noalias() -= x.explained.transpose() * with_data;
  return {std::move(g), std::move(with_x)};
}

Gradients Posterior::gradients() const {
  const Gradients of_laws = conditional().gradients();
  return mean().is_affine() ? of_laws : std::min(of_laws, Gradients::kDifferences);
}

Rows Posterior::f_pull_back(const Inputs& x, const Marginals& weight) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  require_weights(weight, x.size());
  Rows out(x.size(), x.dimension());
  for_chunks(x.size(), [&](Index begin, Index count) {
    out.middleRows(begin, count) = state_->f_pull_back(x.slice(begin, count), sliced(weight, begin, count));
  });
  return out;
}

Rows Posterior::g_pull_back(const Queries& a, const Marginals& weight) const {
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  require_weights(weight, a.size());
  Rows out(a.size(), a.dimension());
  for_chunks(a.size(), [&](Index begin, Index count) {
    out.middleRows(begin, count) =
        state_->g_pull_back(a.slice(begin, count), sliced(weight, begin, count), nullptr, {}, {});
  });
  return out;
}

Rows Posterior::g_pull_back(const Queries& a, const Marginals& weight, const Inputs& x, const Matrix& fg_weight) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  return g_pull_back(a, weight, state_->seen_at(x), fg_weight);
}

Rows Posterior::g_pull_back(const Queries& a, const Marginals& weight, const References& x,
                            const Matrix& fg_weight) const {
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  require_weights(weight, a.size());
  require_rows(fg_weight.rows(), x.x.size(), "fg_weight");
  require_columns(fg_weight.cols(), a.size(), "fg_weight");
  Rows out(a.size(), a.dimension());
  for_chunks(a.size(), [&](Index begin, Index count) {
    const Matrix some = fg_weight.middleCols(begin, count);
    const Matrix seen = size() > 0 ? Matrix(x.seen * some) : Matrix();
    out.middleRows(begin, count) =
        state_->g_pull_back(a.slice(begin, count), sliced(weight, begin, count), &x.x, some, seen);
  });
  return out;
}

Marginals Posterior::one_step_ahead() const {
  if (size() == 0) return {};
  Matrix surprise = state_->residual;
  state_->factor.solve_lower_in_place(surprise);
  const Vector sd = state_->factor.lower().diagonal();
  return {z() - sd.cwiseProduct(surprise.col(0)), sd.cwiseAbs2()};
}

std::optional<Index> Posterior::contradicted() const {
  if (!state_->contradiction) return std::nullopt;
  return state_->contradicted;
}

double Posterior::log_evidence() const {
  const auto t = static_cast<double>(size());
  const double out = -0.5 * (state_->residual.dot(state_->weights) + state_->factor.log_determinant() +
                             t * std::log(2.0 * std::numbers::pi));
  if (!std::isfinite(out))
    throw NumericalError("log p(z) is beyond the range of numbers: an answer differs from the prior mean by " +
                         readable(state_->residual.cwiseAbs().maxCoeff()) +
                         "; give answers in another unit, or a kernel with a larger variance");
  return out;
}

EvidenceGradient Posterior::log_evidence_gradient() const {
  const Vector& w = state_->weights;
  Matrix weight = 0.5 * (w * w.transpose() - state_->factor.inverse());
  Vector in_noise = weight.diagonal();
  for (Index i = 0; i < size(); ++i) {
    if (noise_var()[i] >= state_->noise[i]) continue;
    in_noise[i] = 0.0;
    if (state_->noise[i] > LeastNoise::of(0.0, 0.0, z()[i], 0.0)) weight(i, i) *= 1.0 + state_->share;
  }
  const auto [in_kernel, in_discrepancy] = state_->data.pull_back(state_->prior, weight);
  return {in_kernel, in_discrepancy, state_->data.mean_jacobian(state_->prior).transpose() * w, in_noise};
}

double Posterior::information_gain() const {
  if ((noise_var().array() == 0.0).any()) return std::numeric_limits<double>::infinity();
  // Jitter, where there is any, acts as noise and is counted as such.
  const double share = jitter() / (1.0 + jitter());
  const Vector noise = state_->noise + share * (size() > 0 ? state_->factor.diagonal() : Vector());
  return 0.5 * (state_->factor.log_determinant() - noise.array().log().sum());
}

const Vector& Posterior::prior_residual() const { return state_->residual; }

Matrix Posterior::solve(const Matrix& right) const {
  require_rows(right.rows(), size(), "right");
  state_->require_consistent();
  Matrix out = right;
  state_->factor.solve_lower_in_place(out);
  state_->factor.solve_upper_in_place(out);
  return out;
}

Matrix Posterior::observed_cov(const Inputs& x) const {
  require_columns(x.dimension(), kernel().dimension(), InputSpace::kName);
  return state_->data.covariance(state_->prior, looks(x)).transpose();
}

Matrix Posterior::observed_cov(const Queries& a) const {
  require_columns(a.dimension(), conditional().query_dimension(), QuerySpace::kName);
  return state_->data.covariance(state_->prior, averages(conditional(), a)).transpose();
}

std::vector<Index> Posterior::input_rows() const { return state_->data.rows_of(false); }
std::vector<Index> Posterior::query_rows() const { return state_->data.rows_of(true); }

const Observations& Posterior::observations() const { return state_->data; }
const Kernel& Posterior::kernel() const { return *state_->prior.kernel; }
const Kernel* Posterior::discrepancy() const { return state_->prior.discrepancy.get(); }
const Conditional& Posterior::conditional() const { return *state_->conditional; }
const Mean& Posterior::mean() const { return *state_->prior.mean; }
Index Posterior::size() const { return state_->data.size(); }
const Inputs& Posterior::inputs() const { return state_->data.inputs(); }
const Queries& Posterior::queries() const { return state_->data.queries(); }
const Vector& Posterior::z() const { return state_->data.z(); }
const Vector& Posterior::noise_var() const { return state_->data.noise_var(); }
const Vector& Posterior::assumed_noise_var() const { return state_->noise; }
double Posterior::jitter() const { return state_->factor.jitter(); }

}  // namespace iqbo
