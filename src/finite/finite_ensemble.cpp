#include "iqbo/finite/finite_ensemble.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

// Mixes of(member) over all members; column s of `off` becomes the mean of member s minus that of all.
template <class MarginalsOf>
Marginals mixed(const std::vector<FiniteBelief>& members, const Vector& weights, MarginalsOf of, Matrix& off) {
  const Index size = of(members.front()).mean.size();
  Marginals out{Vector::Zero(size), Vector::Zero(size)};
  off.resize(size, weights.size());
  for (Index s = 0; s < weights.size(); ++s) {
    const Marginals& one = of(members[static_cast<std::size_t>(s)]);
    out.mean += weights[s] * one.mean;
    out.var += weights[s] * one.var;
    off.col(s) = one.mean;
  }
  off.colwise() -= out.mean;
  out.var.noalias() += off.array().square().matrix() * weights;
  return out;
}

}  // namespace

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
  fg_cov_.reset();
  if (is_one()) return;
  f_ = mixed(
      members_, weights_, [](const FiniteBelief& one) -> const Marginals& { return one.f(); }, f_off_);
  g_ = mixed(
      members_, weights_, [](const FiniteBelief& one) -> const Marginals& { return one.g(); }, g_off_);
}

template <class Change>
void FiniteEnsemble::change(const Change& each) {
  for (std::size_t s = 0; s < members_.size(); ++s) each(members_[s], static_cast<Index>(s));
  mix();
}

void FiniteEnsemble::observe(Index query, double z, const Vector& noise_var) {
  change([&](FiniteBelief& member, Index s) { member.observe(query, z, noise_var[s]); });
}

void FiniteEnsemble::observe(const Queries& a, const Vector& z, const Vector& noise_var) {
  change([&](FiniteBelief& member, Index s) { member.observe(a, z, noise_var[s]); });
}

void FiniteEnsemble::observe(const Inputs& x, const Vector& z, const Vector& noise_var) {
  change([&](FiniteBelief& member, Index s) { member.observe(x, z, noise_var[s]); });
}

void FiniteEnsemble::expect(Index query, const Vector& noise_var) {
  change([&](FiniteBelief& member, Index s) { member.observe(query, member.g().mean[query], noise_var[s]); });
}

void FiniteEnsemble::expect(const Queries& one, const Vector& means, const Vector& noise_var) {
  change([&](FiniteBelief& member, Index s) { member.observe(one, means.segment(s, 1), noise_var[s]); });
}

void FiniteEnsemble::add(const Queries& a) {
  if (a.empty()) return;
  change([&](FiniteBelief& member, Index) { member.add(a); });
}

Matrix FiniteEnsemble::fg_cov(const std::vector<Index>& inputs) const {
  if (is_one()) return members_.front().fg_cov(inputs);
  Matrix out = f_off_(inputs, Eigen::all) * weights_.asDiagonal() * g_off_.transpose();
  for (Index s = 0; s < weights_.size(); ++s)
    out.noalias() += weights_[s] * members_[static_cast<std::size_t>(s)].fg_cov(inputs);
  return out;
}

Matrix FiniteEnsemble::g_cov(const std::vector<Index>& queries) const {
  if (is_one()) return members_.front().g_cov(queries);
  Matrix out = g_off_(queries, Eigen::all) * weights_.asDiagonal() * g_off_.transpose();
  for (Index s = 0; s < weights_.size(); ++s)
    out.noalias() += weights_[s] * members_[static_cast<std::size_t>(s)].g_cov(queries);
  return out;
}

const Matrix& FiniteEnsemble::fg_cov() {
  if (is_one()) return members_.front().fg_cov();
  if (fg_cov_) return *fg_cov_;
  fg_cov_ = f_off_ * weights_.asDiagonal() * g_off_.transpose();
  for (Index s = 0; s < weights_.size(); ++s)
    fg_cov_->noalias() += weights_[s] * members_[static_cast<std::size_t>(s)].fg_cov();
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
FiniteBelief::WinProbability FiniteEnsemble::win_probability(Index row, double error, Index most, Rng& rng) const {
  if (is_one()) return members_.front().win_probability(row, error, most, rng);
  const double effective = 1.0 / weights_.squaredNorm();
  const auto share = std::max<Index>(2, static_cast<Index>(std::ceil(static_cast<double>(most) / effective)));
  FiniteBelief::WinProbability out{0.0, 0.0, 0};
  for (Index s = 0; s < weights_.size(); ++s) {
    const auto one =
        members_[static_cast<std::size_t>(s)].win_probability(row, error * std::sqrt(effective), share, rng);
    out.value += weights_[s] * one.value;
    out.error = std::hypot(out.error, weights_[s] * one.error);
    out.draws += one.draws;
  }
  return out;
}

std::string FiniteEnsemble::description() const {
  if (is_one()) return members_.front().description();
  return std::to_string(members_.size()) + " sets of hyperparameters; the first: " + members_.front().description();
}

}  // namespace iqbo
