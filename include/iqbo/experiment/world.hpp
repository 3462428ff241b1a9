// One replication: the truth, which is hidden from the policies, and what they are told.
#pragma once

#include <functional>

#include "iqbo/policy/policy.hpp"

namespace iqbo {

struct World {
  Setting setting;
  PolicyOptions options = {};  // all but the kind and the budget
  Queries first = {};          // asked before all others, by every policy; if there is a budget, free

  std::function<Vector(const Inputs&)> f;
  std::function<Vector(const Queries&)> g;
  std::function<Vector(const Queries&)> cost;
  std::function<Vector(const Queries&)> noise_sd;
  // Where answers are counts, instead of noise_sd: the u-quantile of what may be counted at one query.
  std::function<Count(const Queries&, double u)> counted = {};
  double max = 0.0;   // of f
  double mean = 0.0;  // known to policies: they are given answers minus this

  // The next query, if not the policy's: after t answers, with so much of the budget left. Empty: no more.
  std::function<Queries(Policy&, Index t, double left)> choose = {};

  // A query and an answer as the table has them; none: as they are.
  std::function<Rows(const Queries&)> written_query = {};
  std::function<double(double)> written_value = {};
};

}  // namespace iqbo
