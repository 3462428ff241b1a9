// What was predicted of answers before they came: as assumed then (forecasts), and as assumed now (hindsight).
#include <cmath>
#include <limits>

#include "fit_schedule.hpp"
#include "model.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr std::size_t kRecent = 200;   // enough to judge forecasts by
constexpr double kLeastShare = 1e-10;  // noise that answers without any are assumed to have, of their variance

}  // namespace

// One factor serves all answers that were predicted under the same assumptions.
Marginals Model::forecasts(std::size_t begin) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::size_t n = answers_.size();
  const auto size_at = [&](std::size_t t) { return learns() ? fitted_size(answers_, t) : 0; };
  Marginals out{Vector::Constant(static_cast<Index>(n - begin), kNone),
                Vector::Constant(static_cast<Index>(n - begin), kNone)};
  for (std::size_t first = begin, end = begin; first < n; first = end) {
    const std::size_t size = size_at(first);
    while (end < n && size_at(end) == size) ++end;
    if (setting_.kernel == nullptr && size == 0) continue;
    const Assumptions then = assumptions(size);
    const auto count = static_cast<Index>(end - first), to = static_cast<Index>(first - begin);
    std::vector<Marginals> ahead;
    Vector weights(static_cast<Index>(then.members.size()));
    for (const Member& member : then.members) {
      weights[static_cast<Index>(ahead.size())] = member.weight;
      const Marginals all = exactly_ahead(member, this->first(end));
      ahead.push_back({all.mean.tail(count), all.var.tail(count)});
    }
    const Marginals mixed = mixture(ahead, weights);
    out.mean.segment(to, count) = mixed.mean;
    out.var.segment(to, count) = mixed.var;
  }
  return out;
}

Vector Model::recent() const {
  const std::size_t count = std::min(answers_.size(), kRecent);
  Vector z(static_cast<Index>(count));
  for (std::size_t i = 0; i < count; ++i) z[static_cast<Index>(i)] = answers_[answers_.size() - count + i].z;
  return z;
}

Hindsight Model::hindsight() {
  if (setting_.kernel == nullptr && !fit_ && !values_) return {};
  const Vector z = recent();
  const Answers some(answers_.end() - z.size(), answers_.end());
  std::vector<Marginals> ahead;
  Vector weights(static_cast<Index>(members_.size()));
  for (std::size_t s = 0; s < members_.size(); ++s) {
    weights[static_cast<Index>(s)] = members_[s].weight;
    auto listed = listed_ahead(some, s);
    ahead.push_back(listed ? *std::move(listed) : exactly_ahead(members_[s], some));
  }
  return {z, mixture(ahead, weights)};
}

Marginals Model::exactly_ahead(const Member& member, const Answers& answers) {
  return condition_at_once(member.prior, answers, answers.size(), member.noise_var).one_step_ahead();
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
  Matrix cov = prior.g_cov(rows)(Eigen::all, rows);
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
