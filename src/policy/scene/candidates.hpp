// What both kinds of scene do with candidates and with costs.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/domain/query_domain.hpp"
#include "iqbo/space/budget.hpp"
#include "search/argmax.hpp"

namespace iqbo {

// For a continuum with a budget: what is left of it, and some queries that it pays for, from which a search may start.
struct Payable {
  std::optional<Budget> purse = {};
  Queries some = {};
};

// Scores per unit of cost. A negative score that is no logarithm is multiplied by the cost instead, so that a cost
// always counts against a query.
inline Vector per_cost(const Vector& score, bool logarithmic, const Vector& cost) {
  if (logarithmic) return score.array() - cost.array().log();
  return (score.array() > 0.0).select(score.array() / cost.array(), score.array() * cost.array());
}

inline std::vector<Index> allowed_rows(const Candidates& candidates) {
  std::vector<Index> rows;
  for (Index i = 0; i < candidates.queries.size(); ++i)
    if (candidates.allowed[static_cast<std::size_t>(i)]) rows.push_back(i);
  return rows;
}

// The best of them. Queries that may not be asked are left out, not scored -infinity: all others may have that score
// too.
inline Index best_row(const Vector& score, const Candidates& candidates, Rng& rng) {
  const std::vector<Index> rows = allowed_rows(candidates);
  return rows[static_cast<std::size_t>(internal::argmax(score(rows), rng))];
}

}  // namespace iqbo
