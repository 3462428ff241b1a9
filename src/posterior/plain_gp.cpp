#include "iqbo/posterior/plain_gp.hpp"

#include "iqbo/conditional/spread.hpp"

namespace iqbo {
namespace {

// Here a query is used as an input on purpose: A is the space that this process lives on.
Inputs points(const Queries& a) { return Inputs(a.coordinates(), QuerySpace::kName); }

}  // namespace

PlainGp::PlainGp(const Kernel& l, double mean)
    : gp_(l, GaussianConditional(QueryMap::identity(l.dimension()), 0.0), ConstantMean(mean)) {}

PlainGp PlainGp::condition(const Queries& a, const Vector& z, const NoiseVar& noise_var) const {
  require_not_empty(a.size(), QuerySpace::kName);
  require_columns(a.dimension(), kernel().dimension(), QuerySpace::kName);
  return PlainGp(gp_.condition(points(a), z, noise_var));
}

Marginals PlainGp::g(const Queries& a) const {
  require_columns(a.dimension(), kernel().dimension(), QuerySpace::kName);
  return gp_.f(points(a));
}

Matrix PlainGp::g_cov(const Queries& a, const Queries& b) const {
  require_columns(a.dimension(), kernel().dimension(), QuerySpace::kName);
  require_columns(b.dimension(), kernel().dimension(), QuerySpace::kName);
  return gp_.f_cov(points(a), points(b));
}

Rows PlainGp::g_pull_back(const Queries& a, const Marginals& weight) const {
  require_columns(a.dimension(), kernel().dimension(), QuerySpace::kName);
  return gp_.f_pull_back(points(a), weight);
}

}  // namespace iqbo
