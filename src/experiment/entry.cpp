#include "iqbo/experiment/entry.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo {
namespace {

// What the seed is used for, besides what the policy does with it.
enum Stream : std::uint64_t { kFirstQueries = 101, kNoise, kPairs };

// The paper's tree over the places of a problem with resolutions.
QueryTree tree_of(const Problem& problem) {
  if (problem.resolutions().size() < 2 || !problem.a_box())
    refuse("problem", problem.name() + " has one resolution", "one with several, for a tree");
  const Index places = problem.a_box()->dimension() - 1;
  TreeOptions options;
  options.l_max = static_cast<Index>(problem.resolutions().size()) - 1;
  return QueryTree(QueryBox(problem.a_box()->lower().head(places), problem.a_box()->upper().head(places)), options);
}

std::shared_ptr<const Conditional> conditional(const Entry& entry, const Problem& problem, std::uint64_t seed) {
  if (!entry.assumed.learned) return problem.conditional();
  Rng rng(seed, {kPairs});
  const PairLog log = problem.logged(entry.assumed.pairs, rng);
  LearnedOptions options;
  options.model = *entry.assumed.learned;
  if (problem.x_box())
    options.domain = *problem.x_box();
  else
    options.domain = problem.x();
  return LearnedConditional(log.x, log.a, options).clone();
}

std::shared_ptr<const Kernel> rbf(const Problem& problem, const std::vector<double>& lengths) {
  const Eigen::Map<const Vector> lengthscale(lengths.data(), static_cast<Index>(lengths.size()));
  return Rbf(problem.unit() * problem.unit(), Vector(lengthscale)).clone();
}

Setting setting(const Entry& entry, const Problem& problem, std::uint64_t seed) {
  Setting out{problem.x(), problem.a(), conditional(entry, problem, seed)};
  if (entry.asking == Asking::kTree) out.a = tree_of(problem);
  if (entry.asking == Asking::kLeaves) out.a = tree_of(problem).queries_at(tree_of(problem).l_max());
  if (entry.asking != Asking::kTree) {
    out.finest = [problem](const Queries& a) { return problem.finest(a); };
    if (!problem.resolutions().empty()) out.cost = [problem](const Queries& a) { return problem.cost(a); };
  }
  const auto& lengths = entry.assumed.lengthscales;
  if (!entry.assumed.query_lengthscales.empty()) out.query_kernel = rbf(problem, entry.assumed.query_lengthscales);
  if (!lengths) return out;
  if (lengths->empty() && problem.kernel() == nullptr)
    refuse("lengthscales", "none, and " + problem.name() + " has no kernel of its own", "one per coordinate of X");
  out.kernel = lengths->empty() ? problem.kernel() : rbf(problem, *lengths);
  out.noise_var = problem.noise_sd() * problem.noise_sd();
  return out;
}

// The same for every policy: rows of the list, or leaves of the tree, without repeats.
Queries first_queries(const Entry& entry, const Problem& problem, std::uint64_t seed) {
  const QuerySet list =
      entry.asking == Asking::kList ? problem.a() : tree_of(problem).queries_at(tree_of(problem).l_max());
  std::vector<Index> order(static_cast<std::size_t>(list.size()));
  std::iota(order.begin(), order.end(), Index{0});
  Rng rng(seed, {kFirstQueries});
  const Index count = std::min(entry.initial, list.size());
  for (Index i = 0; i < count; ++i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i + rng.below(list.size() - i))]);
  order.resize(static_cast<std::size_t>(count));
  return Queries(Rows(list.points().coordinates()(order, Eigen::all)));
}

PolicyOptions policy_options(const Entry& entry, const Problem& problem, const Queries& first) {
  PolicyOptions out;
  out.kind = entry.kind;
  out.initial = std::max(Index{1}, first.size());  // they are told: the policy draws none of its own
  out.samples = entry.samples;
  out.recommend_paths = 1;  // probabilities are not looked at
  if (entry.assumed.rbf) out.fit.families = {Stationary::Family::kRbf};
  if (entry.budget) out.budget = *entry.budget + problem.cost(first).sum();
  return out;
}

void require_sound(const Entry& entry) {
  if (entry.initial < 1) refuse("initial", std::to_string(entry.initial), "at least 1");
  if (entry.budget && entry.asking == Asking::kList) refuse("budget", "given for a list", "a tree or its leaves");
  if (!entry.budget && entry.steps < entry.initial)
    refuse("steps", std::to_string(entry.steps), "at least " + std::to_string(entry.initial) + ", the initial queries");
}

}  // namespace

ResultTable replicate(const Entry& entry, std::uint64_t seed, const Stop& stop) {
  require_sound(entry);
  const Problem problem = entry.make(seed);
  const Queries first = first_queries(entry, problem, seed);
  Policy policy(setting(entry, problem, seed), policy_options(entry, problem, first), seed);
  ResultTable out;
  double best = -std::numeric_limits<double>::infinity();
  double spent = 0.0;
  const double known_mean = entry.assumed.lengthscales ? problem.mean() : 0.0;  // policies see what is left
  for (Index t = 0; entry.budget || t < entry.steps; ++t) {
    if (stop && stop()) return {};
    const Queries a = t < first.size() ? first.slice(t, 1) : policy.suggest().queries;
    if (a.empty()) break;
    const double g = problem.g(a)[0];
    const double z = g + problem.noise_sd() * Rng(seed, {kNoise, static_cast<std::uint64_t>(t)}).normal();
    policy.observe(a, Vector::Constant(1, z - known_mean));
    best = std::max(best, g);
    if (!entry.budget || t >= first.size()) spent += problem.cost(a)[0];
    const double found = problem.f(policy.recommend().x)[0];
    out.push_back({entry.problem,
                   entry.policy,
                   seed,
                   t,
                   {a.row(0).begin(), a.row(0).end()},
                   z,
                   problem.optimum().max - best,
                   problem.optimum().max - found,
                   spent});
  }
  return out;
}

}  // namespace iqbo
