// From data to the next query and to a recommendation: algorithm 1 of [Zhang26] with any score, all fitted by default.
//
//   Policy policy({InputSet(pixels), QuerySet(districts), bags}, {}, seed);
//   for (int t = 0; t < 50; ++t) {
//     const Queries a = policy.suggest().queries;
//     policy.observe(a, ask(a));
//   }
//   policy.best().x;
//
// What suggest() returns depends on the setting, the options, the seed, the observations in their order and the pending
// queries, and on nothing else: a policy that is told the same again, in any batches, suggests the same, bit for bit.
//
// Hyperparameters are fitted to the first s of t observations, s the largest of 2, 3, 4, 5, 7, 9, 12, 16, 22, ... (each
// kRefitGrowth times the last) up to t, unless refit_always is set. The belief is a FiniteBelief where X and A are finite, else a Posterior.
//
// With a tree for A (space/query_tree.hpp) this is algorithm 2, CMETS, with any score per cost: the candidates are
// those of a Frontier (search/frontier.hpp) that was given all answers, then the pending queries, in their order. With
// a given kernel it begins with them; the initial design of a fit goes breadth first.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/finite/finite_ensemble.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "iqbo/policy/chances.hpp"
#include "iqbo/policy/custom_score.hpp"
#include "iqbo/policy/hyperparameters.hpp"
#include "iqbo/policy/policy_kind.hpp"
#include "iqbo/policy/setting.hpp"

namespace iqbo {

// How uncertain an answer is, where that is known to differ from the others.
struct AnswerNoise {
  std::optional<double> var = {};  // of the answer; counts as given, also where the noise of others is fitted
  double replicates = 1.0;         // measurements it is a mean of: without `var`, they divide the usual noise variance
};

// Whether rare spots are searched for, which a stationary prior does not believe in (docs/spots.md).
enum class SpotSearch {
  // Where the policy is auto, all is fitted and averaged over (members > 1), X is a box or a lattice of at most two
  // dimensions, and queries are listed rectangles or windows, or a tree of them, in two or more sizes, the smallest finer
  // than what the background varies over.
  kAuto,
  kOff
};

struct PolicyOptions {
  PolicyKind policy = PolicyKind::kAuto;
  std::optional<CustomScore> custom = {};  // the score or the acquisition, if the policy is kCustom
  std::optional<double> above = {};        // the threshold of the level set, if the policy is kLevelSet
  // Queries of the initial design. 0: two if the kernel is given (on a tree none), else dimension of X plus three.
  Index initial = 0;
  Index samples = 16;   // of f*
  bool repeats = true;  // whether a listed query, or the finest node of a tree, may be asked twice

  // What all answers together may cost; values of f are not counted. It is never overspent, unless `overspend` is set:
  // then any query may be asked while something is left ([Zhang26]: while B > 0). On a continuum the cheapest query is
  // sought among corners and some points in between: if the cost has a narrow dip, a policy may stop too early.
  std::optional<double> budget = {};
  bool overspend = false;
  bool requery_leaf = true;  // a node of a tree that cannot be cut may be asked again; false: no node is asked twice
  // Algorithm 2 of [Zhang26] to the letter: a node that is in L and in L' stays in L when it is asked, and may be asked again
  // (docs/resolution.md). Then requery_leaf has no effect.
  bool printed_tree = false;

  SpotSearch spots = SpotSearch::kAuto;

  StopRule stop = {};  // what stopping() judges by; suggest() goes on regardless

  bool discrepancy = true;  // fitted where p(x|a) was learned
  FitOptions fit = {};      // if the kernel is not given
  // Fit after every answer from the second on; with members = 1 and at other numbers of answers than fit_sizes() names, from the fit before.
  bool refit_always = false;

  // What the answers cannot decide is averaged over: so many families and hyperparameters are drawn from their posterior,
  // and scores, intervals and recommendations are those of the mixture. 1: the single best fit, which is faster and too sure
  // of itself while answers are few. The plain GP of the paper's baselines has always one.
  int members = 4;

  // best() says how probable it is that the recommended input is the best, by as many joint draws as this standard
  // error needs. But at most so many of them are whole paths (a suggestion draws 16), so that where many inputs may win
  // the standard error is larger; Recommendation says what it is. 0 paths: no probability, which is then NaN.
  double recommend_error = 0.025;
  Index recommend_paths = 8;
};

struct Reason {
  PolicyKind used;               // what auto chose; auto itself in the initial design
  std::vector<std::string> why;  // plain sentences: which policy and why, what was approximated, what the engine is
};

// Fewer queries than asked for, or none, once the budget allows no more, the tree has no more, or every query of a list
// without repeats has been asked: `why` says so.
struct Suggestion {
  Queries queries;              // one per row, in the order they were chosen
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
  std::optional<Index> row;  // its position in the list, if X is one
  double mean;               // of f there
  double sd;
  double low, high;    // 95 % interval
  double probability;  // finite X without a search for spots: of being the maximiser; else of f* - f(x) <= tolerance
  double tolerance;    // 0 if it is of being the maximiser
  std::vector<std::string> notes;
  double probability_error = std::numeric_limits<double>::quiet_NaN();  // standard error of the probability
  // Where rare spots are searched for, else NaN: the probability that a spot elsewhere, not seen yet, is better; and
  // the 95 % interval of f* = max f, spots that were not seen included.
  double unseen = std::numeric_limits<double>::quiet_NaN();
  double max_low = std::numeric_limits<double>::quiet_NaN();
  double max_high = std::numeric_limits<double>::quiet_NaN();
  // The interval is so many times as wide as that of the belief, because the answers have not borne out its forecasts, or
  // because f there is expected to lie above every answer and forecasts had outliers. 1: it is that of the belief.
  double widened = 1.0;
};

// The next query, and the scores that it was chosen by.
struct Survey {
  Suggestion next;       // as suggest(1, pending, avoid) says it
  Queries queries = {};  // that were compared: the list, the opened nodes of a tree, or those that were to be shown
  Vector scores = {};    // of each, per unit of cost; none in the initial design
  std::vector<bool> open = {};  // whether each may be asked now
  bool logarithmic = false;     // whether scores are logarithms of a worth
};

struct Band {
  Vector low, high;
};

// Counts still to come, at queries.
struct CountForecast {
  Vector exposure;  // that they are about
  Vector mean;
  Vector low, high;  // of an interval of whole numbers
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

  // Where answers are counts (Setting::likelihood): events among an exposure, one for each query or input.
  void observe(const Queries& a, const std::vector<Count>& counts);
  void observe(const Inputs& x, const std::vector<Count>& counts);

  // Passes on a fit that was made before, on the same first observations, so that it is not repeated. The plain GP that
  // baselines choose with has fits of its own, on the first answers at queries; without a plain GP they are ignored.
  void remember(const Hyperparameters& values);
  void remember_plain(const Hyperparameters& values);

  // The next `count` queries. Pending queries, and those chosen before in the batch, are treated as if they had
  // returned their predicted means: their variance is gone, and so is how much the members of an ensemble disagree about them.
  // So are those in `avoid` (because they failed, say), but they are not paid for; of a list they are asked only once
  // nothing else is left.
  Suggestion suggest(Index count = 1, const Queries& pending = {}, const Queries& avoid = {});

  Recommendation best();

  // What is asked of a belief (policy/chances.hpp), these inputs or queries being compared: all of a list, or the three that
  // somebody hesitates between. They are about a belief that is widened as intervals are. With rare spots where they are searched
  // for: of a large scene by fewer draws, half of which are without them unless spots have foreseen the answers clearly better.
  Chances chances(const Inputs& x, const ChanceOptions& options = {});
  Chances chances(const Queries& a, const ChanceOptions& options = {});
  Vector above(const Inputs& x, double threshold);  // Chances::above alone, which needs no draws
  Vector above(const Queries& a, double threshold);
  // What stopping now would mean. Where forecasts were too narrow, the regret is that of a belief that is widened as
  // Recommendation::widened says.
  Stopping stopping();

  // Where rare spots are searched for and there is a budget: a sentence that says which of them it could find. Else empty.
  std::string foreseen_spots();

  // The same choice as suggest(1, pending, avoid), with the scores that it rests on. Where A is a continuum, these are
  // the scores of `shown`.
  Survey survey(const Queries& shown = {}, const Queries& pending = {}, const Queries& avoid = {});

  // All queries that could be asked at some time so far (on a tree, the nodes that the search has reached), and which
  // of them may be asked now, at any cost. None if A is a continuum.
  Candidates opened(const Queries& pending = {});

  // The prediction of each answer from `begin` on, noise included, just before it came and under the fit in use then.
  // NaN where nothing could be fitted yet.
  Marginals forecasts(Index begin = 0);
  static std::vector<Index> fit_sizes(Index observations);  // 2, 3, 4, 5, 7, 9, ... up to this
  std::vector<Index> fit_sizes() const;                     // of its own answers; also where equal ones first differ

  // What is believed now, exactly: the mixture that everything above rests on. Where answers are counts, or f = h(eta), this
  // is about eta, and g is its average under reweighted p(x|a); rates_f() and rates_g() are about f and g in any case.
  const Ensemble& belief();
  Marginals rates_f(const Inputs& x);
  Marginals rates_g(const Queries& a);
  // What belief() says (about eta where f = h(eta)), from finite() where that has these inputs or queries; with rare spots where
  // they are searched for (docs/spots.md).
  Marginals f(const Inputs& x);
  Marginals g(const Queries& a);
  // The mean of f with spots, in a small part of the time; empty where they are not searched for.
  std::optional<Vector> mean_with_spots(const Inputs& x);
  // Of f and of g, the interval in which they lie with this probability, by the same beliefs. In rates where f = h(eta), and
  // within the range of f where answers are counts. `widening`, one number for each, is what the next two functions say.
  Band f_interval(const Inputs& x, double probability = 0.95, const Vector& widening = {});
  Band g_interval(const Queries& a, double probability = 0.95, const Vector& widening = {});
  Vector within_range(const Vector& rates);  // cut off where counts allow no further: at 0, and shares at 1
  // How many times as wide as the belief's own an interval is to be, because earlier forecasts were off: that of f at each of x, and
  // of g, of which it says so much. best() has it in Recommendation::widened.
  Vector f_widening(const Inputs& x, const Marginals& f);
  Vector g_widening(const Marginals& g);

  // Where answers are counts: the next count at each query, among these exposures. Without any: those of the setting, or the
  // median of those told so far.
  CountForecast predict_counts(const Queries& a, const Vector& exposure = {}, double probability = 0.95);

  Matrix rates_f_cov(const Inputs& x);  // to first order, where f = h(eta)
  Matrix rates_g_cov(const Queries& a);
  Link link();                                   // in use
  std::vector<std::pair<Link, double>> links();  // with their log posterior, best first; none if there was no choice

  // The same under the best fit alone, and the fit, if there is one.
  const Posterior& posterior();
  const Posterior& prior();
  const Fit* fit();                                         // null if it was remembered
  const std::optional<Hyperparameters>& hyperparameters();  // in use; none if nothing was fitted
  std::optional<Hyperparameters> plain_hyperparameters();   // of the plain GP, if there is one
  const FiniteEnsemble* finite();  // where X and A are lists, or A a tree: the belief on them, kept current; else null
  Index size() const;              // observations

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace iqbo
