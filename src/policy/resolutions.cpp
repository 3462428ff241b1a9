#include "iqbo/policy/resolutions.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/product.hpp"

namespace iqbo {
namespace {

constexpr Index kCostProbes = 33;  // of an interval

// Checks the costs from fine to coarse.
void require_costs(Vector delta, const std::function<double(double)>& cost) {
  std::sort(delta.begin(), delta.end());
  double last = 0.0;
  for (Index i = 0; i < delta.size(); ++i) {
    const double paid = cost(delta[i]);
    require_positive(paid, "cost of delta = " + readable(delta[i]));
    if (i > 0 && paid > last)
      refuse("cost", readable(paid) + " of delta = " + readable(delta[i]),
             "at most " + readable(last) + ", that of the finer " + readable(delta[i - 1]));
    last = paid;
  }
}

Queries all_pairs(const Queries& centres, const Vector& delta) {
  Rows out(centres.size() * delta.size(), centres.dimension() + 1);
  for (Index i = 0; i < centres.size(); ++i)
    for (Index j = 0; j < delta.size(); ++j) out.row(i * delta.size() + j) << centres.row(i), delta[j];
  return Queries(std::move(out));
}

QueryBox with_range(const QueryBox& box, const ResolutionRange& range) {
  Vector lower(box.dimension() + 1), upper(box.dimension() + 1);
  lower << box.lower(), range.finest;
  upper << box.upper(), range.coarsest;
  return {lower, upper};
}

void require_range(const ResolutionRange& range) {
  require_non_negative(Vector{{range.finest, range.coarsest}}, "resolution");
  if (range.finest >= range.coarsest)
    refuse("resolution", "from " + readable(range.finest) + " to " + readable(range.coarsest), "finest < coarsest");
}

}  // namespace

FlatQueries flat_queries(const CentreSpace& centres, const Resolutions& resolutions, const FlatOptions& options) {
  const auto* list = std::get_if<QuerySet>(&centres);
  const auto* box = std::get_if<QueryBox>(&centres);
  if (const auto* delta = std::get_if<Vector>(&resolutions)) {
    require_not_empty(delta->size(), "resolution");
    require_non_negative(*delta, "resolution");
    for (Index i = 0; i < delta->size(); ++i)
      if ((delta->head(i).array() == (*delta)[i]).any())
        refuse("resolution", readable((*delta)[i]) + " twice", "distinct numbers");
    if (options.cost) require_costs(*delta, options.cost);
    FlatSpace a = list != nullptr ? FlatSpace(QuerySet(all_pairs(list->points(), *delta)))
                                  : FlatSpace(MixedQueries(QuerySet(Queries::line(*delta)), *box));
    return {std::move(a), box != nullptr, delta->minCoeff(), delta->maxCoeff(), options};
  }
  const auto& range = std::get<ResolutionRange>(resolutions);
  require_range(range);
  if (options.cost) require_costs(Vector::LinSpaced(kCostProbes, range.finest, range.coarsest), options.cost);
  const QueryBox alone(Vector::Constant(1, range.finest), Vector::Constant(1, range.coarsest));
  FlatSpace a = list != nullptr ? FlatSpace(MixedQueries(*list, alone)) : FlatSpace(with_range(*box, range));
  return {std::move(a), false, range.finest, range.coarsest, options};
}

FlatQueries::FlatQueries(FlatSpace space, bool resolution_first, double finest, double coarsest, FlatOptions options)
    : space_(std::move(space)),
      a_(std::visit([](const auto& queries) { return QueryDomainPtr(queries); }, space_)),
      resolution_first_(resolution_first),
      finest_(finest),
      coarsest_(coarsest),
      options_(std::move(options)) {
  QueryTraits traits;
  if (options_.cost) traits.cost = [self = *this](const Queries& a) { return self.cost(a); };
  traits.finest = [self = *this](const Queries& a) {
    return self.at(self.centres(a), Vector::Constant(a.size(), self.finest_));
  };
  a_ = a_->with(traits);
}

std::vector<Index> FlatQueries::centre_columns() const {
  std::vector<Index> out(static_cast<std::size_t>(centre_dimension()));
  std::iota(out.begin(), out.end(), resolution_first_ ? 1 : 0);
  return out;
}

Rows FlatQueries::centres(const Queries& a) const {
  require_columns(a.dimension(), a_->dimension(), QuerySpace::kName);
  return a.coordinates()(Eigen::all, centre_columns());
}

Vector FlatQueries::resolutions(const Queries& a) const {
  require_columns(a.dimension(), a_->dimension(), QuerySpace::kName);
  return a.coordinates().col(resolution_column());
}

Queries FlatQueries::at(const Rows& centres, const Vector& resolutions) const {
  require_columns(centres.cols(), centre_dimension(), "centres");
  require_rows(resolutions.size(), centres.rows(), "resolutions");
  Rows out(centres.rows(), a_->dimension());
  out(Eigen::all, centre_columns()) = centres;
  out.col(resolution_column()) = resolutions;
  return Queries(std::move(out));
}

Vector FlatQueries::cost(const Queries& a) const {
  if (!options_.cost) return Vector::Ones(a.size());
  return resolutions(a).unaryExpr(options_.cost);
}

std::shared_ptr<const Kernel> FlatQueries::kernel(const Stationary& over_centres,
                                                  const Stationary& over_resolutions) const {
  require_columns(over_centres.dimension(), centre_dimension(), "over_centres");
  require_columns(over_resolutions.dimension(), 1, "over_resolutions");
  return Product({{over_centres, centre_columns()}, {over_resolutions, {resolution_column()}}}).clone();
}

Setting FlatQueries::setting(const TargetSpace& x) const {
  require_columns(dimension(x), centre_dimension(), "targets");
  const double longest = bounds(x).width().maxCoeff();
  if (2.0 * coarsest_ > longest)
    refuse("resolution", readable(coarsest_), "at most " + readable(longest / 2.0) + ", half of X's longest side");
  const QueryMap centre = QueryMap::columns(centre_columns());
  const QueryMap width = QueryMap::columns({resolution_column()});
  return {x, a_,
          options_.window == Window::kGaussian ? GaussianConditional(centre, width).clone()
                                               : UniformConditional(centre, width).clone()};
}

}  // namespace iqbo
