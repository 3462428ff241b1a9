#include "iqbo/experiment/bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "iqbo/core/check.hpp"
#include "iqbo/core/nearest.hpp"
#include "iqbo/problem/registry.hpp"

namespace iqbo {
namespace {

PolicyKind known_policy(const std::string& name) {
  std::vector<std::string> names;
  for (const PolicyKind kind : all_policies()) names.push_back(to_string(kind));
  if (std::find(names.begin(), names.end(), name) == names.end())
    refuse("policy", in_quotes(name), expected_names(name, names));
  return policy_kind(name);
}

// Whether there is another for each seed: to the others a seed means nothing, which they refuse.
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

double mean_over_all(const Regrets& regrets, const Entry& entry) {
  return regrets
      .mean_log(entry.problem, entry.policy, Regret::kSimple, static_cast<double>(entry.initial),
                last(regrets.figure()))
      .mean();
}

std::string geometric(const Regrets& regrets, const Entry& entry, Regret regret, double at) {
  char text[32];
  const Vector logs = regrets.mean_log(entry.problem, entry.policy, regret, at - 1.0, at);
  std::snprintf(text, sizeof text, "%.3g", std::pow(10.0, logs.mean()));
  return text;
}

}  // namespace

Figure bench_figure(const BenchOptions& options) {
  if (options.problems.empty()) refuse("problem", "none", "at least one");
  if (options.policies.empty()) refuse("policies", "none", "at least one");
  if (options.pairs < 0 || options.pairs == 1)
    refuse("pairs", std::to_string(options.pairs), "0 (p(x|a) known), or 2 or more");
  Figure out;
  for (const std::string& policy : options.policies) known_policy(policy);
  for (const std::string& name : options.problems) {
    const Problem example = problem(name);
    const bool drawn = is_drawn(name);
    const Index initial = example.kernel() != nullptr ? 2 : example.x().dimension() + 3;
    if (options.steps <= initial)
      refuse("steps", std::to_string(options.steps), "more than the " + std::to_string(initial) + " initial queries");
    out.panels.push_back(panel_of(example, drawn));
    for (const std::string& policy : options.policies) {
      Entry entry{name, policy};
      entry.make = [=](std::uint64_t seed) { return drawn ? problem(name, {.seed = seed}) : example; };
      entry.kind = known_policy(policy);
      if (example.kernel() != nullptr) entry.assumed.lengthscales.emplace();
      if (options.pairs > 0) entry.assumed.learned = LearnedKind::kAuto;
      entry.assumed.pairs = options.pairs;
      entry.initial = initial;
      entry.samples = 16;
      entry.steps = options.steps;
      out.experiment.entries.push_back(std::move(entry));
    }
  }
  out.experiment.name = "bench";
  out.experiment.seeds = options.seeds;
  out.experiment.first_seed = options.first_seed;
  out.grid = Vector::LinSpaced(options.steps, 1.0, static_cast<double>(options.steps));
  return out;
}

Findings bench_findings(const Regrets& regrets) {
  Findings out;
  for (const Panel& panel : regrets.figure().panels) {
    const auto entries = entries_of(regrets.figure(), panel.problem);
    const Entry& best = **std::min_element(entries.begin(), entries.end(), [&](const Entry* one, const Entry* other) {
      return mean_over_all(regrets, *one) < mean_over_all(regrets, *other);
    });
    for (const Entry* entry : entries)
      if (entry != &best)
        out.push_back(compare(regrets,
                              {panel.problem,
                               best.policy,
                               {entry->policy},
                               Regret::kSimple,
                               static_cast<double>(best.initial),
                               last(regrets.figure())},
                              panel.problem, best.policy + " outperforms " + entry->policy));
  }
  return out;
}

std::string bench_summary(const Regrets& regrets) {
  const Figure& figure = regrets.figure();
  const double end = last(figure), half = std::ceil(end / 2.0);
  std::string out = "| problem | policy | simple regret at t = " + readable(half) + " | at " + readable(end) +
                    " | instant regret at " + readable(end) + " |\n|---|---|---|---|---|\n";
  for (const Entry& entry : figure.experiment.entries)
    out += "| " + entry.problem + " | " + entry.policy + " | " + geometric(regrets, entry, Regret::kSimple, half) +
           " | " + geometric(regrets, entry, Regret::kSimple, end) + " | " +
           geometric(regrets, entry, Regret::kInstant, end) + " |\n";
  return out;
}

}  // namespace iqbo
