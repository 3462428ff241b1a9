#include "iqbo/experiment/bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "begin_bench.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/problem/registry.hpp"
#include "scheduled.hpp"

namespace iqbo {
namespace {

// Whether the problem differs from seed to seed: all others refuse a seed.
bool is_drawn(const std::string& name) {
  try {
    problem(name, {.seed = 1});
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::vector<const Entry*> entries_of(const Figure& figure, const std::string& problem) {
  std::vector<const Entry*> out;
  for (const Entry& entry : figure.experiment.entries)
    if (entry.problem == problem) out.push_back(&entry);
  return out;
}

double last(const Figure& figure) { return figure.grid[figure.grid.size() - 1]; }

// The initial queries, which all policies share, are not compared.
double begin(const Figure& figure, const Entry& entry) {
  return figure.axis == Axis::kCost ? 0.0 : static_cast<double>(entry.initial);
}

double mean_over_all(const Regrets& regrets, const Entry& entry) {
  const Figure& figure = regrets.figure();
  return regrets.mean_log(entry.problem, entry.policy, Regret::kSimple, begin(figure, entry), last(figure)).mean();
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string geometric(const Regrets& regrets, const Entry& entry, Regret regret, Index at) {
  return short_number(std::pow(10.0, regrets.logs(entry.problem, entry.policy, regret).col(at).mean()));
}

// How a problem is asked: those of one resolution have no tree.
AskedAs asking_of(const Problem& problem, const BenchOptions& options) {
  if (options.asking && *options.asking != AskedAs::kList && problem.resolutions().size() < 2)
    refuse("ask", *options.asking == AskedAs::kTree ? "as a tree" : "as leaves",
           "a list: " + problem.name() + " has one resolution only");
  return problem.resolutions().size() < 2 ? AskedAs::kList : options.asking.value_or(AskedAs::kTree);
}

}  // namespace

std::vector<PolicyKind> bench_policies(const BenchOptions& options) {
  if (options.policies.empty()) refuse("policies", "none", "at least one");
  std::vector<PolicyKind> out;
  for (const std::string& name : options.policies)
    out.push_back(name == kScheduledUcb ? PolicyKind::kRandom : policy_kind(name));
  return out;
}

void begin_bench(Figure& figure, const BenchOptions& options, double first_cost) {
  constexpr Index kCosts = 100;
  figure.axis = options.budget ? Axis::kCost : Axis::kAnswers;
  figure.grid = options.budget ? Vector::LinSpaced(kCosts, first_cost, *options.budget)
                               : Vector::LinSpaced(options.steps, 1.0, static_cast<double>(options.steps));
  figure.experiment.name = "bench";
  figure.experiment.seeds = options.seeds;
  figure.experiment.first_seed = options.first_seed;
}

Figure bench_figure(const BenchOptions& options) {
  if (options.problems.empty()) refuse("problem", "none", "at least one");
  if (options.budget) require_positive(*options.budget, "budget");
  if (options.pairs < 0 || options.pairs == 1)
    refuse("pairs", std::to_string(options.pairs), "0 (p(x|a) known), or 2 or more");
  const std::vector<PolicyKind> kinds = bench_policies(options);
  Figure out;
  begin_bench(out, options, options.budget.value_or(1.0) / 100.0);
  for (const std::string& name : options.problems) {
    const Problem example = problem(name);
    const bool drawn = is_drawn(name);
    const Index initial = example.kernel() != nullptr ? 2 : example.x().dimension() + 3;
    if (!options.budget && options.steps <= initial)
      refuse("steps", std::to_string(options.steps), "more than the " + std::to_string(initial) + " initial queries");
    out.panels.push_back(panel_of(example, drawn));
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      Entry entry{name, options.policies[i]};
      entry.make = [=](std::uint64_t seed) { return drawn ? problem(name, {.seed = seed}) : example; };
      entry.kind = kinds[i];
      if (entry.policy == kScheduledUcb) {
        entry.schedule = options.schedule;
        scheduled_choice(example,
                         options.schedule);  // refuses problems without resolutions now, not after others have run
      }
      entry.asking = asking_of(example, options);
      if (example.kernel() != nullptr) entry.assumed.lengthscales.emplace();
      if (options.pairs > 0) entry.assumed.learned = LearnedKind::kAuto;
      entry.assumed.pairs = options.pairs;
      entry.initial = initial;
      entry.samples = 16;
      entry.steps = options.steps;
      entry.budget = options.budget;
      out.experiment.entries.push_back(std::move(entry));
    }
  }
  return out;
}

Findings bench_findings(const Regrets& regrets) {
  Findings out;
  for (const Panel& panel : regrets.figure().panels) {
    const auto entries = entries_of(regrets.figure(), panel.problem);
    const Entry& best = **std::min_element(entries.begin(), entries.end(), [&](const Entry* one, const Entry* other) {
      return mean_over_all(regrets, *one) < mean_over_all(regrets, *other);
    });
    const auto k = static_cast<Index>(entries.size());
    for (const Entry* entry : entries)
      if (entry != &best)
        out.push_back(compare(regrets,
                              {panel.problem,
                               best.policy,
                               {entry->policy},
                               Regret::kSimple,
                               begin(regrets.figure(), best),
                               last(regrets.figure()),
                               k * (k - 1) / 2},
                              panel.problem, best.policy + " outperforms " + entry->policy));
  }
  return out;
}

std::string bench_summary(const Regrets& regrets) {
  const Figure& figure = regrets.figure();
  const Index end = figure.grid.size() - 1, half = end / 2;
  const std::string last = short_number(figure.grid[end]);
  std::string out = std::string("| problem | policy | simple regret at ") +
                    (figure.axis == Axis::kCost ? "cost " : "t = ") + short_number(figure.grid[half]) + " | at " +
                    last + " | instant regret at " + last + " |\n|---|---|---|---|---|\n";
  for (const Entry& entry : figure.experiment.entries)
    out += "| " + entry.problem + " | " + entry.policy + " | " + geometric(regrets, entry, Regret::kSimple, half) +
           " | " + geometric(regrets, entry, Regret::kSimple, end) + " | " +
           geometric(regrets, entry, Regret::kInstant, end) + " |\n";
  return out;
}

}  // namespace iqbo
