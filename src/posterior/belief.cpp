#include "iqbo/posterior/belief.hpp"

namespace iqbo {
namespace {

[[noreturn]] void refuse_gradient() { refuse("belief", "has no gradients", "Posterior, PlainGp or Ensemble"); }

}  // namespace

void require_weights(const Marginals& weight, Index points) {
  if (weight.mean.size() > 0) require_rows(weight.mean.size(), points, "weight.mean");
  if (weight.var.size() > 0) require_rows(weight.var.size(), points, "weight.var");
}

Rows QueryBelief::g_pull_back(const Queries&, const Marginals&) const { refuse_gradient(); }

Rows Belief::g_pull_back(const Queries&, const Marginals&, const Inputs&, const Matrix&) const { refuse_gradient(); }

Rows Belief::f_pull_back(const Inputs&, const Marginals&) const { refuse_gradient(); }

}  // namespace iqbo
