// Several beliefs on the same finite X and A under different hyperparameters, mixed: what FiniteBelief is to a posterior,
// this is to an ensemble of them (fit/ensemble.hpp).
//
//   mean = sum_s w_s m_s,     cov = sum_s w_s (cov_s + (m_s - mean)(m_s - mean)')
//
// so that a query on which the members disagree is uncertain, and its answer informative about f wherever they disagree
// in the same way. Joint draws are draws of the members, each of which gives its share. A single member is passed on as it
// is, bit for bit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "iqbo/finite/finite.hpp"

namespace iqbo {

class FiniteEnsemble {
 public:
  // All members have the same inputs and queries. One weight per member, not negative, with a positive sum.
  FiniteEnsemble(std::vector<FiniteBelief> members, Vector weights);

  // noise_var: of each member. A member that an observation contradicts (FiniteBelief::observe) has weight 0 from then on,
  // and observes nothing more; Contradiction is thrown only if all are contradicted, and changes nothing. After another throw
  // some members may have changed; copies are independent.
  void observe(Index query, double z, const Vector& noise_var);
  void observe(const Queries& a, const Vector& z, const Vector& noise_var);
  void observe(const Inputs& x, const Vector& z, const Vector& noise_var);

  // A query counts as answered by the mean of the mixture (agreed_answer): variances fall, and with them how much the members
  // disagree. The mean of a single member does not move. `each`: what the members say of a query that is not listed.
  void expect(Index query, const Vector& noise_var);
  void expect(const Queries& one, const Marginals& each, const Vector& noise_var);
  void add(const Queries& more);

  const Marginals& f() const { return is_one() ? members_.front().f() : f_.all; }
  const Marginals& g() const { return is_one() ? members_.front().g() : g_.all; }
  Matrix fg_cov(const std::vector<Index>& inputs) const;
  Matrix g_cov(const std::vector<Index>& queries) const;
  std::optional<Marginals> g(const Queries& a) const;  // as FiniteBelief has it
  const Matrix& fg_cov();  // all of it: one matrix for all members, kept current from the first call on
  FiniteBelief::Paths draw(Index count, Rng& rng) const;
  // `widening`: at each input, f is so many times as far from the mean of the mixture as the members say; empty: once.
  FiniteBelief::WinProbability win_probability(Index row, double error, Index most, Rng& rng,
                                               const Vector& widening = {}) const;

  const Inputs& x() const { return members_.front().x(); }
  const Queries& a() const { return members_.front().a(); }
  const std::vector<FiniteBelief>& members() const { return members_; }
  const Vector& weights() const { return weights_; }  // sum to one
  std::string description(bool paths = true) const;

 private:
  bool is_one() const { return members_.size() == 1; }
  void mix();  // the moments, after a change
  template <class Observe>
  void take(const Observe& each, Index count);  // count: of observations
  template <class Observe>
  bool observed(const Observe& each);  // false: a member was contradicted
  bool follow();                       // the steps of the members; false if one has started again
  Matrix computed_fg_cov();

  std::vector<FiniteBelief> members_;
  Vector weights_;
  Mixture f_, g_;
  std::optional<Matrix> fg_cov_;
};

// How many of `count` draws each member gives: its share of them, rounded.
std::vector<Index> shares_of(Index count, const Vector& weights);

}  // namespace iqbo
