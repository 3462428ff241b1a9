// p(x|a) learned from logged pairs (x_j, a_j).
//
//   kAuto (the default)  what best predicts averages of f for queries that were left out: one of these four, or a mixture
//   kShift    sum_j w_j(a) delta(mu^(a) + r_j): kernel-ridge mean plus locally weighted leave-one-out residuals r_j. Follows
//             a moving window of any shape; its spread and shape may vary with a.
//   kNw       sum_j w_j(a) delta(x_j): Nadaraya-Watson weights. For supports that do not move but switch.
//   kPlugIn   N(mu^(a), diag s^(a)^2): kernel-ridge mean, local residual spread. Closed forms, few pairs.
//   kCme      sum_j ((L + N lambda I)^-1 l(a))_j delta(x_j): the paper's conditional mean embedding [Song09]; weights are
//             signed and do not sum to one.
//   kStack    the mixture of all four with the least score. kAuto leaves out models that hardly lower it.
//
// Score: |k(x, .) - embedding of p^(.|a)|^2 = k(x,x) - 2 c(x,a) + q(a,a) of a held-out pair, averaged over five folds that leave
// out regions of A. It is the squared error of E[f(X)|a], plus what even the truth scores, for f drawn from k: the mean of RBFs
// of x with lengthscales {2, 1, 1/2, 1/4, 1/8} times the median distance of the logged x and of RBFs of the place, a^(x)
// (src/learned/trial_functions.hpp). "ignore a" gives every logged x the same weight whatever the query; it is reported
// beside the models, and a model that does not beat it has learned nothing from a.
//
// Inputs and queries are scaled internally. Columns of A may be categories (soil class, clinic), given as codes. Settings
// (lengthscales, ridges, bandwidths) are chosen by leave-one-out, on at most 400 of the pairs.
//
// Cost. Training: O(N^3) up to kMostPairs. More pairs are summarised in cells of similar queries, in O(N), and all of them count
// (src/learned/large_log.hpp); a note says so. Averages between two queries: N^2 kernel values for kCme and kNw, at most 4096^2 with cells;
// shift_points^2 for kShift, whatever N: residuals are thinned to `shift_points` centres; a closed form for kPlugIn (64 points in a mixture).
//
// Gradients in a are differences with steps of a few 1e-6 sd of the logged queries, and 0 in categories. If X is a list
// of points, kShift, and a mixture with it, jumps from one to the next and has no useful gradient. Mixtures over a list of
// points of X have a support(): the points of X and the logged x.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/space/finite_set.hpp"

namespace iqbo {

namespace internal {
class QueryEncoding;
}

enum class LearnedKind { kShift, kCme, kNw, kPlugIn, kAuto, kStack };

std::string to_string(LearnedKind kind);

// Where X lives: anywhere, in a box, or on listed points. Weight that falls outside moves to the nearest point inside.
using InputDomain = std::variant<std::monostate, InputBox, InputSet>;

struct LearnedOptions {
  LearnedKind model = LearnedKind::kAuto;
  InputDomain domain = {};
  std::vector<Index> categories = {};  // columns of A that hold codes
  Index shift_points = 128;

  // Weights of kCme do not sum to one. true: nu(a) = c + sum_j w_j (m(x_j) - c), c the constant part of the prior mean
  // m, so that a constant is its own average; false: the paper's nu(a) = sum_j w_j m(x_j). Other models do not differ.
  bool exact_constant = true;

  // Settings of kCme, also as a part of kAuto and kStack; other models refuse them. What is not given is chosen by
  // leave-one-out.
  std::optional<double> lambda = {};      // of (L + N lambda I)^-1
  std::vector<double> lengthscales = {};  // of l(a, a') = exp(-|a - a'|^2 / 2): one per column of a, in its unit; two
                                          // categories are at distance 1
  // The kernel of x under which leave-one-out measures the error of the embedding: k itself, if it is known beforehand.
  // Null: that of the score above.
  std::shared_ptr<const Kernel> yardstick = {};
};

struct LearnedReport {
  struct Score {
    std::string model;
    double kappa;   // mean held-out score
    double weight;  // in the conditional that is used; 0 if unused
  };
  std::vector<Score> scores;       // best first; every candidate, and "ignore a"
  std::vector<std::string> notes;  // what a user should know about the pairs
  Index pairs = 0;                 // how many were used

  // sd of the error of E^[f(X) | a] in units of its sd over queries, for f of kappa's lengthscales: delete-a-fold jackknife.
  double error = 1.0;

  // A few lines of text for people.
  std::string summary() const;
};

// A logged value that must be a mistake: implausibly far from the domain, or in different units from the rest.
struct PairFault {
  bool in_x;  // else in a
  Index row;
  Index column;
  std::string found;
  std::string expected;
};

// The first fault, if there is any; such pairs are refused.
std::optional<PairFault> pair_fault(const Inputs& x, const Queries& a, const LearnedOptions& options);

// What learning chose and computed, as plain numbers: store them and use them again instead of learning again. With the
// same pairs and options they give the same conditional, bit for bit; with others they are refused.
struct LearnedNumbers {
  std::vector<std::pair<std::string, std::vector<double>>> values;  // the first is the fingerprint
  std::vector<std::string> notes;                                   // of the report
  bool operator==(const LearnedNumbers&) const = default;
};

// A hash of everything that learning depends on; a whole number below 2^53.
double fingerprint(const Inputs& x, const Queries& a, const LearnedOptions& options);

class LearnedModel;
struct LoggedPairs;
struct LearnedChoice;

class LearnedConditional final : public Conditional {
 public:
  static constexpr Index kMostPairs = 5000;

  // Row j of x and row j of a were logged together. Needs at least two pairs.
  LearnedConditional(const Inputs& x, const Queries& a, const LearnedOptions& options = {});

  // The same without learning. Only kCme still costs O(N^3), for the factor of its N x N matrix.
  LearnedConditional(const Inputs& x, const Queries& a, const LearnedOptions& options, const LearnedNumbers& known);
  const LearnedNumbers& numbers() const { return *numbers_; }

  std::shared_ptr<const Conditional> clone() const override;
  Index input_dimension() const override { return input_dimension_; }
  Index query_dimension() const override { return query_dimension_; }
  Laws laws(const Queries& a) const override;
  const Inputs* support() const override { return support_.get(); }
  std::optional<double> relative_error() const override { return report_->error; }
  Matrix average(const Queries& a, const Matrix& values_on_support) const override;

  const LearnedReport& report() const { return *report_; }

  // A smooth kernel on A for the discrepancy between what was learned and the true averages
  // (Posterior::with_discrepancy): tau2 exp(-|a - a'|^2 / (2 0.5^2)), a in units of its sd over the pairs, different
  // categories at distance 1. Its one parameter is log tau2.
  std::shared_ptr<const Kernel> discrepancy(double tau2) const;

 protected:
  Rows difference_steps(const Queries& a) const override;

 private:
  LearnedConditional(const LoggedPairs& pairs, const LearnedChoice& choice, const LearnedOptions& options,
                     double print);

  Index input_dimension_;
  Index query_dimension_;
  std::shared_ptr<const internal::QueryEncoding> encoding_;
  std::shared_ptr<const LearnedModel> model_;
  std::shared_ptr<const Inputs> support_;  // null if there is none
  std::shared_ptr<const LearnedReport> report_;
  std::shared_ptr<const LearnedNumbers> numbers_;
};

}  // namespace iqbo
