#include "iqbo/posterior/belief.hpp"

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

[[noreturn]] void refuse_gradient() { refuse("belief", "has no gradients", "Posterior, PlainGp or Ensemble"); }

}  // namespace

Marginals mixture(const std::vector<Marginals>& members, const Vector& weights) {
  return mixture_of(members, weights).all;
}

Vector agreed_answer(const Marginals& each, const Vector& noise_var, const Vector& weights) {
  constexpr double kMost = 2.0;
  const Vector reach = kMost * (each.var + noise_var).cwiseSqrt();
  const double all = weights.dot(each.mean) / weights.sum();
  return (each.mean - reach).cwiseMax((each.mean + reach).cwiseMin(all));
}

Mixture mixture_of(const std::vector<Marginals>& members, const Vector& weights) {
  require_not_empty(static_cast<Index>(members.size()), "members");
  require_rows(weights.size(), static_cast<Index>(members.size()), "weights");
  const Vector share = weights / weights.sum();
  const Index size = members.front().mean.size();
  Mixture out{{Vector::Zero(size), Vector::Zero(size)}, Matrix(size, share.size())};
  for (std::size_t s = 0; s < members.size(); ++s) out.all.mean += share[static_cast<Index>(s)] * members[s].mean;
  for (std::size_t s = 0; s < members.size(); ++s) {
    auto off = out.off.col(static_cast<Index>(s));
    off = members[s].mean - out.all.mean;
    out.all.var += share[static_cast<Index>(s)] * (members[s].var + off.cwiseAbs2());
  }
  return out;
}

void require_weights(const Marginals& weight, Index points) {
  if (weight.mean.size() > 0) require_rows(weight.mean.size(), points, "weight.mean");
  if (weight.var.size() > 0) require_rows(weight.var.size(), points, "weight.var");
}

Rows QueryBelief::g_pull_back(const Queries&, const Marginals&) const { refuse_gradient(); }

Rows Belief::g_pull_back(const Queries&, const Marginals&, const Inputs&, const Matrix&) const { refuse_gradient(); }

Rows Belief::f_pull_back(const Inputs&, const Marginals&) const { refuse_gradient(); }

}  // namespace iqbo
