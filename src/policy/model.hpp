// What is believed about f and g: assumptions fitted on a schedule, answers absorbed as they come.
//
// Where hyperparameters are fitted there are several sets of assumptions, drawn from what the answers do not rule out, and
// the belief is their mixture. Where they are given there is one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "answers.hpp"
#include "hindsight.hpp"
#include "iqbo/finite/finite_ensemble.hpp"
#include "iqbo/fit/ensemble.hpp"
#include "iqbo/fit/linked_fit.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/policy/policy.hpp"
#include "linked_belief.hpp"

namespace iqbo {

class Model {
 public:
  Model(Setting setting, const PolicyOptions& options, std::uint64_t seed);

  // Absorbs what is new in `answers`, which only ever grows.
  void update(const Answers& answers);

  const Setting& setting() const { return setting_; }

  // Whether eta is not f, or answers are not Gaussian. Then finite(), belief() and posterior() are about eta, and noise variances
  // are those of answers about its reweighted averages.
  bool is_linked() const { return members_.front().likelihood != nullptr; }

  // Whether Gaussian answers may be averages of a positive f = exp(eta) as well: all are positive and they differ, nobody said
  // what the link is, p(x|a) lists at most 1,200 points and A is no tree, and no fit is remembered that did not ask. Then a fit compares both
  // by evidence.
  bool may_be_log(const Answers& answers) const;
  const LinkedBelief& linked();
  Link link() const { return members_.front().link; }
  const std::vector<std::pair<Link, double>>& links() const { return links_; }
  Marginals rates_f(const Inputs& x) { return is_linked() ? linked().f(x) : belief().f(x); }
  Marginals rates_g(const Queries& a) { return is_linked() ? linked().g(a) : belief().g(a); }

  // Where finite() has all of these. A belief about all of a long list is not made for a few of its inputs: for one that is so many
  // times as long.
  std::optional<std::vector<Index>> positions(const Inputs& x, Index few = 16);
  std::optional<std::vector<Index>> positions(const Queries& a);

  // The belief, and what each member says: from finite() where that has these inputs or queries, else exactly.
  struct Members {
    std::vector<Marginals> each;
    Vector weights;
  };
  Members members(const Inputs& x);
  Members members(const Queries& a);
  Marginals marginals(const Inputs& x);
  Marginals marginals(const Queries& a);
  // Quantiles, in rates and within their range; each interval is so many times as wide as the belief says (none: once).
  Band interval(const Inputs& x, double probability, const Vector& widening = {});
  Band interval(const Queries& a, double probability, const Vector& widening = {});
  double most() const;                             // of a rate: 1 if answers are shares
  Vector within_range(const Vector& rates) const;  // of counts
  // Of each member: the normal variables of which h has the moments of g. Without a link, g itself.
  std::vector<Marginals> behind_g(const Queries& a);
  bool counts() const { return setting_.likelihood != nullptr && setting_.likelihood->counts(); }
  CountForecast count_forecast(const Queries& a, const Vector& exposure, double probability);
  std::string assumed_exposure() const;  // in words, where it is the median of those told; else ""
  Vector rate_noise_var(const Queries& a) { return linked().rate_noise_var(a, like(a)); }  // of y / N, if linked
  bool is_finite() const { return open_ != nullptr && std::holds_alternative<InputSet>(setting_.targets); }
  FiniteEnsemble& finite();                                   // then; queries in the order of open()
  bool keeps_covariances();                                   // of all of X with all queries, in finite()
  const Ensemble& belief();                                   // exact
  const Posterior& posterior();                               // under the point estimate alone
  const Fit* fit() const { return fit_ ? &*fit_ : nullptr; }  // null if none was made, or was remembered
  const std::optional<Hyperparameters>& hyperparameters() const { return values_; }
  void remember(const Hyperparameters& values);  // refuses those without a noise variance
  const Posterior& prior() const { return *prior_; }
  double noise_var() const { return noise_var_; }  // of a usual answer: the mean over the members
  Vector noise_var(const Queries& a);              // of each answer
  Vector member_noise_var(const Queries& one);     // of an answer to this query, as each member has it

  // The largest sd that is assumed of a recent answer because less was stated than can be computed with
  // (posterior/least_noise.hpp); none if all are as stated.
  std::optional<double> least_noise_sd() const;

  // The queries to choose from, unless they are a continuum, after the answers so far; whether that depends on answers.
  const OpenQueries& open();
  bool grows() const { return open_ != nullptr && open_->grows(); }

  double amplitude_var() const { return amplitude_var_; }  // prior variance of f
  double discrepancy_share() const;                        // sd of the discrepancy in units of sd(z)

  // Of the last answers (all if there are few), each predicted from those before it under the present assumptions. None if
  // nothing was fitted or given.
  const Hindsight& hindsight();
  Vector recent() const;  // these answers

  // sum_i log p(z_i | those before it), under the present assumptions, of the first `count` answers (log_score() of
  // hindsight.hpp).
  double log_score(std::size_t count);
  std::size_t size() const { return answers_.size(); }
  std::size_t assumed_on() const { return assumed_on_; }  // how many answers the assumptions rest on

  // Predictions of the answers from `begin` on, each from those before it, as assumed then; NaN if nothing was assumed.
  Marginals forecasts(std::size_t begin) const;

 private:
  struct Member {
    Posterior prior;
    double noise_var;
    double weight;
    LikelihoodPtr likelihood = {};  // where answers are counts, or f = h(eta)
    Link link = Link::kIdentity;

    LinkedMember as_linked() const { return {prior, likelihood, link, noise_var, weight}; }
  };
  struct Assumptions {
    Posterior prior;  // of the point estimate
    double noise_var;
    std::optional<Fit> fit;
    std::optional<Hyperparameters> values;
    std::vector<Member> members;
    std::vector<std::pair<Link, double>> links = {};
  };
  // Assumptions that rest on the first `count` answers: as the setting says, or fitted.
  Assumptions given(std::size_t count) const;
  struct Unfitted {
    double mean = 0.0, var = 1.0;
  };
  Unfitted unfitted() const;  // before the first fit
  Assumptions fitted(std::size_t count) const;
  Assumptions fitted_plainly(std::size_t count) const;
  std::optional<Hyperparameters> last_fit(std::size_t count) const;  // to begin from; none: from the grid
  Assumptions fitted_linked(std::size_t count, std::vector<Link> links) const;
  Assumptions remembered(const Hyperparameters& values) const;
  Assumptions assumptions(std::size_t count) const;  // whichever of these applies
  void assume(std::size_t count);
  Hindsight looked_back();
  bool learns() const { return setting_.kernel == nullptr || learned_conditional() != nullptr; }

  Answers first(std::size_t count) const;
  // Given the answers that the assumptions rest on, at once; condition() adds the later ones one by one. How many were there when
  // they were made follows from their number alone, so that the bits do not depend on when somebody asks.
  Posterior when_fitted(const Posterior& prior, double noise_var) const;
  const Posterior& when_fitted(std::size_t member);  // kept until the next fit
  Queries opened(Index begin, std::size_t answers);  // queries from `begin` on that so many answers have opened
  FiniteBelief finite_prior(const Member& member, std::size_t count);  // of the queries that so many answers opened
  FiniteBelief settled(FiniteBelief prior, const Member& member, std::size_t count) const;
  FiniteEnsemble settled(std::size_t count);
  static Posterior exactly(const Member& member, const Answers& answers);
  Marginals ahead_of(std::size_t member, const Answers& some);                     // each from those before it
  std::optional<Marginals> listed_ahead(const Answers& some, std::size_t member);  // none if that cannot be done
  Vector noises(const Datum& answer) const;                                        // as each member has it
  void take(const Datum& answer);
  std::vector<Count> like(const Queries& a) const;  // answers to come at these queries, but for what they will say
  double usual_exposure() const;                    // of the answers so far
  FiniteEnsemble linked_finite();
  const LearnedConditional* learned_conditional() const;  // null unless a discrepancy is wanted

  Setting setting_;
  PolicyOptions options_;
  std::uint64_t seed_;

  Answers answers_;
  std::size_t assumed_on_ = 0;  // how many answers the assumptions rest on
  std::optional<Posterior> prior_;
  double noise_var_ = 0.0;
  double point_noise_var_ = 0.0;
  double amplitude_var_ = 1.0;
  std::optional<Fit> fit_;
  std::optional<Hyperparameters> values_;
  std::vector<Member> members_;
  std::map<std::size_t, Hyperparameters> remembered_;  // by the number of answers they rest on
  bool point_only_ = false;                            // a remembered fit had no members
  bool identity_only_ = false;                         // a remembered fit did not say its link

  std::optional<Posterior> posterior_;
  std::size_t in_posterior_ = 0;
  std::vector<std::optional<Posterior>> when_fitted_;  // of the members
  std::optional<Ensemble> belief_;
  std::size_t in_belief_ = 0;
  std::vector<std::pair<Link, double>> links_;
  std::optional<std::pair<std::size_t, Hindsight>> hindsight_;  // after so many answers
  std::optional<LinkedBelief> linked_belief_;
  std::size_t in_linked_ = 0;
  std::optional<FiniteEnsemble> finite_;
  std::size_t in_finite_ = 0;
  std::shared_ptr<SharedLaws> laws_ = shared_laws();  // of the members
  std::vector<FiniteBelief> unseen_;                  // its members before any answer

  // Prior covariances of the queries that were answered, under one member.
  struct KnownCov {
    std::vector<Index> rows;
    Matrix cov;

    const Matrix& among(const FiniteBelief& prior, const std::vector<Index>& wanted);
  };
  std::vector<KnownCov> known_;        // one for each of unseen_
  bool unseen_for_many_ = false;       // whether their engines were chosen for many answers
  std::unique_ptr<OpenQueries> open_;  // null for a continuum
  std::vector<Index> opened_after_;    // 0, 1, 2, ... answers: how many queries were open
};

// The setting of a plain GP on (a, z): A takes the role of X, and every query observes its own point.
Setting plain_setting(const Setting& setting, Rng& rng);

}  // namespace iqbo
