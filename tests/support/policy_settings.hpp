// A small problem with a known peak, for tests of policies.
#pragma once

#include <cmath>
#include <memory>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo::test {

// f has a peak at 0.7 on the unit interval; queries are windows of sd 0.06.
inline double f_at(double x) { return std::exp(-0.5 * std::pow((x - 0.7) / 0.1, 2)) + 0.3 * std::sin(5.0 * x); }

inline double g_at(double a) {
  const double wide = std::hypot(0.1, 0.06);
  return 0.1 / wide * std::exp(-0.5 * std::pow((a - 0.7) / wide, 2)) +
         0.3 * std::sin(5.0 * a) * std::exp(-0.5 * std::pow(5.0 * 0.06, 2));
}

inline Vector answers(const Queries& a) { return a.coordinates().col(0).unaryExpr(&g_at); }

inline std::shared_ptr<const Conditional> window() { return GaussianConditional(QueryMap::identity(1), 0.06).clone(); }
inline InputBox unit_inputs() { return {Vector{{0.0}}, Vector{{1.0}}}; }
inline QueryBox unit_queries() { return {Vector{{0.0}}, Vector{{1.0}}}; }

// For mfmes, where all queries have the same resolution: each is its own finest partner.
inline QueryDomainPtr all_finest(const QueryDomainPtr& a) {
  return a->with({.finest = [](const Queries& queries) { return queries; }});
}

inline Setting on_lists() {
  Setting out{InputSet(unit_inputs().grid({60})), QuerySet(unit_queries().grid({25})), window()};
  out.kernel = Rbf(0.5, Vector{{0.12}}).clone();
  out.query_kernel = Rbf(0.5, Vector{{0.15}}).clone();
  out.noise_var = 1e-4;
  out.queries = all_finest(out.queries);
  return out;
}

inline Setting on_continua() {
  Setting out = on_lists();
  out.targets = unit_inputs();
  out.queries = all_finest(unit_queries());
  return out;
}

inline Policy run(const Setting& setting, PolicyKind kind, int steps, std::uint64_t seed = 1) {
  PolicyOptions options;
  options.policy = kind;
  options.above = 0.6;
  options.samples = 8;
  options.recommend_paths = 20;
  Policy policy(setting, options, seed);
  for (int t = 0; t < steps; ++t) {
    const Queries a = policy.suggest().queries;
    policy.observe(a, answers(a));
  }
  return policy;
}

}  // namespace iqbo::test
