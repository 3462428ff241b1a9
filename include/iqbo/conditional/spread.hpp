// Windows: X = mu(a) + sd(a) N + half_width(a) U, coordinates independent.
//
//   GaussianConditional(mu, sd)           N(mu(a), diag sd(a)^2)
//   UniformConditional(mu, half_width)    uniform on the box mu(a) +- half_width(a)
//   SpreadConditional(mu, sd, half_width) a box seen through a Gaussian blur
//
// A width may be one number for all coordinates. Zero width is a direct measurement of f. mu and widths are QueryMaps:
//
//   GaussianConditional(QueryMap::identity(2), 0.5)                         a in R^2 is the centre, sd 0.5
//   GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1}))     a = (xi, delta) in R x R+
//
// Mass may fall outside the box that X is confined to; TruncatedConditional clips or renormalises it.
#pragma once

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/conditional/query_map.hpp"

namespace iqbo {

class SpreadConditional : public Conditional {
 public:
  // X has the dimension of mu's values; A has as many coordinates as the map that reads the most.
  SpreadConditional(QueryMap mu, QueryMap sd, QueryMap half_width);

  std::shared_ptr<const Conditional> clone() const override;
  Index input_dimension() const override { return mu_.output_dimension(); }
  Index query_dimension() const override { return query_dimension_; }
  Laws laws(const Queries& a) const override;
  Gradients gradients() const override;  // kAnalytic unless a map is a function without a Jacobian
  Rows pull_back(const Queries& a, const AverageSum& sum) const override;

  SpreadLaws spread_laws(const Queries& a) const;

 private:
  QueryMap mu_;
  QueryMap sd_;
  QueryMap half_width_;
  Index query_dimension_;
};

struct GaussianConditional : SpreadConditional {
  GaussianConditional(QueryMap mu, QueryMap sd);
};

struct UniformConditional : SpreadConditional {
  UniformConditional(QueryMap mu, QueryMap half_width);
};

}  // namespace iqbo
