// Which policy for which problem? Any of the problems of problem/registry.hpp with any policies.
#pragma once

#include <string>
#include <vector>

#include "iqbo/experiment/figure.hpp"
#include "iqbo/experiment/finding.hpp"

namespace iqbo {

struct BenchOptions {
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  Index seeds = 10;
  std::uint64_t first_seed = 1;
  Index steps = 50;
  Index pairs = 0;  // > 0: p(x|a) is learned from as many, by `auto`; else it is known
};

// Refuses unknown names, suggesting the nearest. A problem with a kernel of its own is met knowing it, its mean and its noise;
// else they are fitted. What is drawn at random is drawn again for each seed.
Figure bench_figure(const BenchOptions& options);

// Per problem: each policy against the one with the least simple regret over all answers. That one was picked by the same
// numbers, so near ties say nothing.
Findings bench_findings(const Regrets& regrets);

// Per problem and policy, geometric means over seeds: simple regret halfway and at the end, instant regret at the end.
std::string bench_summary(const Regrets& regrets);  // Markdown

}  // namespace iqbo
