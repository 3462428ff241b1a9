#include "iqbo/finite/finite_ensemble.hpp"

#include <algorithm>
#include <cmath>

#include "engine.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

FiniteEnsemble::FiniteEnsemble(std::vector<FiniteBelief> members, Vector weights)
    : members_(std::move(members)), weights_(std::move(weights)) {
  require_not_empty(static_cast<Index>(members_.size()), "members");
  require_rows(weights_.size(), static_cast<Index>(members_.size()), "weights");
  require_non_negative(weights_, "weights");
  if (!(weights_.sum() > 0.0)) refuse("weights", "sum to 0", "a positive sum");
  weights_ /= weights_.sum();
  mix();
}

void FiniteEnsemble::mix() {
  if (is_one()) return;
  std::vector<Marginals> f, g;
  for (const FiniteBelief& member : members_) {
    f.push_back(member.f());
    g.push_back(member.g());
  }
  f_ = mixture_of(f, weights_);
  g_ = mixture_of(g, weights_);
}

template <class Observe>
bool FiniteEnsemble::observed(const Observe& each) {
  Vector kept = weights_;
  std::optional<Contradiction> first;
  for (Index s = 0; s < kept.size(); ++s) {
    if (kept[s] == 0.0) continue;
    try {
      each(members_[static_cast<std::size_t>(s)], s);
    } catch (const Contradiction& error) {
      if (!first) first = error;
      kept[s] = 0.0;
    }
  }
  if (!(kept.sum() > 0.0)) throw Contradiction(*first);
  if (!first) return true;
  weights_ = kept / kept.sum();
  return false;
}

template <class Observe>
void FiniteEnsemble::take(const Observe& each, Index count) {
  const bool all = observed(each);
  const bool again = fg_cov_ && !(all && count == 1 && follow());
  mix();
  if (again) fg_cov_ = computed_fg_cov();
}

// Member s moves by r u on f and r v on g, and its covariance by -u v'. With d the deviations of the means until now:
//
//   change = sum_s w ((r^2 - 1) u v' + r (u d_g' + d_f v')) - (sum_s w r u)(sum_s w r v)'
//
// which is one product of n x (2 S + 1) and (2 S + 1) x p.
bool FiniteEnsemble::follow() {
  const Index count = weights_.size();
  Matrix left = Matrix::Zero(x().size(), 2 * count + 1), right = Matrix::Zero(a().size(), 2 * count + 1);
  for (Index s = 0; s < count; ++s) {
    if (weights_[s] == 0.0) continue;
    const auto& step = members_[static_cast<std::size_t>(s)].last_step_;
    if (step == nullptr) return false;
    if (!step->any()) continue;
    const double w = weights_[s], r = step->surprise;
    left.col(2 * s) = step->f;
    right.col(2 * s) = w * ((r * r - 1.0) * step->g + r * g_.off.col(s));
    left.col(2 * s + 1) = f_.off.col(s);
    right.col(2 * s + 1) = w * r * step->g;
    left.col(2 * count) += w * r * step->f;
    right.col(2 * count) -= w * r * step->g;
  }
  fg_cov_->noalias() += left * right.transpose();
  return true;
}

void FiniteEnsemble::observe(Index query, double z, const Vector& noise_var) {
  take([&](FiniteBelief& member, Index s) { member.observe(query, z, noise_var[s]); }, 1);
}

void FiniteEnsemble::observe(const Queries& a, const Vector& z, const Vector& noise_var) {
  take([&](FiniteBelief& member, Index s) { member.observe(a, z, noise_var[s]); }, a.size());
}

void FiniteEnsemble::observe(const Inputs& x, const Vector& z, const Vector& noise_var) {
  take([&](FiniteBelief& member, Index s) { member.observe(x, z, noise_var[s]); }, x.size());
}

void FiniteEnsemble::expect(Index query, const Vector& noise_var) {
  Marginals each{Vector(weights_.size()), Vector(weights_.size())};
  for (Index s = 0; s < weights_.size(); ++s) {
    const Marginals& g = members_[static_cast<std::size_t>(s)].g();
    each.mean[s] = g.mean[query];
    each.var[s] = g.var[query];
  }
  const Vector z = agreed_answer(each, noise_var, weights_);
  take([&](FiniteBelief& member, Index s) { member.observe(query, z[s], noise_var[s]); }, 1);
}

void FiniteEnsemble::expect(const Queries& one, const Marginals& each, const Vector& noise_var) {
  const Vector z = agreed_answer(each, noise_var, weights_);
  take([&](FiniteBelief& member, Index s) { member.observe(one, z.segment(s, 1), noise_var[s]); }, 1);
}

void FiniteEnsemble::add(const Queries& more) {
  if (more.empty()) return;
  if (is_one()) return members_.front().add(more);
  const Index before = a().size();
  bool extended = true;
  for (FiniteBelief& member : members_) extended &= member.extend(more);
  mix();
  if (!fg_cov_) return;
  if (!extended) {
    fg_cov_ = computed_fg_cov();
    return;
  }
  Matrix added = f_.off * weights_.asDiagonal() * g_.off.bottomRows(more.size()).transpose();
  for (Index s = 0; s < weights_.size(); ++s)
    if (weights_[s] > 0.0)
      added.noalias() += weights_[s] * members_[static_cast<std::size_t>(s)].engine_->fg_cov_from(before);
  fg_cov_->conservativeResize(Eigen::NoChange, a().size());
  fg_cov_->rightCols(more.size()) = added;
}

Matrix FiniteEnsemble::fg_cov(const std::vector<Index>& inputs) const {
  if (is_one()) return members_.front().fg_cov(inputs);
  if (fg_cov_) return (*fg_cov_)(inputs, Eigen::all);
  const Matrix off = f_.off(inputs, Eigen::all) * weights_.asDiagonal();
  std::vector<const FiniteEngine*> engines;
  for (const FiniteBelief& member : members_) engines.push_back(member.engine_.get());
  if (auto out = mixed_fg_cov(engines, weights_, inputs, off, g_.off)) return *std::move(out);
  Matrix out = off * g_.off.transpose();
  for (Index s = 0; s < weights_.size(); ++s)
    if (weights_[s] > 0.0) out.noalias() += weights_[s] * members_[static_cast<std::size_t>(s)].fg_cov(inputs);
  return out;
}

Matrix FiniteEnsemble::g_cov(const std::vector<Index>& queries) const {
  if (is_one()) return members_.front().g_cov(queries);
  Matrix out = g_.off(queries, Eigen::all) * weights_.asDiagonal() * g_.off.transpose();
  for (Index s = 0; s < weights_.size(); ++s)
    if (weights_[s] > 0.0) out.noalias() += weights_[s] * members_[static_cast<std::size_t>(s)].g_cov(queries);
  return out;
}

std::optional<Marginals> FiniteEnsemble::g(const Queries& a) const {
  std::vector<Marginals> each;
  for (const FiniteBelief& member : members_) {
    auto one = member.g(a);
    if (!one) return std::nullopt;
    each.push_back(*std::move(one));
  }
  return mixture(each, weights_);
}

Matrix FiniteEnsemble::computed_fg_cov() {
  fg_cov_.reset();
  Matrix out(x().size(), a().size());
  by_blocks(out.rows(), [&](const std::vector<Index>& rows) {
    out.middleRows(rows.front(), static_cast<Index>(rows.size())) = fg_cov(rows);
  });
  return out;
}

const Matrix& FiniteEnsemble::fg_cov() {
  if (is_one()) return members_.front().fg_cov();
  if (!fg_cov_) fg_cov_ = computed_fg_cov();
  return *fg_cov_;
}

std::vector<Index> shares_of(Index count, const Vector& weights) {
  std::vector<Index> out;
  double sum = 0.0;
  Index given = 0;
  for (const double weight : weights) {
    sum += weight;
    const Index upto = std::min(count, static_cast<Index>(std::lround(sum * static_cast<double>(count))));
    out.push_back(upto - given);
    given = upto;
  }
  out.back() += count - given;  // the sum of the weights may be off by a rounding error
  return out;
}

FiniteBelief::Paths FiniteEnsemble::draw(Index count, Rng& rng) const {
  if (is_one()) return members_.front().draw(count, rng);
  FiniteBelief::Paths out{Matrix(x().size(), count), Matrix(a().size(), count)};
  const std::vector<Index> shares = shares_of(count, weights_);
  Index begin = 0;
  for (std::size_t s = 0; s < members_.size(); ++s) {
    if (shares[s] == 0) continue;
    const auto [f, g] = members_[s].draw(shares[s], rng);
    out.f.middleCols(begin, shares[s]) = f;
    out.g.middleCols(begin, shares[s]) = g;
    begin += shares[s];
  }
  return out;
}

// Errors of the members average out, so that each may have a larger one.
FiniteBelief::WinProbability FiniteEnsemble::win_probability(Index row, double error, Index most, Rng& rng,
                                                             const Vector& widening) const {
  FiniteBelief::Widening wide;
  if (widening.size() > 0 && (widening.array() != 1.0).any()) wide = {f().mean, widening};
  if (is_one()) return members_.front().win_probability(row, error, most, rng, wide);
  const double effective = 1.0 / weights_.squaredNorm();
  const auto share = std::max<Index>(2, static_cast<Index>(std::ceil(static_cast<double>(most) / effective)));
  FiniteBelief::WinProbability out{0.0, 0.0, 0};
  for (Index s = 0; s < weights_.size(); ++s) {
    if (weights_[s] == 0.0) continue;
    const auto one =
        members_[static_cast<std::size_t>(s)].win_probability(row, error * std::sqrt(effective), share, rng, wide);
    out.value += weights_[s] * one.value;
    out.error = std::hypot(out.error, weights_[s] * one.error);
    out.draws += one.draws;
  }
  return out;
}

std::string FiniteEnsemble::description(bool paths) const {
  if (is_one()) return members_.front().description(paths);
  return std::to_string(members_.size()) +
         " sets of hyperparameters; the first: " + members_.front().description(paths);
}

}  // namespace iqbo
