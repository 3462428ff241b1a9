// Does a tree of queries pay? Branin under a budget, coarse looks cheap, fine ones dear.
//
// The paper's tree on [0, 1]^2: l_max 6, cost (l + 1) / 2, p(x|a) = N(h(centre), (1 / (l + 1))^2), known, with the linear and the non-linear
// map h. RBF prior known (variance 1, lengthscales 3 and 6, Branin standardised), noise sd 0.1; the baselines on the plain GP
// fit theirs and, being slow for it, get a quarter of the draws. Two answers at random leaves come first, the same for every policy, and are not paid for. Per policy the
// mean of log10 max(simple regret, 0.05) in units of Branin; then paired differences, pooled over maps.
//
//   tree_branin [--draws 96] [--seed 1]
#include <cmath>
#include <cstdio>
#include <map>

#include "study.hpp"
#include "tree_cases.hpp"

namespace {

using namespace iqbo;  // a program, not a header
using enum PolicyKind;

const std::vector<double> kCosts{15.0, 35.0, 150.0};

struct Row {
  const char* name;
  PolicyKind kind;
  bool leaves;  // the leaves as a list, instead of the tree
};

// [map][cost][draw]
using Logs = std::vector<std::vector<std::vector<double>>>;

Logs run(const Row& row, const study::Arguments& arguments) {
  Logs out;
  const int draws = is_plain(row.kind) ? (arguments.draws + 3) / 4 : arguments.draws;
  for (const bool linear : {true, false}) {
    const study::TreeCase problem = study::branin_tree(linear);
    const Setting setting = row.leaves ? study::leaf_level(problem) : problem.setting;
    std::vector<std::vector<double>> logs(kCosts.size(), std::vector<double>(static_cast<std::size_t>(draws)));
    study::parallel(draws, row.name, [&](int d) {
      const std::uint64_t seed = arguments.seed * 100000 + static_cast<std::uint64_t>(d);
      const auto regret = study::regrets(problem, setting, row.kind, 2, kCosts, seed);
      for (std::size_t i = 0; i < kCosts.size(); ++i)
        logs[i][static_cast<std::size_t>(d)] = std::log10(std::max(regret[i], 0.05));
    });
    out.push_back(std::move(logs));
  }
  return out;
}

// Each draw counts once: its mean over maps and costs.
study::Summary difference(const Logs& one, const Logs& other, const std::vector<std::size_t>& costs) {
  std::vector<double> values(one[0][0].size(), 0.0);
  for (std::size_t map = 0; map < one.size(); ++map)
    for (const std::size_t cost : costs)
      for (std::size_t d = 0; d < values.size(); ++d)
        values[d] += (one[map][cost][d] - other[map][cost][d]) / static_cast<double>(one.size() * costs.size());
  return study::summarise(values);
}

void print(const char* what, const study::Summary& summary) {
  std::printf("| %s | %+.3f +- %.3f | %+.1f |\n", what, summary.mean, summary.se, summary.mean / summary.se);
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments arguments = study::parse(argc, argv, 96);
  const std::vector<Row> rows{{"CMETS (cmes on the tree)", kCmes, false},
                              {"cmes, leaves", kCmes, true},
                              {"ckg on the tree", kCkg, false},
                              {"cjes on the tree", kCjes, false},
                              {"cmes-gumbel on the tree", kCmesGumbel, false},
                              {"max-variance on the tree", kMaxVariance, false},
                              {"random on the tree", kRandom, false},
                              {"mfmes on the tree", kMfmes, false},
                              {"mes, leaves", kMes, true},
                              {"ucb, leaves", kUcb, true},
                              {"ei, leaves", kEi, true}};
  std::printf("| policy | map | log10 regret at cost 15 | at 35 | at 150 |\n|---|---|---|---|---|\n");
  std::map<std::string, Logs> logs;
  for (const Row& row : rows) {
    const Logs& found = logs[row.name] = run(row, arguments);
    for (std::size_t map = 0; map < found.size(); ++map) {
      std::printf("| %s | %s |", row.name, map == 0 ? "linear" : "non-linear");
      for (const auto& values : found[map]) {
        const auto [mean, se] = study::summarise(values);
        std::printf(" %.2f +- %.2f |", mean, se);
      }
      std::printf("\n");
    }
    std::fflush(stdout);
    if (std::string(row.name) != "ckg on the tree") continue;
    std::printf("\n| paired difference | mean | in SE |\n|---|---|---|\n");
    const Logs& cmets = logs["CMETS (cmes on the tree)"];
    print("CMETS - leaf-level CMES, cost 15", difference(cmets, logs["cmes, leaves"], {0}));
    print("CMETS - leaf-level CMES, costs 15 and 35", difference(cmets, logs["cmes, leaves"], {0, 1}));
    print("CKG on the tree - CMETS, cost 150", difference(found, cmets, {2}));
    std::printf("\n| policy | map | log10 regret at cost 15 | at 35 | at 150 |\n|---|---|---|---|---|\n");
  }
}
