// p(x|a) learned from logged pairs (x_j, a_j).
//
//   kShift (the default)  sum_j w_j(a) delta(mu^(a) + r_j): kernel-ridge mean plus locally weighted leave-one-out
//                         residuals r_j. Follows a moving window of any shape; spread and shape may vary with a.
//   kNw                   sum_j w_j(a) delta(x_j): Nadaraya-Watson weights. For supports that do not move but switch.
//   kPlugIn               N(mu^(a), diag s^(a)^2): kernel-ridge mean, local residual spread. Closed forms, few pairs.
//   kCme                  sum_j ((L + N lambda I)^-1 l(a))_j delta(x_j): the paper's conditional mean embedding [Song09];
//                         weights are signed and do not sum to one.
//   kAuto                 the one of the four with the smallest held-out kappa score
//   kStack                the mixture of the four, with simplex weights, that has the smallest held-out kappa score
//
// kappa score: |k(x, .) - embedding of p^(.|a)|^2 = k(x,x) - 2 c(x,a) + q(a,a) of a held-out pair (5 folds), under the
// mean of four RBFs with lengthscales {1, 1/2, 1/4, 1/8} times the median distance of the logged x. Where models are compared
// (kAuto, kStack) each lengthscale counts in units of the models' mean squared distance |embedding_m - embedding_n|^2 under it,
// lest the finest, under which all of them are far from the truth, decide alone. Smaller is better; even the
// truth scores above 0, since one draw is not its distribution. "ignore a", every logged x with the same weight whatever
// the query, is reported beside the models: one that does not beat it has learned nothing from a.
//
// Inputs and queries are scaled internally. Columns of A may be categories (soil class, clinic), given as codes. Settings
// (lengthscales, ridges, bandwidths) are chosen by leave-one-out, on at most 400 of the pairs.
//
// Cost. Training: O(N^3), within a minute at 5,000 pairs; beyond that a fixed selection of 5,000 is used, and a note says
// so. Averages between two queries: N^2 kernel values for kCme and kNw; for kShift the residuals are thinned to
// `shift_points` centres of clusters, so shift_points^2, whatever N; for kPlugIn one closed form.
//
// Gradients in a are differences with steps of a few 1e-6 sd of the logged queries, and 0 in categories. Where X is a list of
// points, kShift jumps from one to the next and has no useful gradient.
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

// Where X lives: anywhere, in a box, or on listed points. What a model puts outside goes to the nearest point of it.
using InputDomain = std::variant<std::monostate, InputBox, InputSet>;

struct LearnedOptions {
  LearnedKind model = LearnedKind::kShift;
  InputDomain domain = {};
  std::vector<Index> categories = {};  // columns of A that hold codes
  Index shift_points = 128;

  // Weights of kCme do not sum to one. true: nu(a) = c + sum_j w_j (m(x_j) - c), c the constant part of the prior mean m, so
  // that a constant is its own average; false: the paper's nu(a) = sum_j w_j m(x_j). For the other models they agree.
  bool exact_constant = true;
};

struct LearnedReport {
  struct Score {
    std::string model;
    double kappa;   // mean held-out score
    double weight;  // in the model that is used
  };
  std::vector<Score> scores;       // best first; every candidate, and "ignore a"
  std::vector<std::string> notes;  // what a user should know about the pairs
  Index pairs = 0;                 // how many were used

  // sd of the error of E^[f(X) | a] in units of its sd over queries, for f of kappa's lengthscales: delete-a-fold jackknife.
  double error = 1.0;

  // A few lines for a person.
  std::string summary() const;
};

// A logged value that cannot be meant: beyond all reason from the domain, or in other units than the rest.
struct PairFault {
  bool in_x;  // else in a
  Index row;
  Index column;
  std::string found;
  std::string expected;
};

// The first one, if there is any; such pairs are refused.
std::optional<PairFault> pair_fault(const Inputs& x, const Queries& a, const LearnedOptions& options);

// What learning chose and computed, as plain numbers: to be kept, and used again instead of learning again. Of the same pairs
// and options they make the same conditional, bit for bit; of others they are refused.
struct LearnedNumbers {
  std::vector<std::pair<std::string, std::vector<double>>> values;  // the first is the fingerprint
  std::vector<std::string> notes;                                   // of the report
  bool operator==(const LearnedNumbers&) const = default;
};

// Of everything learning depends on; a whole number below 2^53.
double fingerprint(const Inputs& x, const Queries& a, const LearnedOptions& options);

class LearnedModel;
struct LoggedPairs;
struct LearnedChoice;

class LearnedConditional final : public Conditional {
 public:
  static constexpr Index kMostPairs = 5000;

  // Row j of x and of a were seen together. Needs two pairs.
  LearnedConditional(const Inputs& x, const Queries& a, const LearnedOptions& options = {});

  // The same without learning. Only kCme still costs O(N^3), the factor of its N x N matrix.
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

  // A smooth kernel on A for the discrepancy between what was learned and what queries show (Posterior::with_discrepancy):
  // tau2 exp(-|a - a'|^2 / (2 0.5^2)), a in units of its sd over the pairs, categories at distance 1. Its one parameter
  // is log tau2.
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
  std::shared_ptr<const Inputs> support_;  // null where there is none
  std::shared_ptr<const LearnedReport> report_;
  std::shared_ptr<const LearnedNumbers> numbers_;
};

}  // namespace iqbo
