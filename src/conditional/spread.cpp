#include "iqbo/conditional/spread.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "iqbo/average/average_sum.hpp"

namespace iqbo {
namespace {

void require_width(const QueryMap& width, Index dimension, std::string_view name) {
  const Index found = width.output_dimension();
  if (found != 1 && found != dimension)
    refuse(name, std::to_string(found) + " columns", "1 or " + std::to_string(dimension));
  if (width.query_dimension() == 0)
    require_non_negative(width(Queries(Rows::Zero(1, 1))), name);  // the same everywhere
}

Rows width_rows(const QueryMap& width, const Queries& a, Index dimension, std::string_view name) {
  Rows out = width(a);
  require_non_negative(out, name);
  if (out.cols() == dimension) return out;
  return out.replicate(1, dimension);
}

// Through a width map, whose single number may stand for all coordinates.
Rows width_pull_back(const QueryMap& width, const Queries& a, const Rows& weight) {
  if (width.output_dimension() == weight.cols()) return width.pull_back(a, weight);
  return width.pull_back(a, weight.rowwise().sum());
}

}  // namespace

SpreadConditional::SpreadConditional(QueryMap mu, QueryMap sd, QueryMap half_width)
    : mu_(std::move(mu)), sd_(std::move(sd)), half_width_(std::move(half_width)) {
  require_width(sd_, input_dimension(), "sd");
  require_width(half_width_, input_dimension(), "half_width");
  query_dimension_ = std::max({mu_.query_dimension(), sd_.query_dimension(), half_width_.query_dimension()});
  if (query_dimension_ == 0)
    refuse("mu", "does not depend on the query, and neither do the widths", "at least one that does");
}

std::shared_ptr<const Conditional> SpreadConditional::clone() const {
  return std::make_shared<SpreadConditional>(*this);
}

Laws SpreadConditional::laws(const Queries& a) const { return spread_laws(a); }

Gradients SpreadConditional::gradients() const {
  const bool exact = mu_.has_jacobian() && sd_.has_jacobian() && half_width_.has_jacobian();
  return exact ? Gradients::kAnalytic : Gradients::kDifferences;
}

Rows SpreadConditional::pull_back(const Queries& a, const AverageSum& sum) const {
  const bool in_half_width = half_width_.query_dimension() > 0;
  const SpreadGradient gradient = sum.gradient(spread_laws(a), in_half_width);
  Rows out = mu_.pull_back(a, gradient.centre) + width_pull_back(sd_, a, gradient.sd);
  if (in_half_width) out += width_pull_back(half_width_, a, gradient.half_width);
  return out;
}

SpreadLaws SpreadConditional::spread_laws(const Queries& a) const {
  require_columns(a.dimension(), query_dimension_, QuerySpace::kName);
  return {mu_(a), width_rows(sd_, a, input_dimension(), "sd"),
          width_rows(half_width_, a, input_dimension(), "half_width")};
}

GaussianConditional::GaussianConditional(QueryMap mu, QueryMap sd)
    : SpreadConditional(std::move(mu), std::move(sd), 0.0) {}

UniformConditional::UniformConditional(QueryMap mu, QueryMap half_width)
    : SpreadConditional(std::move(mu), 0.0, std::move(half_width)) {}

}  // namespace iqbo
