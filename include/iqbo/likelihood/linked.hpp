// The posterior of f = h(eta) given counts, proportions or positive measurements of its averages.
//
//   Posterior prior(Matern32(0.5, lengthscale), districts, ConstantMean(std::log(0.01)));     // of eta = log f
//   LinkedPosterior post(prior, {{a.slice(0, 1), {12, 2000}}, {a.slice(1, 1), {3, 900}}}, poisson_answers(), Link::kLog);
//   post.f(x).mean                    // rates
//   post.interval(x, 0.95)            // positive
//
// eta is Gaussian, given answers that stand for the counts (docs/counts.md): averages z_i of eta under p(x|a) reweighted by
// h'(eta), with a noise variance each. So eta() is an ordinary Posterior, under the reweighted p(x|a), and everything that
// chooses queries works with it.
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "iqbo/likelihood/likelihood.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

namespace internal {
struct NodeReadings;
struct Linearised;
}  // namespace internal

struct CountedAnswer {
  std::variant<Queries, Inputs> at;  // one row
  Count count;
};

class LinkedPosterior {
 public:
  // prior: kernel and mean of eta, and p(x|a); no observations. Refuses a link that the family does not admit.
  LinkedPosterior(const Posterior& prior, const std::vector<CountedAnswer>& answers, LikelihoodPtr likelihood,
                  Link link);

  Marginals f(const Inputs& x) const;
  Marginals g(const Queries& a) const;
  std::pair<Vector, Vector> interval(const Inputs& x, double probability) const;  // of f: h of that of eta

  const Posterior& eta() const {
    return *eta_;
  }  // answers that stand for the counts; g is the reweighted average of eta
  Link link() const { return link_; }
  const Likelihood& likelihood() const { return *likelihood_; }

  // How the averages of eta that eta().g(a) speaks of relate to E[f | a]: mean g, and dg = scale d(average of eta).
  struct Scale {
    Vector g;
    Vector slope;
  };
  Scale scale(const Queries& a) const;

  // Noise variance of an answer about each of these averages of eta, for counts among `exposure` (or with noise_var, where
  // they are measured).
  Vector noise_var(const Queries& a, const std::vector<Count>& like) const;

  double log_evidence() const { return log_evidence_; }
  int iterations() const { return iterations_; }
  bool settled() const { return settled_; }  // else the posterior is approximate beyond what docs/counts.md says

 private:
  void linearise(const Posterior& prior, const std::vector<CountedAnswer>& answers);
  void from_nodes(const Posterior& prior, const internal::NodeReadings& data, const internal::Linearised& found);
  void tilt_untouched(const Posterior& believed, Vector tilt, const std::vector<bool>& touched);
  void by_sites(const Posterior& prior, const std::vector<CountedAnswer>& answers);

  LikelihoodPtr likelihood_;
  Link link_;
  std::shared_ptr<const Conditional> conditional_;  // p(x|a) itself
  std::shared_ptr<const Posterior> eta_;
  double usual_rate_ = 1.0;
  double log_evidence_ = 0.0;
  int iterations_ = 0;
  bool settled_ = true;
};

}  // namespace iqbo
