#include "iqbo/conditional/conditional.hpp"

#include <algorithm>

#include "iqbo/average/average_sum.hpp"
#include "iqbo/average/expectation.hpp"
#include "numerics/central_differences.hpp"

namespace iqbo {

using namespace internal;

Vector Conditional::nu(const Mean& mean, const Queries& a) const { return expect(mean, laws(a)); }

Matrix Conditional::q(const Kernel& kernel, const Queries& a, const Queries& b) const {
  return expect(kernel, laws(a), laws(b));
}

Vector Conditional::q_diagonal(const Kernel& kernel, const Queries& a) const {
  return expect_diagonal(kernel, laws(a));
}

Matrix Conditional::c(const Kernel& kernel, const Inputs& x, const Queries& a) const {
  return expect(kernel, Laws(x), laws(a));
}

Matrix Conditional::cosines(const Queries& a, const Rows& frequency, const Vector& phase) const {
  return expect_cosines(laws(a), frequency, phase);
}

Rows Conditional::pull_back(const Queries& a, const AverageSum& sum) const {
  require_columns(a.dimension(), query_dimension(), QuerySpace::kName);
  if (gradients() == Gradients::kNone)
    refuse("conditional", "its averages have no gradient in a: queries are listed or have draws of their own",
           "a window, a rule or a learned model");
  return central_differences(a, difference_steps(a), [&](const Queries& moved) { return sum.at(laws(moved)); });
}

Rows Conditional::difference_steps(const Queries& a) const { return default_steps(a); }

Matrix Conditional::average(const Queries& a, const Matrix& values_on_support) const {
  const Inputs* points = support();
  if (points == nullptr) refuse("conditional", "has no finite support", "a bag or another model that lists its points");
  require_rows(values_on_support.rows(), points->size(), "values_on_support");
  constexpr Index kQueriesAtOnce = 512;  // limits memory: weights may be dense
  Matrix out = Matrix::Zero(a.size(), values_on_support.cols());
  for (Index begin = 0; begin < a.size(); begin += kQueriesAtOnce) {
    const Index count = std::min(kQueriesAtOnce, a.size() - begin);
    const Laws some = laws(a.slice(begin, count));
    for (const auto& [weight, kind] : some.parts()) {
      const auto* discrete = std::get_if<DiscreteLaws>(&kind);
      if (discrete == nullptr || discrete->support->size() != points->size())
        refuse("conditional", "has laws that are not over its support()", "laws over the points it lists");
      out.middleRows(begin, count) += weight * (discrete->weight * values_on_support);
    }
  }
  return out;
}

}  // namespace iqbo
