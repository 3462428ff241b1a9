#include "iqbo/experiment/entry.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"
#include "scheduled.hpp"

namespace iqbo {
namespace {

// What the seed is used for, besides what the policy does with it.
enum Stream : std::uint64_t { kFirstQueries = 101, kNoise, kPairs };

// The sd of an answer of resolution delta, in units of that at the finest: as many times as delta is coarser.
Vector noise_factor(const Problem& problem, const Queries& a) {
  return a.coordinates().col(a.dimension() - 1) / problem.resolutions().back();
}

// The problem's own tree, or the paper's over the locations of one with resolutions.
QueryTree tree_of(const Entry& entry, const Problem& problem) {
  if (problem.tree() && entry.noise_by_level)
    refuse("noise_by_level", problem.name() + " has a tree of its own", "a problem with the paper's tree");
  if (problem.tree()) return *problem.tree();
  if (problem.resolutions().size() < 2 || !problem.a_box())
    refuse("problem", problem.name() + " has one resolution", "one with several, for a tree");
  const Index axes = problem.a_box()->dimension() - 1;
  TreeOptions options;
  options.l_max = static_cast<Index>(problem.resolutions().size()) - 1;
  if (entry.noise_by_level) {
    const Eigen::Map<const Vector> delta(problem.resolutions().data(), options.l_max + 1);
    options.noise_var = Vector((problem.noise_sd() * delta / delta[options.l_max]).cwiseAbs2());
  }
  return QueryTree(QueryBox(problem.a_box()->lower().head(axes), problem.a_box()->upper().head(axes)), options);
}

QuerySet leaves_of(const Entry& entry, const Problem& problem) {
  const QueryTree tree = tree_of(entry, problem);
  return tree.queries_at(tree.l_max());
}

std::shared_ptr<const Kernel> rbf(const Problem& problem, const std::vector<double>& lengths) {
  const Eigen::Map<const Vector> lengthscale(lengths.data(), static_cast<Index>(lengths.size()));
  return Rbf(problem.unit() * problem.unit(), Vector(lengthscale)).clone();
}

// k, as far as it is known before the first answer.
std::shared_ptr<const Kernel> yardstick(const Entry& entry, const Problem& problem, const Inputs& logged) {
  const auto& lengths = entry.assumed.lengthscales;
  if (lengths) return lengths->empty() ? problem.kernel() : rbf(problem, *lengths);
  const Rows& x = logged.coordinates();
  const Vector sd = (x.rowwise() - x.colwise().mean()).array().square().colwise().mean().sqrt().transpose();
  return Rbf(problem.unit() * problem.unit(), (sd.array() > 0.0).select(sd, 1.0)).clone();
}

std::shared_ptr<const Conditional> conditional(const Entry& entry, const Problem& problem, std::uint64_t seed) {
  if (!entry.assumed.learned) return problem.conditional();
  Rng rng(seed, {kPairs});
  const PairLog log = problem.logged(entry.assumed.pairs, rng);
  LearnedOptions options;
  options.model = *entry.assumed.learned;
  if (entry.assumed.printed_cme) {
    options.exact_constant = false;
    options.yardstick = yardstick(entry, problem, log.x);
  }
  if (problem.x_box())
    options.domain = *problem.x_box();
  else
    options.domain = problem.x();
  return LearnedConditional(log.x, log.a, options).clone();
}

Setting setting(const Entry& entry, const Problem& problem, std::uint64_t seed) {
  Setting out{problem.x(), problem.a(), conditional(entry, problem, seed)};
  if (entry.asking == AskedAs::kTree) out.queries = tree_of(entry, problem);
  if (entry.asking == AskedAs::kLeaves) out.queries = leaves_of(entry, problem);
  if (entry.asking != AskedAs::kTree) {
    QueryTraits traits{.finest = [problem](const Queries& a) { return problem.finest(a); }};
    if (!problem.resolutions().empty()) traits.cost = [problem](const Queries& a) { return problem.cost(a); };
    out.queries = out.queries->with(traits);
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
  const QuerySet list = entry.asking == AskedAs::kList ? problem.a() : leaves_of(entry, problem);
  std::vector<Index> order(static_cast<std::size_t>(list.size()));
  std::iota(order.begin(), order.end(), Index{0});
  Rng rng(seed, {kFirstQueries});
  const Index count = std::min(entry.initial, list.size());
  for (Index i = 0; i < count; ++i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i + rng.below(list.size() - i))]);
  order.resize(static_cast<std::size_t>(count));
  return Queries(Rows(list.points().coordinates()(order, Eigen::all)));
}

PolicyOptions policy_options(const Entry& entry, const Queries& first) {
  PolicyOptions out;
  out.initial = std::max(Index{1}, first.size());  // the policy is given these and draws none of its own
  out.samples = entry.samples;
  out.recommend_paths = 0;  // probabilities are not used
  out.discrepancy = entry.assumed.discrepancy;
  out.printed_tree = entry.printed_tree;
  if (entry.assumed.rbf) out.fit.families = {"rbf"};
  if (entry.assumed.plain_evidence) {
    out.fit.priors = false;
    out.fit.nugget = false;
    out.members = 1;
    out.refit_always = true;
  }
  return out;
}

void require_sound(const Entry& entry) {
  if (entry.initial < 1) refuse("initial", std::to_string(entry.initial), "at least 1");
  if (!entry.budget && entry.steps < entry.initial)
    refuse("steps", std::to_string(entry.steps), "at least " + std::to_string(entry.initial) + ", the initial queries");
}

World world_of(const Entry& entry, std::uint64_t seed) {
  require_sound(entry);
  const Problem problem = entry.make(seed);
  const Queries first = first_queries(entry, problem, seed);
  World out{.setting = setting(entry, problem, seed),
            .options = policy_options(entry, first),
            .first = first,
            .f = [problem](const Inputs& x) { return problem.f(x); },
            .g = [problem](const Queries& a) { return problem.g(a); },
            .cost = [problem](const Queries& a) { return problem.cost(a); },
            .noise_sd =
                [problem, by_level = entry.noise_by_level](const Queries& a) {
                  if (by_level) return Vector(problem.noise_sd() * noise_factor(problem, a));
                  return Vector(Vector::Constant(a.size(), problem.noise_sd()));
                },
            .max = problem.optimum().max,
            .mean = entry.assumed.lengthscales ? problem.mean() : 0.0};
  if (entry.schedule) out.choose = scheduled_choice(problem, *entry.schedule);
  return out;
}

Policy policy_of(const Entry& entry, const World& world, std::uint64_t seed) {
  PolicyOptions options = world.options;
  options.policy = entry.kind;
  options.budget.reset();
  if (entry.budget) options.budget = *entry.budget + (world.first.empty() ? 0.0 : world.cost(world.first).sum());
  return {world.setting, options, seed};
}

std::vector<double> written(const World& world, const Queries& a) {
  const Rows row = world.written_query ? world.written_query(a) : a.coordinates();
  return {row.row(0).begin(), row.row(0).end()};
}

// Tells the policy a noisy answer about g; returns it, a rate if it is a count.
double tell(Policy& policy, const World& world, const Queries& a, double g, Rng noise) {
  if (world.counted) {
    const Count answer = world.counted(a, noise.uniform());
    policy.observe(a, {answer});
    return answer.rate();
  }
  const double z = g + world.noise_sd(a)[0] * noise.normal();
  policy.observe(a, Vector::Constant(1, z - world.mean));
  return z;
}

ResultTable run_through(const Entry& entry, std::uint64_t seed) {
  const World world = entry.world ? entry.world(seed) : world_of(entry, seed);
  Policy policy = policy_of(entry, world, seed);
  ResultTable out;
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  double best = -kUnlimited;
  double spent = 0.0;
  for (Index t = 0; entry.budget || t < entry.steps; ++t) {
    stop_point();
    const bool first = t < world.first.size();
    const Queries a = first          ? world.first.slice(t, 1)
                      : world.choose ? world.choose(policy, t, entry.budget.value_or(kUnlimited) - spent)
                                     : policy.suggest().queries;
    if (a.empty()) break;
    const double g = world.g(a)[0];
    const double z = tell(policy, world, a, g, Rng(seed, {kNoise, static_cast<std::uint64_t>(t)}));
    best = std::max(best, g);
    if (!entry.budget || !first) spent += world.cost(a)[0];
    const double found = world.f(policy.best().x)[0];
    out.push_back({entry.problem, entry.policy, seed, t, written(world, a),
                   world.written_value ? world.written_value(z) : z, world.max - best, world.max - found, spent});
  }
  return out;
}

}  // namespace

ResultTable replicate(const Entry& entry, std::uint64_t seed, const Stop& stop) {
  const StopScope scope(stop);
  const internal::Alone alone;  // replications are themselves run in parallel
  try {
    return run_through(entry, seed);
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace iqbo
