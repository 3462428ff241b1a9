// What both kinds of scene do with candidates and with costs.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/domain/query_domain.hpp"
#include "iqbo/space/budget.hpp"
#include "search/argmax.hpp"

namespace iqbo {

// Of a continuum, where there is a budget: what is left of it, and some queries it pays for, where a search may begin.
struct Payable {
  std::optional<Budget> purse = {};
  Queries some = {};
};

// Scores per unit of cost. One that is not the logarithm of a worth may be negative: then it is multiplied, so that a cost
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

// The best of them. Queries that may not be asked do not take part, rather than score badly: all others may be worth
// nothing.
inline Index best_row(const Vector& score, const Candidates& candidates, Rng& rng) {
  const std::vector<Index> rows = allowed_rows(candidates);
  return rows[static_cast<std::size_t>(internal::argmax(score(rows), rng))];
}

}  // namespace iqbo
