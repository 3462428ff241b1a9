// What was predicted of answers before they came: as assumed then (forecasts), and as assumed now (hindsight).
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "fit_schedule.hpp"
#include "model.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr std::size_t kRecent = 200;  // enough to judge forecasts by
constexpr std::size_t kRecentLinked = 40;
constexpr double kLeastShare = 1e-10;  // noise that answers without any are assumed to have, of their variance

// Mixes what members expected of answers, column by column of time. From the answer after the one that contradicts a
// member (position `until`) the member counts no more, unless none is left.
Marginals mixed(const std::vector<Marginals>& ahead, const Vector& weights,
                const std::vector<std::optional<Index>>& until) {
  Marginals out = mixture(ahead, weights);
  if (std::none_of(until.begin(), until.end(), [](const auto& one) { return one.has_value(); })) return out;
  for (Index i = 0; i < out.mean.size(); ++i) {
    Vector kept = weights;
    std::vector<Marginals> then;
    for (std::size_t s = 0; s < ahead.size(); ++s) {
      then.push_back({ahead[s].mean.segment(i, 1), ahead[s].var.segment(i, 1)});
      if (until[s] && i > *until[s]) kept[static_cast<Index>(s)] = 0.0;
    }
    if (!(kept.sum() > 0.0)) continue;
    const Marginals one = mixture(then, kept);
    out.mean[i] = one.mean[0];
    out.var[i] = one.var[0];
  }
  return out;
}

}  // namespace

// One factor serves all answers that were predicted under the same assumptions.
Marginals Model::forecasts(std::size_t begin) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = answers_.size();
  const auto size_at = [&](std::size_t t) { return learns() ? fitted_size(answers_, t, options_.refit_always) : 0; };
  Marginals out{Vector::Constant(static_cast<Index>(n - begin), kNone),
                Vector::Constant(static_cast<Index>(n - begin), kNone)};
  for (std::size_t first = begin, end = begin; first < n; first = end) {
    const std::size_t size = size_at(first);
    while (end < n && size_at(end) == size) ++end;
    if (setting_.kernel == nullptr && size == 0) continue;
    const Assumptions then = assumptions(size);
    const auto count = static_cast<Index>(end - first), to = static_cast<Index>(first - begin);
    if (then.members.front().likelihood != nullptr) {
      in_parallel(count, [&](Index i) {
        std::vector<Marginals> each;
        Vector shares(static_cast<Index>(then.members.size()));
        for (const Member& member : then.members) {
          shares[static_cast<Index>(each.size())] = member.weight;
          each.push_back(rate_ahead(member.as_linked(), answers_, first + static_cast<std::size_t>(i)));
        }
        const Marginals both = mixture(each, shares / shares.sum());
        out.mean[to + i] = both.mean[0];
        out.var[to + i] = both.var[0];
      });
      continue;
    }
    std::vector<Marginals> ahead;
    std::vector<std::optional<Index>> until;
    Vector weights(static_cast<Index>(then.members.size()));
    for (const Member& member : then.members) {
      weights[static_cast<Index>(ahead.size())] = member.weight;
      const Posterior all = exactly(member, this->first(end));
      const Marginals each = all.one_step_ahead();
      ahead.push_back({each.mean.tail(count), each.var.tail(count)});
      until.push_back(all.contradicted());
      if (until.back()) *until.back() -= all.size() - count;
    }
    const Marginals all = mixed(ahead, weights, until);
    out.mean.segment(to, count) = all.mean;
    out.var.segment(to, count) = all.var;
    for (std::size_t i = first; i < end && setting_.kernel == nullptr; ++i)
      out.var[static_cast<Index>(i - begin)] *= std::pow(few_factor(i), 2);
  }
  return out;
}

Vector Model::recent() const {
  const std::size_t count = std::min(answers_.size(), is_linked() ? kRecentLinked : kRecent);
  Vector z(static_cast<Index>(count));
  for (std::size_t i = 0; i < count; ++i) z[static_cast<Index>(i)] = answers_[answers_.size() - count + i].z;
  return z;
}

// Kept, as every statement about f asks for it.
const Hindsight& Model::hindsight() {
  if (!hindsight_ || hindsight_->first != answers_.size()) hindsight_.emplace(answers_.size(), looked_back());
  return hindsight_->second;
}

Hindsight Model::looked_back() {
  if (setting_.kernel == nullptr && !fit_ && !values_) return {};
  const Vector z = recent();
  if (is_linked()) {  // under the weightiest member alone: each answer takes a posterior of its own
    const auto most = std::max_element(members_.begin(), members_.end(),
                                       [](const Member& a, const Member& b) { return a.weight < b.weight; });
    const Vector deviates =
        deviates_ahead(most->as_linked(), answers_, answers_.size() - static_cast<std::size_t>(z.size()));
    return {deviates, {Vector::Zero(z.size()), Vector::Ones(z.size())}};
  }
  const Answers some(answers_.end() - z.size(), answers_.end());
  std::vector<Marginals> ahead;
  for (std::size_t s = 0; s < members_.size(); ++s) {
    auto listed = listed_ahead(some, s);
    ahead.push_back(listed ? *std::move(listed) : ahead_of(s, some));
  }
  return {z, mixture(ahead, is_finite() && !grows() ? finite().weights() : belief().weights())};
}

// What the belief has been told already, in the same order, need not be told again.
Marginals Model::ahead_of(std::size_t member, const Answers& some) {
  if (some.size() == answers_.size()) {
    const Posterior& known = belief().members()[member];
    if (belief().weights()[static_cast<Index>(member)] > 0.0 && !known.contradicted()) return known.one_step_ahead();
  }
  return exactly(members_[member], some).one_step_ahead();
}

double Model::log_score(std::size_t count) {
  const Answers some = first(count);
  std::vector<Marginals> ahead;
  Vector weights(static_cast<Index>(members_.size())), z(static_cast<Index>(count));
  for (std::size_t s = 0; s < members_.size(); ++s) {
    weights[static_cast<Index>(s)] = members_[s].weight;
    ahead.push_back((count == assumed_on_ ? when_fitted(s) : exactly(members_[s], some)).one_step_ahead());
  }
  for (std::size_t i = 0; i < count; ++i) z[static_cast<Index>(i)] = some[i].z;
  return iqbo::log_score(z, mixture(ahead, weights / weights.sum()));
}

Posterior Model::exactly(const Member& member, const Answers& answers) {
  return condition_at_once(member.prior, answers, answers.size(), member.noise_var);
}

// Those of a few more queries than last time are computed for these alone. If it is stopped, nothing has changed.
const Matrix& Model::KnownCov::among(const FiniteBelief& prior, const std::vector<Index>& wanted) {
  constexpr std::size_t kFew = 16;
  const std::size_t before = rows.size();
  const bool goes_on = before > 0 && before <= wanted.size() && wanted.size() - before <= kFew &&
                       std::equal(rows.begin(), rows.end(), wanted.begin());
  if (!goes_on) {
    cov = prior.g_cov_among(wanted);
    rows = wanted;
    return cov;
  }
  if (before == wanted.size()) return cov;
  const std::vector<Index> more(wanted.begin() + static_cast<std::ptrdiff_t>(before), wanted.end());
  const Matrix beside = prior.g_cov(more)(Eigen::all, wanted);
  const auto size = static_cast<Index>(wanted.size());
  cov.conservativeResize(size, size);
  cov.bottomRows(beside.rows()) = beside;
  cov.rightCols(beside.rows()) = beside.transpose();
  rows = wanted;
  return cov;
}

// From the prior covariances of the listed queries, which a belief on lists has at hand.
std::optional<Marginals> Model::listed_ahead(const Answers& some, std::size_t member) {
  if (!is_finite() || grows()) return std::nullopt;
  finite();
  const FiniteBelief& prior = unseen_[member];
  std::vector<Index> rows;
  for (const Datum& answer : some) {
    const auto* a = std::get_if<Queries>(&answer.at);
    const auto row = a != nullptr ? open().find(a->row(0)) : std::nullopt;
    if (!row) return std::nullopt;
    rows.push_back(*row);
  }
  Matrix cov = known_[member].among(prior, rows);
  Vector residual(cov.rows());
  for (Index i = 0; i < cov.rows(); ++i) {
    const Datum& answer = some[static_cast<std::size_t>(i)];
    const double var = cov(i, i);
    cov(i, i) += std::max(answer.noise(members_[member].noise_var), kLeastShare * var);
    residual[i] = answer.z - prior.g().mean[rows[static_cast<std::size_t>(i)]];
  }
  const Cholesky factor(cov);  // positive: every answer has some noise
  const Vector sd = factor.lower().diagonal();
  factor.solve_lower_in_place(residual);
  Vector z(residual.size());
  for (Index i = 0; i < z.size(); ++i) z[i] = some[static_cast<std::size_t>(i)].z;
  return Marginals{z - sd.cwiseProduct(residual), sd.cwiseAbs2()};
}

}  // namespace iqbo
