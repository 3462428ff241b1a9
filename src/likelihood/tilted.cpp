#include "tilted.hpp"

#include <cmath>

#include "average/nodes.hpp"

namespace iqbo::internal {

TiltedConditional::TiltedConditional(std::shared_ptr<const Conditional> base, Vector tilt)
    : base_(std::move(base)), tilt_(std::move(tilt)) {}

TiltedConditional::TiltedConditional(std::shared_ptr<const Conditional> base, std::shared_ptr<const Posterior> eta,
                                     Link link)
    : base_(std::move(base)), eta_(std::move(eta)), link_(link) {}

Gradients TiltedConditional::gradients() const {
  return base_->gradients() == Gradients::kNone ? Gradients::kNone : Gradients::kDifferences;
}

Laws TiltedConditional::laws(const Queries& a) const {
  constexpr double kCancelled =
      1e-6;  // signed weights whose sum is less, in units of their sizes, are left as they are
  DiscreteLaws out = as_points(base_->laws(a));
  const bool listed = eta_ == nullptr && out.support->size() == tilt_.size();
  if (!listed && eta_ == nullptr)
    refuse("conditional", "has laws that are not over its support()", "laws over the points it lists");
  Vector tilt = tilt_;
  if (!listed) {
    const Marginals eta = eta_->f(*out.support);
    tilt = moments(link_, eta.mean, eta.var).slope;
  }
  for (Index i = 0; i < out.weight.rows(); ++i) {
    double sum = 0.0, size = 0.0;
    for (SparseRows::InnerIterator it(out.weight, i); it; ++it) {
      sum += it.value() * tilt[it.col()];
      size += std::abs(it.value() * tilt[it.col()]);
    }
    if (std::abs(sum) <= kCancelled * size) continue;
    for (SparseRows::InnerIterator it(out.weight, i); it; ++it) it.valueRef() *= tilt[it.col()] / sum;
  }
  out.exact_constant = true;
  return out;
}

}  // namespace iqbo::internal
