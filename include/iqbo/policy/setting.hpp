// What is sought, what may be asked, and what is assumed: all that a policy needs besides data and a seed.
//
//   Setting setting{InputSet(pixels), QuerySet(districts), bags};     // the rest is fitted
//
// What is left out is learned from the answers: kernel, mean, noise, nugget, and for a learned p(x|a) the discrepancy.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/core/shared.hpp"
#include "iqbo/domain/query_domain.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"
#include "iqbo/likelihood/likelihood.hpp"
#include "iqbo/space/target_space.hpp"

namespace iqbo {

struct Setting {
  TargetSpace targets;              // where the maximiser is sought
  QueryDomainPtr queries;           // what may be asked, what it costs and how noisy answers are
  Shared<Conditional> conditional;  // p(x|a)

  // The prior of f. Without a kernel everything is fitted, and a mean would have no meaning; with one nothing is,
  // except the discrepancy of a learned p(x|a); noise_var must be given too.
  Shared<Kernel> kernel = {};
  Shared<Mean> mean = {};  // with a kernel; zero if not given
  // Of an answer. Listed queries and nodes of a tree may have their own; then values of f, and answers that are not of
  // the query domain, have its usual one unless this is given.
  std::optional<double> noise_var = {};

  // What answers are: null for Gaussian ones, else counts of events among an exposure (docs/counts.md). f = h(eta) with one of
  // these links, chosen by evidence; a kernel that is given is that of eta, and so is its mean. Empty: the identity for Gaussian
  // answers, usual_links() for counts.
  LikelihoodPtr likelihood = {};
  std::vector<Link> links = {};
  std::function<Vector(const Queries&)> exposure = {};  // of answers still to come; else the median of those so far

  // The kernel of the plain GP on (a, z) that the paper's baselines choose with; fitted if not given.
  Shared<Kernel> query_kernel = {};
};

// Whether eta is not f, or answers are not Gaussian.
bool is_linked(const Setting& setting);

// Refuses parts that do not fit together.
void require_consistent(const Setting& setting);

}  // namespace iqbo
