// Queries made of a location and a resolution, without a tree: X is spread by delta around xi.
//
//   const FlatQueries flat = flat_queries(QuerySet(centres), Vector{{0.2, 0.1, 0.05, 0.02}},
//                                         {Window::kGaussian, [](double delta) { return 0.02 / delta; }});
//   Policy policy(flat.setting(InputSet(x)), {}, seed);
//
//   centres   resolutions   A                                       a query
//   list     list          QuerySet, all pairs, by location        (xi, delta)
//   list     interval      MixedQueries, xi is the choice          (xi, delta)
//   box      list          MixedQueries, delta is the choice       (delta, xi): Mixed puts choices first
//   box      interval      QueryBox                                (xi, delta)
//
// delta is the sd of a Gaussian window or the half-width of a box, in units of X; 0 measures f directly, if it has a
// cost. The query domain has the costs, which divide every score, and the finest partner of a query, which mfmes needs.
// Everything else (kernel, noise, query_kernel) is set as usual.
//
// Refused: no resolution, a negative one, one that is listed twice; a window wider than X (2 delta above the longest
// side of X: it would average mostly over what is not searched, and is usually a mistake in the units); a cost that is
// not positive, or that falls as queries get finer: the finer ones would be both better and cheaper.
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/setting.hpp"

namespace iqbo {

enum class Window { kGaussian, kUniform };

struct ResolutionRange {
  double finest;
  double coarsest;
};

using CentreSpace = std::variant<QuerySet, QueryBox>;
using FlatSpace = std::variant<QuerySet, MixedQueries, QueryBox>;
using Resolutions = std::variant<Vector, ResolutionRange>;

struct FlatOptions {
  Window window = Window::kGaussian;
  std::function<double(double delta)> cost = {};  // all the same if not given
};

class FlatQueries {
 public:
  Setting setting(const TargetSpace& x) const;

  const QueryDomainPtr& a() const { return a_; }
  const FlatSpace& space() const { return space_; }            // the same without costs
  bool resolution_first() const { return resolution_first_; }  // else it is the last coordinate
  Rows centres(const Queries& a) const;
  Vector resolutions(const Queries& a) const;
  Queries at(const Rows& centres, const Vector& resolutions) const;  // one per row
  Vector cost(const Queries& a) const;                               // 1 each if none was given

  // l(a, a') = l_xi(xi, xi') l_delta(delta, delta'), for Setting::query_kernel: [Zhang26] section 3.
  std::shared_ptr<const Kernel> kernel(const Stationary& over_centres, const Stationary& over_resolutions) const;

 private:
  friend FlatQueries flat_queries(const CentreSpace& centres, const Resolutions& resolutions,
                                  const FlatOptions& options);
  FlatQueries(FlatSpace space, bool resolution_first, double finest, double coarsest, FlatOptions options);

  Index centre_dimension() const { return a_->dimension() - 1; }
  Index resolution_column() const { return resolution_first_ ? 0 : centre_dimension(); }
  std::vector<Index> centre_columns() const;

  FlatSpace space_;
  QueryDomainPtr a_;
  bool resolution_first_;
  double finest_;
  double coarsest_;
  FlatOptions options_;
};

FlatQueries flat_queries(const CentreSpace& centres, const Resolutions& resolutions, const FlatOptions& options = {});

}  // namespace iqbo
