// Problems on a tree, and runs that are paid for.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "cases.hpp"
#include "iqbo/space/query_tree.hpp"

namespace iqbo::study {

struct TreeCase {
  QueryTree tree;
  Setting setting;                                     // with the tree for its query domain
  Vector f;                                            // on X
  std::function<double(const Eigen::RowVectorXd&)> g;  // what a query would answer without noise
  double noise_sd;
  double unit;  // regrets are given in it
};

// Branin on 36 x 36 points, standardised, seen through windows of sd delta_l = 1 / (l + 1) around the map of the centre, at cost
// (l + 1) / 2; l_max = 6. The prior is known: RBF of variance 1 and lengthscales 3 and 6. Noise sd 0.1.
inline TreeCase branin_tree(bool linear) {
  constexpr double kMean = -54.3;
  constexpr double kSd = 51.3;
  const Problem branin = problem(linear ? "branin-multires-linear" : "branin-multires-nonlinear");
  const QueryTree tree(QueryBox(Vector::Zero(2), Vector::Ones(2)));
  Setting setting{branin.x(), tree, branin.conditional()};
  setting.kernel = Rbf(1.0, Vector{{3.0, 6.0}}).clone();
  setting.noise_var = 0.01;
  const auto g = [branin](const Eigen::RowVectorXd& a) { return (branin.g(Queries(Rows(a)))[0] - kMean) / kSd; };
  return {tree, setting, (branin.f(branin.x().points()).array() - kMean) / kSd, g, 0.1, kSd};
}

// The two hills of two_peaks() on a binary tree of 64 leaves; the coarser the cheaper: cost 0.02 / delta.
inline TreeCase two_peaks_tree() {
  TreeOptions options;
  options.resolution = Vector{{0.2, 0.2, 0.1, 0.1, 0.05, 0.05, 0.02}};
  options.cost = Vector{{0.1, 0.1, 0.2, 0.2, 0.4, 0.4, 1.0}};
  const Case flat = two_peaks();
  Setting setting = flat.setting;
  const QueryTree tree(QueryBox(Vector{{0.0}}, Vector{{1.0}}), options);
  setting.queries = tree;
  setting.conditional = GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1})).clone();
  setting.noise_var = 1e-4;
  const double mean = two_hills(std::get<InputSet>(setting.targets).points().coordinates().col(0), 0.0).mean();
  const auto g = [mean](const Eigen::RowVectorXd& a) { return two_hills(Vector::Constant(1, a[0]), a[1])[0] - mean; };
  return {tree, setting, flat.f, g, 0.01, 1.0};
}

// The same queries without the tree: its leaves, as a list, at their price.
inline Setting leaf_level(const TreeCase& problem) {
  Setting out = problem.setting;
  const QuerySet leaves = problem.tree.queries_at(problem.tree.l_max());
  out.queries = ListedQueries{leaves, Vector::Constant(leaves.size(), problem.setting.queries->most_expensive())};
  return out;
}

// max f - f(recommended) once each of the given sums has been spent as far as possible, never more. `initial` answers at
// random leaves, the same for every policy of a seed, come first and are not counted; nor are they choices of the tree.
// The noise of the n-th answer depends on the seed and on n alone.
inline std::vector<double> regrets(const TreeCase& problem, const Setting& setting, PolicyKind kind, Index initial,
                                   const std::vector<double>& at, std::uint64_t seed) {
  const QueryTree& tree = problem.tree;
  PolicyOptions options;
  options.policy = kind;
  options.recommend_paths = 1;  // probabilities are not looked at
  options.budget = at.back() + static_cast<double>(initial) * tree.cost({tree.l_max(), 0});
  Policy policy(setting, options, seed);
  std::uint64_t n = 0;
  const auto answer = [&](const Queries& a) {
    Rng noise(seed, {1000, n++});
    policy.observe(a, Vector::Constant(1, problem.g(a.row(0)) + problem.noise_sd * noise.normal()));
  };
  Rng rng(seed, {2000});
  for (Index i = 0; i < initial; ++i)
    answer(tree.queries({{tree.l_max(), rng.below(static_cast<Index>(tree.size_at(tree.l_max())))}}));

  const auto regret = [&] { return problem.unit * (problem.f.maxCoeff() - problem.f[*policy.best().row]); };
  std::vector<double> out;
  double spent = 0.0;
  for (;;) {
    const Suggestion next = policy.suggest();
    if (next.queries.empty()) break;
    spent += tree.cost(*tree.find(next.queries.row(0)));
    while (out.size() < at.size() && spent > at[out.size()] + 1e-9) out.push_back(regret());
    answer(next.queries);
  }
  while (out.size() < at.size()) out.push_back(regret());
  return out;
}

}  // namespace iqbo::study
