// From data to the next query, and to the answer: algorithm 1 of [Zhang26] with any score, everything fitted by default.
//
//   Policy policy({InputSet(pixels), QuerySet(districts), bags.clone()}, {}, seed);
//   for (int t = 0; t < 50; ++t) {
//     const Queries a = policy.suggest().queries;
//     policy.observe(a, ask(a));
//   }
//   policy.recommend().x;
//
// What suggest() answers depends on the setting, the options, the seed, the observations in their order and the pending
// queries, and on nothing else: a policy that is told the same again, in one piece or many, says the same, bit for bit.
//
// Hyperparameters are fitted to the first s of t observations, s the largest of 2, 3, 4, 5, 7, 9, 12, 16, 22, ... (each
// kRefitGrowth times the one before) that is not above t. Where X and A are finite the belief is kept current by FiniteBelief, else by Posterior.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/policy/policy_kind.hpp"
#include "iqbo/policy/setting.hpp"
#include "iqbo/posterior/fit.hpp"

namespace iqbo {

struct PolicyOptions {
  PolicyKind kind = PolicyKind::kAuto;
  Index initial = 0;    // queries of the initial design; 0: two if the kernel is given, else dimension of X plus three
  Index samples = 16;   // of f*
  bool repeats = true;  // whether a listed query may be asked twice
  bool discrepancy = true;  // fitted where p(x|a) was learned
  FitOptions fit = {};      // if the kernel is not given
  Index recommend_paths = 500;
};

struct Suggestion {
  Queries queries;          // one a row, in the order they were chosen
  std::vector<Index> rows;  // where they stand in the list, if A is one
  Vector scores;            // of each when it was chosen (logarithms, for scores that are); 0 in the initial design
  PolicyKind used;          // what auto chose; auto itself in the initial design
  std::vector<std::string> why;  // plain sentences: which policy and why, what was approximated, what the engine is
};

struct Recommendation {
  Inputs x;                  // argmax m(x), one row
  std::optional<Index> row;  // where it stands in the list, if X is one
  double mean;               // of f there
  double sd;
  double low, high;    // 95 % interval
  double probability;  // finite X: of being the maximiser; else of f* - f(x) <= tolerance
  double tolerance;    // 0 for finite X
  std::vector<std::string> notes;
};

class Policy {
 public:
  static constexpr double kRefitGrowth = 1.4;

  Policy(Setting setting, PolicyOptions options, std::uint64_t seed);
  Policy(Policy&&) noexcept;
  Policy& operator=(Policy&&) noexcept;
  ~Policy();

  // Answers z at queries a; values z of f itself at inputs x.
  void observe(const Queries& a, const Vector& z);
  void observe(const Inputs& x, const Vector& z);

  // The next `count` queries. Those chosen before in the batch and those in `pending` count as answered by what is
  // expected of them: their variance is gone, nothing has been learned about the mean.
  Suggestion suggest(Index count = 1, const Queries& pending = {});

  Recommendation recommend();

  // What is believed now, exactly; the fit behind it, if there is one.
  const Posterior& posterior();
  const Fit* fit();
  Index size() const;  // observations

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace iqbo
