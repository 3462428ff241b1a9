#include "iqbo/conditional/sampled.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace iqbo {
namespace {

// A generator for this query alone: the bits of its coordinates are part of the key.
Rng rng_for(const Queries& a, std::uint64_t seed) {
  std::uint64_t state = seed;
  for (const double value : a.coordinates().reshaped<Eigen::RowMajor>())
    state = Rng(state, {std::bit_cast<std::uint64_t>(value + 0.0)})();  // + 0.0: -0 and 0 are the same query
  return Rng(state);
}

}  // namespace

SampledConditional::SampledConditional(Index query_dimension, Index input_dimension, Rule rule, bool of_density,
                                       Gradients gradients)
    : query_dimension_(query_dimension),
      input_dimension_(input_dimension),
      rule_(std::move(rule)),
      of_density_(of_density),
      gradients_(gradients) {
  if (query_dimension < 1) refuse("query_dimension", "is " + std::to_string(query_dimension), "at least 1");
  if (input_dimension < 1) refuse("input_dimension", "is " + std::to_string(input_dimension), "at least 1");
}

SampledConditional SampledConditional::rule(Index query_dimension, Index input_dimension, Rule rule) {
  if (!rule) refuse("rule", "is empty", "a function of Queries");
  return {query_dimension, input_dimension, std::move(rule), false};
}

SampledConditional SampledConditional::sampler(Index query_dimension, Index input_dimension, Sampler sampler,
                                               Index draws, std::uint64_t seed) {
  if (!sampler) refuse("sampler", "is empty", "a function of Queries, a count and an Rng");
  if (draws < 1) refuse("draws", "is " + std::to_string(draws), "at least 1");
  return {query_dimension, input_dimension,
          [sampler = std::move(sampler), draws, seed](const Queries& a) {
            std::vector<WeightedPoints> out;
            for (Index i = 0; i < a.size(); ++i) {
              const Queries one = a.slice(i, 1);
              Rng rng = rng_for(one, seed);
              Rows points = sampler(one, draws, rng);
              require_rows(points.rows(), draws, "sampler(a)");
              out.push_back({std::move(points), Vector::Ones(draws)});
            }
            return out;
          },
          true, Gradients::kNone};
}

std::shared_ptr<const Conditional> SampledConditional::clone() const {
  return std::make_shared<SampledConditional>(*this);
}

Laws SampledConditional::laws(const Queries& a) const {
  require_columns(a.dimension(), query_dimension_, QuerySpace::kName);
  const auto rules = rule_(a);
  require_rows(static_cast<Index>(rules.size()), a.size(), "rule(a)");
  Index total = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const auto& [point, weight] = rules[static_cast<std::size_t>(i)];
    const std::string name = "points of query row " + std::to_string(i);
    require_columns(point.cols(), input_dimension_, name);
    require_rows(weight.size(), point.rows(), "weights of query row " + std::to_string(i));
    require_finite(point, name);
    require_non_negative(weight, "weights of query row " + std::to_string(i));
    if (!(weight.sum() > 0) || !std::isfinite(weight.sum()))
      refuse("weights of query row " + std::to_string(i), "sum to " + readable(weight.sum()), "a positive sum");
    total += point.rows();
  }
  Rows support(total, input_dimension_);
  SparseRows weights(a.size(), total);
  weights.reserve(total);
  Index at = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const auto& [point, weight] = rules[static_cast<std::size_t>(i)];
    support.middleRows(at, point.rows()) = point;
    const double sum = weight.sum();
    weights.startVec(i);
    for (Index j = 0; j < weight.size(); ++j) weights.insertBack(i, at + j) = weight[j] / sum;
    at += point.rows();
  }
  weights.finalize();
  return DiscreteLaws{std::make_shared<const Inputs>(std::move(support)), weights, of_density_};
}

}  // namespace iqbo
