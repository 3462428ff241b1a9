// What people ask of a belief: is f above a limit there, is this one of the best, which of these three, what is lost by stopping now.
//
//   above_i    P(f(x_i) > c), from the mixture of normals: no draws, no error
//   best_i     P(f(x_i) is the largest of those compared)
//   among_i    P(f(x_i) is one of the k largest)
//   smallest   the fewest x of which one is the best with probability `holds`. "x_i is the best" excludes "x_j is the best", so
//              that these are the ones with the largest best_i
//   regret     E[max_j f(x_j) - f(x_r)], x_r being the one with the largest mean
//   bound      max_j f(x_j) - f(x_r) is at most this with probability kCertified: the regret's quantile, of a few ranks more
//              than that so that the draws do not flatter it
//
// All but the first are shares or means of joint draws, and come with standard errors; w of n draws have that of
// (w + 1) / (n + 2), so that neither none nor all look certain. The members of `smallest` are chosen by one half of the
// draws and its probability is that of the other half, as choosing and judging by the same draws would flatter it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct ChanceOptions {
  std::optional<double> above = {};  // c
  Index among = 1;                   // k
  double holds = 0.95;               // of `smallest`
  Index draws = 1024;
};

// One number for each input (or query) that was compared.
struct Chances {
  Vector mean;
  Vector above;  // empty if no limit was given
  Vector best, best_error;
  Vector among, among_error;
  std::vector<Index> smallest;  // positions, the likeliest first
  double smallest_probability, smallest_error;
  Index leader;  // the position of the largest mean
  double regret, regret_error;
  Index draws;
  double regret_bound = std::numeric_limits<double>::quiet_NaN();
};

inline constexpr double kCertified = 0.95;

// The quantile of the regret from its draws, which are put in order: the value whose rank exceeds kCertified n by
// 2.33 sqrt(n p (1 - p)), so that it is below the true quantile with a probability of about 0.01; of few draws the largest.
double certified_regret(std::vector<double>& draws);

// When enough is known. Without any number a study goes on until its budget is spent.
struct StopRule {
  std::optional<double> regret = {};       // the expected regret is at most this
  std::optional<double> probability = {};  // the recommendation is right with at least this probability
  std::optional<double> bound = {};        // the certificate (Stopping::bound) is at most this
  bool given() const { return regret || probability || bound; }
};

// What stopping now would mean.
struct Stopping {
  double regret, regret_error;  // E[f* - f(x)], x being recommended
  // Of a recommendation, as Recommendation says it. Where a level set is sought: the expected share of X that is put on its right
  // side of the threshold, without an error.
  double probability, probability_error;
  double tolerance;      // of that probability
  bool reached = false;  // by the rule of the options, from the end of the initial design on
  std::string why = {};  // in words, if it is
  // A certificate: f* - f(x) <= bound with probability kCertified, given the answers so far. As that is so whatever they are, it
  // also holds when the answers themselves decided to stop, as far as the model is right.
  double bound = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace iqbo
