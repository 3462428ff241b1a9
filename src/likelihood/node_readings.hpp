// Answers as readings of eta at nodes: the points that carry weight in what was asked.
//
// Where they are many, the points of each law are gathered into a few (average/thinned.hpp), each of which stands for several.
// A white part of eta (a nugget, of variance s2) is independent from point to point, so that of the mean of k points a share
// of about 1 / k is left; and E exp(white) = exp(s2 / 2) in any case. So a node has s2 white_share of it, and its mean is
// raised by s2 (1 - white_share) / 2. In a density all of it averages out: white_share is 0.
#pragma once

#include <variant>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/likelihood/linked.hpp"
#include "latent.hpp"

namespace iqbo::internal {

struct NodeReadings {
  // Answers at the same query or input are merged where the family allows it. Beyond `most` nodes points are gathered.
  NodeReadings(const Conditional& conditional, const std::vector<CountedAnswer>& answers, const Likelihood& likelihood,
               Index most);

  // The prior of eta at the nodes.
  Matrix covariance(const Kernel& kernel) const;
  Vector mean(const Mean& mean, const Kernel& kernel, Link link) const;
  Vector mean_rise(Link link) const;  // per unit of white variance; left out under a logit link

  std::vector<CountedAnswer> asked;  // one for each reading
  std::shared_ptr<const Inputs> points;
  Vector white_share;
  Readings readings;
  std::vector<Index> support_row;  // of each node in the conditional's support(), if it has one; -1 for others
  bool is_thinned = false;

 private:
  void collect(const Conditional& conditional, Index points_per_law);
};

// The variance of the white parts of a kernel.
double white_variance(const Kernel& kernel);

}  // namespace iqbo::internal
