// Which policy for which problem? Any of the problems of problem/registry.hpp, or a spec, with any policies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "iqbo/experiment/figure.hpp"
#include "iqbo/experiment/finding.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo {

// Beside the names of policies: GP-UCB on f with windows that narrow by a schedule, theorem 2 of [Zhang26]. For problems with
// resolutions.
inline constexpr const char* kScheduledUcb = "scheduled-ucb";

struct BenchOptions {
  std::vector<std::string> problems;
  std::vector<std::string> policies;
  Index seeds = 10;
  std::uint64_t first_seed = 1;
  Index steps = 50;
  Index pairs = 0;                    // > 0: p(x|a) is learned from this many, by `auto`; else it is known
  std::optional<double> budget = {};  // instead of steps: what answers may cost; regret is then shown against cost
  // How problems with several resolutions are asked, the others as lists; none: as trees, algorithm 2.
  std::optional<AskedAs> asking = {};
  double schedule = 1.0;  // c of the schedule of kScheduledUcb
};

// Refuses unknown names, suggesting the nearest, and what a policy cannot do. Policies know kernel, mean and noise of a
// problem that has a kernel; else they fit them. Random problems are drawn anew for each seed.
Figure bench_figure(const BenchOptions& options);

// Per problem: each policy against the one with the least simple regret over all answers. As the same numbers picked
// that one, the intervals are such that those of all pairs of policies hold jointly with 95 %.
Findings bench_findings(const Regrets& regrets);

// Per problem and policy, geometric means over seeds: simple regret halfway and at the end, instant regret at the end.
std::string bench_summary(const Regrets& regrets);  // Markdown

// --- a spec: nobody knows the truth, so f is drawn from the prior, anew for each seed ---

struct SpecBench {
  Figure figure;
  std::vector<std::string> assumptions;  // everything that was assumed, as sentences
};

// What a study of the spec has learned so far.
struct StudyPast {
  std::optional<Hyperparameters> fit;
  PairTable pairs;  // logged after those of the spec
};

// Answers are simulated through the spec's own p(x given a), noise and costs; policies are told what a study of that
// spec tells them, and nothing else. f is drawn from the kernel that the spec gives, else from the study's fit, else
// from an RBF with lengthscales of a fifth of X and a sd of ten times the noise (of 1 if that is not given either). The
// budget is that of the options, else that of the spec. `problems`, `pairs` and `asking` have no effect here.
SpecBench spec_bench(const SpecBundle& bundle, const BenchOptions& options);
SpecBench spec_bench(const SpecBundle& stored, const StudyPast& past, const BenchOptions& options);

}  // namespace iqbo
