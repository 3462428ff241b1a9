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
//
// With a tree for A (space/query_tree.hpp) this is algorithm 2, CMETS, with any score per cost: the queries to choose from
// are those of a Frontier (search/frontier.hpp) that has seen all answers, then what is pending, in their order. Without a
// fit it begins with them; the initial design of a fit goes breadth first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/finite/finite.hpp"
#include "iqbo/fit/fit.hpp"
#include "iqbo/policy/custom_score.hpp"
#include "iqbo/policy/hyperparameters.hpp"
#include "iqbo/policy/policy_kind.hpp"
#include "iqbo/policy/setting.hpp"

namespace iqbo {

// How uncertain an answer is, where that is known to differ from the others.
struct AnswerNoise {
  std::optional<double> var = {};  // of the answer; counts as given, also where the noise of others is fitted
  double replicates = 1.0;         // it is a mean of so many: without `var`, the usual noise variance divided by this
};

struct PolicyOptions {
  PolicyKind kind = PolicyKind::kAuto;
  std::optional<CustomScore> custom = {};  // the score or the acquisition, if the kind is kCustom
  // Queries of the initial design. 0: two if the kernel is given (on a tree none), else dimension of X plus three.
  Index initial = 0;
  Index samples = 16;   // of f*
  bool repeats = true;  // whether a listed query, or the finest node of a tree, may be asked twice

  // What all answers together may cost; looks at f are not counted. Never overspent, unless `overspend`: then the last query
  // may be any, as long as something is left before it ([Zhang26]: while B > 0). On a continuum the cheapest query is sought among
  // the corners and some points in between: a cost with a narrow dip may seem spent too early.
  std::optional<double> budget = {};
  bool overspend = false;
  bool requery_leaf = true;  // a node of a tree that cannot be cut may be asked again; false: [Zhang26], literally

  bool discrepancy = true;      // fitted where p(x|a) was learned
  FitOptions fit = {};          // if the kernel is not given
  Index recommend_paths = 500;  // 0: no probability, which is then NaN
};

struct Reason {
  PolicyKind used;               // what auto chose; auto itself in the initial design
  std::vector<std::string> why;  // plain sentences: which policy and why, what was approximated, what the engine is
};

// Fewer queries than asked for, or none, once the budget allows no more, the tree has no more, or every query of a list
// without repeats has been asked: `why` says so.
struct Suggestion {
  Queries queries;              // one a row, in the order they were chosen
  std::vector<Index> rows;      // their positions in the list, if A is one
  std::vector<Node> nodes;      // if A is a tree
  Vector scores;                // of each when it was chosen (logarithms, for scores that are); 0 in the initial design
  double left;                  // of the budget after these are paid; infinite if there is none
  std::vector<Reason> reasons;  // one for each
  PolicyKind used;              // of the last of them
  std::vector<std::string> why;  // likewise; and why there are no more, if fewer were found than wanted
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

// What the next query is worth, and what it would be.
struct Survey {
  Suggestion next;       // as suggest(1, pending, avoid) says it
  Queries queries = {};  // that were compared: the list, the opened nodes of a tree, or those that were to be shown
  Vector scores = {};    // of each, per unit of cost; none in the initial design
  std::vector<bool> open = {};  // whether each may be asked now
  bool logarithmic = false;     // whether scores are logarithms of a worth
};

class Policy {
 public:
  static constexpr double kRefitGrowth = 1.4;

  Policy(Setting setting, PolicyOptions options, std::uint64_t seed);
  Policy(Policy&&) noexcept;
  Policy& operator=(Policy&&) noexcept;
  ~Policy();

  // Answers z at queries a; values z of f itself at inputs x.
  void observe(const Queries& a, const Vector& z, const AnswerNoise& noise = {});
  void observe(const Inputs& x, const Vector& z, const AnswerNoise& noise = {});

  // Fits that were made before, on the same first observations, need not be made again. The plain GP that baselines choose with
  // has its own, on the same first answers at queries; where there is none, its fits are let go.
  void remember(const Hyperparameters& values);
  void remember_plain(const Hyperparameters& values);

  // The next `count` queries. Those chosen before in the batch and those in `pending` count as answered by what is
  // expected of them: their variance is gone, nothing has been learned about the mean. So do those in `avoid` (they failed,
  // say), but they are not paid for, and may be asked once nothing else is left.
  Suggestion suggest(Index count = 1, const Queries& pending = {}, const Queries& avoid = {});

  Recommendation recommend();

  // The same choice as suggest(1, pending, avoid) with the scores behind it. Where A is a continuum, those of `shown` are
  // given.
  Survey survey(const Queries& shown = {}, const Queries& pending = {}, const Queries& avoid = {});

  // All queries that have been open to be asked so far, as of a tree the nodes the search has come to, and which of them are
  // now, at any cost. None if they are a continuum.
  Candidates opened(const Queries& pending = {});

  // What was believed of each answer just before it came, noise included, under the fit in use then: answers from `begin` on.
  // NaN where nothing could be fitted yet.
  Marginals forecasts(Index begin = 0);
  static std::vector<Index> fit_sizes(Index observations);  // 2, 3, 4, 5, 7, 9, ... up to this
  std::vector<Index> fit_sizes() const;                     // of its own answers; also where equal ones first differ

  // What is believed now, exactly; the fit behind it, if there is one.
  const Posterior& posterior();
  const Posterior& prior();
  const Fit* fit();                                         // null if it was remembered
  const std::optional<Hyperparameters>& hyperparameters();  // in use; none if nothing was fitted
  std::optional<Hyperparameters> plain_hyperparameters();   // of the plain GP, if there is one
  const FiniteBelief* finite();  // where X and A are lists, or A a tree: the belief on them, kept current; else null
  Index size() const;            // observations

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace iqbo
