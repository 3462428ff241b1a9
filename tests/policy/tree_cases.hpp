// The peak of policy_settings.hpp, asked by cells of a tree.
#pragma once

#include <cmath>
#include <vector>

#include "iqbo/policy/policy.hpp"
#include "support/policy_settings.hpp"

namespace iqbo::test::tree {

// The peak of policy_settings.hpp through windows of any width.
inline double g_through(double a, double sd) {
  const double wide = std::hypot(0.1, sd);
  return 0.1 / wide * std::exp(-0.5 * std::pow((a - 0.7) / wide, 2)) +
         0.3 * std::sin(5.0 * a) * std::exp(-0.5 * std::pow(5.0 * sd, 2));
}

inline Vector answers(const Queries& a) {
  Vector out(a.size());
  for (Index i = 0; i < a.size(); ++i) out[i] = g_through(a.row(i)[0], a.row(i)[1]);
  return out;
}

inline TreeOptions tree_options(Index l_max = 5) {
  TreeOptions out;
  out.l_max = l_max;
  out.resolution = [](const Cell& cell) { return 0.5 * cell.half_width[0]; };
  return out;
}

inline QueryTree tree_of(const TreeOptions& options = tree_options()) { return QueryTree(unit_queries(), options); }

inline Setting on_tree(const TreeOptions& options = tree_options()) {
  Setting out{InputSet(unit_inputs().grid({60})), tree_of(options),
              GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1})).clone()};
  out.kernel = Rbf(0.5, Vector{{0.12}}).clone();
  out.query_kernel = Rbf(0.5, Vector{{0.15, 0.3}}).clone();
  out.noise_var = 1e-4;
  return out;
}

inline PolicyOptions options_for(PolicyKind kind) {
  PolicyOptions out;
  out.policy = kind;
  out.above = 0.6;
  out.samples = 8;
  out.recommend_paths = 20;
  return out;
}

inline std::vector<Node> run(Policy& policy, int steps) {
  std::vector<Node> out;
  for (int t = 0; t < steps; ++t) {
    const Suggestion next = policy.suggest();
    if (next.queries.empty()) break;
    out.push_back(next.nodes[0]);
    policy.observe(next.queries, answers(next.queries));
  }
  return out;
}

}  // namespace iqbo::test::tree
