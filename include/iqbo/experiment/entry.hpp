// One curve of an experiment: a policy on a problem, and its replications.
//
//   instant regret  max f - max over the queries so far of g(a)        what was asked
//   simple regret   max f - f(x), x recommended on all answers so far  what was found out
//
// Replications are paired: those of one seed share the problem, the initial queries, the logged pairs and the noise of
// the t-th answer, whatever the policy. They depend on the entry and the seed and on nothing else, bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/experiment/world.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/policy/policy_kind.hpp"
#include "iqbo/problem/problem.hpp"
#include "iqbo/record/result_table.hpp"

namespace iqbo {

enum class AskedAs {
  kList,    // the problem's list of queries
  kTree,    // the paper's tree of resolutions, algorithm 2
  kLeaves,  // the leaves of that tree as a list
};

// What a policy is told.
struct Assumed {
  // An RBF of the problem's variance with these lengthscales, the problem's mean and noise; empty: the problem's own
  // kernel; none: all of that is fitted.
  std::optional<std::vector<double>> lengthscales = {};
  std::vector<double> query_lengthscales = {};  // the same for the plain GP on (a, z); empty: its kernel is fitted
  bool rbf = false;                             // what is fitted is an RBF; else rougher kernels are tried too
  std::optional<LearnedKind> learned = {};      // p(x|a) from `pairs` logged pairs; none: it is known
  Index pairs = 100;
  bool discrepancy =
      true;  // where p(x|a) is learned: of averages from answers, fitted beside it (ours, not the paper's)
  // The embedding (kCme) as [Zhang26] has it: ridge and lengthscales by leave-one-out under k itself (where k is fitted,
  // under an RBF whose lengthscales are the sds of the logged x), nu(a) = sum_j w_j m(x_j).
  bool printed_cme = false;
  // What is fitted is fitted after every answer, by maximum evidence alone: no priors, no nugget, one fit. Else as a policy
  // does it.
  bool plain_evidence = false;
};

struct Entry {
  std::string problem;  // what the table calls the problem ...
  std::string policy;   // ... and the policy; no two entries share both
  std::function<Problem(std::uint64_t seed)> make = {};
  // Instead of `make`: gives everything but the kind; `asking`, `assumed`, `initial` and `samples` have no effect.
  std::function<World(std::uint64_t seed)> world = {};
  std::string details = {};  // of the problem, as far as its name does not say them; for the configuration
  PolicyKind kind = PolicyKind::kAuto;
  // c of the schedule of theorem 2 of [Zhang26] (theory/schedule.hpp): GP-UCB on f says where to ask, the schedule how
  // finely, whatever the kind. For problems with resolutions.
  std::optional<double> schedule = {};
  AskedAs asking = AskedAs::kList;
  Assumed assumed = {};
  Index initial = 2;            // random queries to begin with
  Index samples = 10;           // of f*
  bool printed_tree = false;    // PolicyOptions::printed_tree
  bool noise_by_level = false;  // on the paper's tree: the sd falls like the resolution, to the problem's at the leaves
  Index steps = 100;            // answers in all, if there is no budget
  // What may be spent. The initial queries (on a tree leaves) are free, so that all start alike.
  std::optional<double> budget = {};
};

using Stop = std::function<bool()>;

// One row per answer. Asks `stop` between answers and within (core/stop.hpp): if it returns true, there are no rows.
ResultTable replicate(const Entry& entry, std::uint64_t seed, const Stop& stop = {});

}  // namespace iqbo
