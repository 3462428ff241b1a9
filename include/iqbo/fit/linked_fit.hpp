// Fits hyperparameters where answers are counts or proportions, or f = h(eta) is kept positive.
//
//   LinkedFit found = fit_linked(prior, {answers, poisson_answers(), {Link::kLog, Link::kIdentity}}, {}, seed);
//   LinkedPosterior post(found.prior(), answers, found.likelihood, found.link);
//
// As fit/fit.hpp, with the evidence of likelihood/latent.hpp; variance, nugget and mean are those of eta. The search climbs
// Laplace's evidence, whose gradient is known; families, links and draws are compared by the corrected one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "iqbo/fit/fit.hpp"
#include "iqbo/likelihood/linked.hpp"

namespace iqbo {

struct LinkedData {
  std::vector<CountedAnswer> answers;
  LikelihoodPtr likelihood;  // its parameter, if it has one, is fitted
  std::vector<Link> links;   // to choose from by evidence; those that the family does not admit are left out
};

struct LinkedFit {
  Fit fit;  // its posterior is that of eta; with `members`, draws of the hyperparameters
  LikelihoodPtr likelihood;
  Link link;
  std::vector<std::pair<Link, double>> links;  // with log p(y | theta) + log p(theta), best first
};

// prior: any kernel, and p(x|a); no observations. Needs at least one answer. members > 1: draws as in fit/ensemble.hpp.
LinkedFit fit_linked(const Posterior& prior, const LinkedData& data, const FitOptions& options, std::uint64_t seed,
                     int members = 1);

// The links that are compared unless one is given: the usual one of the family and the identity.
std::vector<Link> usual_links(const Likelihood& likelihood);

}  // namespace iqbo
