#include "paths.hpp"

#include <utility>

namespace iqbo {

using namespace internal;

FinitePrior::FinitePrior(std::shared_ptr<const FiniteTargets> targets)
    : targets_(std::move(targets)),
      laws_{listed_laws(*targets_, 0, targets_->a.size())},
      by_lag_(targets_->by_lag() ? std::make_shared<const LatticeKernel>(*targets_->prior.kernel, targets_->lattice)
                                 : nullptr) {}

FinitePrior::FinitePrior(const FinitePrior& before, std::shared_ptr<const FiniteTargets> targets)
    : targets_(std::move(targets)), laws_(before.laws_), by_lag_(before.by_lag_) {
  const Index known = before.targets_->a.size();
  laws_.push_back(listed_laws(*targets_, known, targets_->a.size() - known));
}

Matrix FinitePrior::average(const Eigen::Ref<const Matrix>& on_support) const { return average_from(0, on_support); }

Matrix FinitePrior::average_from(Index begin, const Eigen::Ref<const Matrix>& on_support) const {
  Matrix out(targets_->a.size() - begin, on_support.cols());
  Index at = -begin;
  for (const auto& laws : laws_) {
    if (at >= 0) out.middleRows(at, laws->size()) = laws->average(on_support);
    at += laws->size();
  }
  return out;
}

Vector FinitePrior::g_var(Index begin) const {
  Vector out(targets_->a.size() - begin);
  Index at = -begin;
  for (const auto& laws : laws_) {
    if (at >= 0) {
      auto part = out.segment(at, laws->size());
      part = by_lag_ ? by_lag_->variances(laws->runs()) : targets_->prior.variance(laws->averaged());
      if (by_lag_ && targets_->prior.discrepancy)
        part += targets_->prior.discrepancy->diagonal(laws->averaged().queries);
    }
    at += laws->size();
  }
  return out;
}

Matrix FinitePrior::f_cov(const Functionals& others) const {
  return targets_->prior.covariance(looks(targets_->x), others);
}

Matrix FinitePrior::f_cov(const Listed& shown) const {
  if (!by_lag_) return f_cov(functionals(shown));
  if (!shown.averaged) return by_lag_->values(shown.rows);
  return by_lag_->with_all(weights_over(targets_->x, functionals(shown).laws));
}

Matrix FinitePrior::g_cov(const Functionals& others) const {
  if (is_weighed())
    return with_discrepancy(average(targets_->prior.covariance(looks(*targets_->support()), others)), others);
  Matrix out(targets_->a.size(), others.size());
  Index at = 0;
  for (const auto& laws : laws_) {
    out.middleRows(at, laws->size()) = targets_->prior.covariance(laws->averaged(), others);
    at += laws->size();
  }
  return out;
}

Matrix FinitePrior::g_cov(const Listed& shown) const {
  if (!by_lag_) return g_cov(functionals(shown));
  if (shown.averaged) return with_discrepancy(average(f_cov(shown)), shown);
  Matrix out(targets_->a.size(), static_cast<Index>(shown.rows.size()));
  Index at = 0;
  for (const auto& laws : laws_) {
    out.middleRows(at, laws->size()) = by_lag_->with_some(shown.rows, laws->blocks()).transpose();
    at += laws->size();
  }
  return out;
}

// On a lattice each column of `weight` is a law like any other, if its weights do not sum to one.
Matrix FinitePrior::f_cov_times(const std::vector<Index>& inputs, const Matrix& weight) const {
  if (!by_lag_) return f_cov(Listed{false, inputs}) * weight;
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < weight.cols(); ++j)
    for (Index i = 0; i < weight.rows(); ++i)
      entries.emplace_back(j, inputs[static_cast<std::size_t>(i)], weight(i, j));
  SparseRows laws(weight.cols(), targets_->x.size());
  laws.setFromTriplets(entries.begin(), entries.end());
  return by_lag_->with_all(laws);
}

Matrix FinitePrior::fg_cov(const std::vector<Index>& inputs) const {
  return by_lag_ ? fg_cov(inputs, *by_lag_) : Matrix(g_cov(Listed{false, inputs}).transpose());
}

Matrix FinitePrior::fg_cov(const std::vector<Index>& inputs, const LatticeKernel& k) const {
  if (laws_.size() == 1) return k.with_some(inputs, laws_.front()->blocks());
  Matrix out(static_cast<Index>(inputs.size()), targets_->a.size());
  Index at = 0;
  for (const auto& laws : laws_) {
    out.middleCols(at, laws->size()) = k.with_some(inputs, laws->blocks());
    at += laws->size();
  }
  return out;
}

std::pair<Matrix, Matrix> FinitePrior::covariances(const Functionals& one) const {
  Matrix with_f = f_cov(one);
  Matrix with_g = is_weighed() && targets_->support_is_x ? with_discrepancy(average(with_f), one) : g_cov(one);
  return {std::move(with_f), std::move(with_g)};
}

std::pair<Matrix, Matrix> FinitePrior::covariances(const Listed& shown) const {
  if (!by_lag_) return covariances(functionals(shown));
  Matrix with_f = f_cov(shown);
  Matrix with_g = with_discrepancy(average(with_f), shown);
  return {std::move(with_f), std::move(with_g)};
}

Matrix FinitePrior::f_cov_among(const std::vector<Index>& inputs) const {
  const Functionals some = functionals({false, inputs});
  return targets_->prior.covariance(some, some);
}

Matrix FinitePrior::g_cov_among(const std::vector<Index>& queries) const {
  const Functionals some = functionals({true, queries});
  if (!by_lag_) return targets_->prior.covariance(some, some);
  const SparseRows weight = weights_over(targets_->x, some.laws);
  Matrix out = weight * by_lag_->with_all(weight);
  if (targets_->prior.discrepancy) out += targets_->prior.discrepancy->gram(some.queries);
  return out;
}

Matrix FinitePrior::with_discrepancy(Matrix out, const Functionals& others) const {
  if (targets_->prior.discrepancy && others.averaged())
    out += targets_->prior.discrepancy->gram(targets_->a, others.queries);
  return out;
}

Matrix FinitePrior::with_discrepancy(Matrix out, const Listed& shown) const {
  if (targets_->prior.discrepancy && shown.averaged)
    out += targets_->prior.discrepancy->gram(targets_->a,
                                             Queries(Rows(targets_->a.coordinates()(shown.rows, Eigen::all))));
  return out;
}

Functionals FinitePrior::functionals(const Listed& shown) const {
  if (!shown.averaged) return looks(Inputs(Rows(targets_->x.coordinates()(shown.rows, Eigen::all))));
  return averages(*targets_->conditional, Queries(Rows(targets_->a.coordinates()(shown.rows, Eigen::all))));
}

namespace {

constexpr Index kFewFactored = 1000;  // points: up to so many, a factor of all of them costs less than a lattice

}  // namespace

PriorPaths::PriorPaths(std::shared_ptr<const FinitePrior> prior, const std::vector<FiniteObservation>& unlisted,
                       const PriorPaths* before)
    : prior_(std::move(prior)), all_a_(prior_->targets().a) {
  const FiniteTargets& targets = prior_->targets();
  Queries more_a;
  for (const auto& seen : unlisted) {
    unlisted_averaged_.push_back(seen.averaged);
    if (seen.averaged) more_a = more_a.joined(seen.unlisted->queries);
    unlisted_looks_ += seen.averaged ? 0 : 1;
  }
  all_a_ = all_a_.joined(more_a);
  const bool weighed = prior_->is_weighed();
  if (weighed && !more_a.empty())
    unlisted_weight_ = weights_over(*targets.support(), targets.conditional->laws(more_a));
  of_f_ = before != nullptr
              ? before->of_f_
              : std::make_shared<const LazySampler>([prior = targets.of_f(), of = targets.conditional, x = targets.x] {
                  return prior_sampler(JointPrior(prior, of, x, Queries()));
                });
  const bool on_lattice = targets.lattice != nullptr && targets.x.size() + all_a_.size() > kFewFactored;
  if (weighed && targets.support_is_x && unlisted_looks_ == 0)
    sampler_ = of_f_;
  else if (!weighed && on_lattice && unlisted_looks_ == 0)
    sampler_ = std::make_shared<const LazySampler>([of_f = of_f_, prior = prior_, a = all_a_] {
      return window_sampler(of_f, prior->targets(), averages(*prior->targets().conditional, a));
    });
  else
    sampler_ = std::make_shared<const LazySampler>(
        [prior = targets.of_f(), of = targets.conditional, x = drawn_at(unlisted), a = weighed ? Queries() : all_a_] {
          return prior_sampler(JointPrior(prior, of, x, a));
        });
  if (targets.prior.discrepancy)
    discrepancy_ = factor_sampler(std::make_unique<DiscrepancyPrior>(targets.prior.discrepancy, all_a_));
}

// x, the points of p(x|a) unless they are x, and unlisted inputs.
Inputs PriorPaths::drawn_at(const std::vector<FiniteObservation>& unlisted) const {
  const FiniteTargets& targets = prior_->targets();
  Inputs out = prior_->is_weighed() && !targets.support_is_x ? targets.x.joined(*targets.support()) : targets.x;
  for (const auto& seen : unlisted)
    if (!seen.averaged) out = out.joined(std::get<Inputs>(seen.unlisted->laws.parts().front().kind));
  return out;
}

PriorPaths::Draw PriorPaths::draw(Index count, Rng& rng) const {
  const FiniteTargets& targets = prior_->targets();
  const Index n = targets.x.size();
  const Index p = targets.a.size();
  Matrix path = sampler_->get().draw(count, rng);
  Matrix g(all_a_.size(), count);
  Index looks_at = path.rows() - unlisted_looks_;
  if (prior_->is_weighed()) {
    const Index points = targets.support()->size();
    const auto on_support = path.middleRows(targets.support_is_x ? 0 : n, points);
    g.topRows(p) = prior_->average(on_support);
    if (g.rows() > p) g.bottomRows(g.rows() - p) = unlisted_weight_ * on_support;
  } else {
    looks_at = n;
    g = path.bottomRows(all_a_.size());
  }
  if (discrepancy_) g += discrepancy_->draw(count, rng);

  Matrix seen(static_cast<Index>(unlisted_averaged_.size()), count);
  Index averaged_at = p;
  for (Index i = 0; i < seen.rows(); ++i)
    if (unlisted_averaged_[static_cast<std::size_t>(i)])
      seen.row(i) = g.row(averaged_at++);
    else
      seen.row(i) = path.row(looks_at++);
  if (path.rows() > n) path.conservativeResize(n, Eigen::NoChange);
  if (g.rows() > p) g.conservativeResize(p, Eigen::NoChange);
  return {std::move(path), std::move(g), std::move(seen)};
}

}  // namespace iqbo
