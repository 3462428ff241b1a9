// What is believed where answers are counts, or f = h(eta): the posterior of each member, and what it says about rates.
//
// Queries are chosen by eta, which is Gaussian under reweighted laws (likelihood/linked.hpp): then a policy works as it does
// without a link. What people see, and scores of g itself, are in rates.
#pragma once

#include <vector>

#include "answers.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "iqbo/likelihood/linked.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo {

// One set of assumptions: the prior of eta, and what answers are.
struct LinkedMember {
  Posterior prior;
  LikelihoodPtr likelihood;
  Link link;
  double noise_var;  // usual, of Gaussian answers
  double weight;
};

class LinkedBelief {
 public:
  LinkedBelief(const std::vector<LinkedMember>& members, const Answers& answers);

  Ensemble eta() const;
  Link link() const { return posteriors_.front().link(); }  // all members have the same
  const std::vector<LinkedPosterior>& members() const { return posteriors_; }
  const Vector& weights() const { return weights_; }

  Marginals f(const Inputs& x) const;  // rates
  Marginals g(const Queries& a) const;

  // Of an answer like these (their exposure or noise_var): about the reweighted average of eta, as each member has it; and
  // about g.
  Matrix member_noise_var(const Queries& a, const std::vector<Count>& like) const;  // |a| x members
  Vector rate_noise_var(const Queries& a, const std::vector<Count>& like) const;

  // Of counts with the exposures of `like`, the interval in the probability given.
  CountForecast counts(const Queries& a, const std::vector<Count>& like, double probability) const;

 private:
  std::vector<LinkedPosterior> posteriors_;
  Vector weights_;
};

// The noise variance of a Gaussian answer, at least (1e-4 z)^2: f = h(eta) is linearised, which has no limit without noise.
double linked_noise(const Datum& answer, double usual);

// The answers as a likelihood takes them. Gaussian ones without a noise of their own have `noise_var`.
std::vector<CountedAnswer> counted(const Answers& answers, std::size_t count, const Likelihood& likelihood,
                                   double noise_var);

// Each answer from `begin` on, as a standard normal deviate: its place in what is predicted from those before it. Counts are
// placed in the middle of their own probability.
Vector deviates_ahead(const LinkedMember& member, const Answers& answers, std::size_t begin);

// The prediction of a rate, noise included, from the answers before it.
Marginals rate_ahead(const LinkedMember& member, const Answers& answers, std::size_t at);

}  // namespace iqbo
