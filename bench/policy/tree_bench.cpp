// CMETS on a tree of 16 million leaves: what a step costs as the tree opens up.
//
//   tree_bench [steps]    1,000 steps; fails if an answer is wrong or more than 300 MB were needed
//
// d = 2, l_max = 12, X 32 x 32. A step is a suggestion (16 joint paths for cmes, every open node scored per cost) and its
// answer. cmes soon asks the finest nodes again and again; max-variance goes on opening. Wall times.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"
#include "search/frontier.hpp"

namespace {

using namespace iqbo;
using namespace iqbo::internal;  // a program, not a header

constexpr double kNoiseSd = 0.05;
constexpr double kMostMegabytes = 300.0;

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "wrong answer: %s\n", what);
  std::exit(1);
}

double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Three round hills on [0, 10]^2 through a round window: lower and wider ones.
double average(double x, double y, double window) {
  double sum = 0.0;
  for (const auto& [height, u, v, width] :
       {std::array{1.0, 7.3, 2.9, 1.1}, std::array{0.8, 2.2, 6.1, 2.0}, std::array{0.9, 6.0, 8.0, 1.4}}) {
    const double var = width * width + window * window;
    sum += height * width * width / var * std::exp(-0.5 * ((x - u) * (x - u) + (y - v) * (y - v)) / var);
  }
  return sum;
}

QueryTree tree_of_12_levels() {
  TreeOptions options;
  options.l_max = 12;
  return QueryTree(QueryBox(Vector::Zero(2), Vector::Constant(2, 10.0)), options);
}

Setting setting() {
  const InputBox box(Vector::Zero(2), Vector::Constant(2, 10.0));
  Setting out{InputSet(box.grid({32, 32})), tree_of_12_levels(),
              GaussianConditional(QueryMap::columns({0, 1}), QueryMap::columns({2})).clone()};
  out.kernel = Rbf(0.25, Vector{{1.5, 1.5}}).clone();
  out.noise_var = kNoiseSd * kNoiseSd;
  return out;
}

// A policy by variance that is told the same answers must find the largest q / cost of the exact posterior.
void check_against_exact(Policy& policy, const Queries& asked, const Vector& z, const Frontier& frontier) {
  PolicyOptions options;
  options.policy = PolicyKind::kMaxVariance;
  Policy by_variance(setting(), options, 1);
  by_variance.observe(asked, z);
  const Suggestion next = by_variance.suggest();
  const QueryTree& tree = frontier.tree();
  const auto worth = [&](const Node& node) {
    return std::log(policy.belief().g(tree.queries({node})).var[0] / tree.cost(node));
  };
  check(std::abs(next.scores[0] - worth(next.nodes[0])) < 1e-5, "variance against the exact posterior");
  Rng rng(9);
  for (int i = 0; i < 300; ++i) {
    const Index row = rng.below(frontier.size());
    if (frontier.is_candidate(row))
      check(worth(frontier.opened()[static_cast<std::size_t>(row)]) < next.scores[0] + 1e-5, "the largest");
  }
}

void run(PolicyKind kind, int steps) {
  PolicyOptions options;
  options.policy = kind;
  options.recommend_paths = 1;
  Policy policy(setting(), options, 1);
  Frontier frontier(tree_of_12_levels());
  Queries asked;
  Vector z(steps);
  Rng rng(7);
  const int every = std::max(steps / 10, 1);
  const auto start = std::chrono::steady_clock::now();
  auto lap = start;
  std::printf("%s\nsteps   open nodes   of them candidates   ms per step   peak MB\n", to_string(kind).c_str());
  for (int t = 1; t <= steps; ++t) {
    const Suggestion next = policy.suggest();
    const auto a = next.queries.row(0);
    z[t - 1] = average(a[0], a[1], a[2]) + kNoiseSd * rng.normal();
    policy.observe(next.queries, z.segment(t - 1, 1));
    frontier.select(next.nodes[0]);
    asked = asked.joined(next.queries);
    if (t % every != 0) continue;
    const auto now = std::chrono::steady_clock::now();
    std::printf("%5d   %10td   %18zu   %11.1f   %7.0f\n", t, frontier.size(),
                frontier.leaves().size() + frontier.ahead().size(),
                std::chrono::duration<double, std::milli>(now - lap).count() / every, megabytes());
    std::fflush(stdout);
    lap = now;
  }
  const double total = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%d steps in %.1f s, peak memory %.0f MB; %s\n", steps, total, megabytes(),
              policy.suggest().why.back().c_str());
  check(megabytes() < kMostMegabytes, "memory");
  check_against_exact(policy, asked, z, frontier);
  std::printf("checked against the exact posterior\n\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int given = argc > 1 ? std::atoi(argv[1]) : 0;  // flags of other benchmarks are ignored
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kMaxVariance}) run(kind, given > 0 ? given : 1000);
}
