// Any p(x|a) you can sample from, or integrate against with a rule of your own.
//
//   SampledConditional::rule(d_a, d_x, fn)             fn(a) returns weighted points for each query of the batch
//   SampledConditional::sampler(d_a, d_x, fn, n, seed) fn(a, n, rng) returns n draws of X given one query
//
// Averages become finite sums over these points, with any kernel. A rule's weights must be non-negative and are
// normalised. The draws for a query depend only on the seed and on the query's coordinates, so that the same query
// always has the same average; the error decreases as 1/sqrt(n).
//
// Gradients in a: a rule is differentiated by central differences, so it should be smooth in a. A sampler has none,
// because neighbouring queries have different draws; if you need them, write it as a rule whose points move with a.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {

struct WeightedPoints {
  Rows point;
  Vector weight;
};

class SampledConditional final : public Conditional {
 public:
  using Rule = std::function<std::vector<WeightedPoints>(const Queries& a)>;
  using Sampler = std::function<Rows(const Queries& a, Index draws, Rng& rng)>;

  static SampledConditional rule(Index query_dimension, Index input_dimension, Rule rule);
  static SampledConditional sampler(Index query_dimension, Index input_dimension, Sampler sampler, Index draws,
                                    std::uint64_t seed);

  std::shared_ptr<const Conditional> clone() const override;
  Index input_dimension() const override { return input_dimension_; }
  Index query_dimension() const override { return query_dimension_; }
  Laws laws(const Queries& a) const override;
  Gradients gradients() const override { return gradients_; }

 private:
  SampledConditional(Index query_dimension, Index input_dimension, Rule rule, bool of_density,
                     Gradients gradients = Gradients::kDifferences);

  Index query_dimension_;
  Index input_dimension_;
  Rule rule_;
  bool of_density_;  // see DiscreteLaws
  Gradients gradients_;
};

}  // namespace iqbo
