#include "observations.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "average/law_gram.hpp"
#include "iqbo/average/expectation.hpp"

namespace iqbo {

using namespace internal;

namespace {

Vector stacked(const Vector& top, const Vector& bottom) {
  Vector out(top.size() + bottom.size());
  out << top, bottom;
  return out;
}

}  // namespace

Observations Observations::with(const Functionals& added, const Vector& z, const Vector& noise_var) const {
  Observations out = *this;
  std::vector<Index> rows(static_cast<std::size_t>(added.size()));
  std::iota(rows.begin(), rows.end(), size());
  out.z_ = stacked(z_, z);
  out.noise_var_ = stacked(noise_var_, noise_var);
  if (added.averaged())
    out.queries_ = queries_.joined(added.queries);
  else
    out.inputs_ = inputs_.joined(std::get<Inputs>(added.laws.parts().front().kind));
  for (auto& part : out.parts_)
    if (part.functionals.averaged() == added.averaged()) {
      part.functionals.laws = part.functionals.laws.joined(added.laws);
      if (added.averaged()) part.functionals.queries = out.queries_;
      part.rows.insert(part.rows.end(), rows.begin(), rows.end());
      return out;
    }
  out.parts_.push_back({added, std::move(rows)});
  return out;
}

Observations Observations::with_noise_var(const Vector& noise_var) const {
  Observations out = *this;
  out.noise_var_ = noise_var;
  return out;
}

Observations Observations::with_laws(const Conditional& conditional) const {
  Observations out = *this;
  for (auto& part : out.parts_)
    if (part.functionals.averaged()) part.functionals = averages(conditional, queries_);
  return out;
}

Contradiction::Observed Observations::observed(Index i) const {
  Contradiction::Observed out{};
  out.z = z_[i];
  for (const auto& part : parts_) {
    const auto at = std::lower_bound(part.rows.begin(), part.rows.end(), i);
    if (at == part.rows.end() || *at != i) continue;
    const Index row = at - part.rows.begin();
    out.averaged = part.functionals.averaged();
    out.at = (out.averaged ? queries_.coordinates() : inputs_.coordinates()).row(row);
  }
  return out;
}

std::vector<Index> Observations::rows_of(bool averaged) const {
  for (const auto& part : parts_)
    if (part.functionals.averaged() == averaged) return part.rows;
  return {};
}

Vector Observations::prior_mean(const Prior& prior) const {
  Vector out(size());
  for (const auto& part : parts_) out(part.rows) = prior.mean_of(part.functionals);
  return out;
}

Matrix Observations::mean_jacobian(const Prior& prior) const {
  Matrix out(size(), prior.mean->parameters().size());
  for (const auto& part : parts_) out(part.rows, Eigen::all) = expect_jacobian(*prior.mean, part.functionals.laws);
  return out;
}

Matrix Observations::covariance(const Prior& prior) const {
  if (parts_.size() == 1) return prior.covariance(parts_.front().functionals, parts_.front().functionals);
  Matrix out(size(), size());
  for (const auto& part : parts_) out(Eigen::all, part.rows) = covariance(prior, part.functionals);
  return out;
}

Matrix Observations::covariance(const Prior& prior, const Functionals& others) const {
  if (parts_.size() == 1) return prior.covariance(parts_.front().functionals, others);
  Matrix out(size(), others.size());
  for (const auto& part : parts_) out(part.rows, Eigen::all) = prior.covariance(part.functionals, others);
  return out;
}

Prior::Gradient Observations::pull_back(const Prior& prior, const Matrix& weight) const {
  Prior::Gradient sum = prior.zero_gradient();
  for (const auto& part : parts_) {
    const Matrix own = weight(part.rows, part.rows);
    sum.kernel += LawGram::of(part.functionals.laws)->under(*prior.kernel, true).pull_back(own);
    if (prior.discrepancy && part.functionals.averaged())
      sum.discrepancy += prior.discrepancy->pull_back(part.functionals.queries, part.functionals.queries, own);
  }
  if (parts_.size() == 2)
    prior.pull_back(parts_[0].functionals, parts_[1].functionals, 2.0 * weight(parts_[0].rows, parts_[1].rows), sum);
  return sum;
}

}  // namespace iqbo
