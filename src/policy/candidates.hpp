// What both kinds of scene do with listed queries and with costs.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/core/check.hpp"
#include "iqbo/policy/setting.hpp"
#include "iqbo/space/budget.hpp"
#include "search/argmax.hpp"

namespace iqbo {

// The queries to choose from, where they are listed: all of A, or the nodes of a tree that have been opened.
struct Candidates {
  Queries points = {};
  std::vector<bool> allowed = {};  // to be asked now; empty: all
  Vector cost = {};                // of each; empty: all the same
  Vector noise_var = {};           // of each answer; empty: all the same

  // Where A is a continuum and there is a budget: what can be paid for, and some of it, where a search may begin.
  std::optional<Budget> purse = {};
  Queries payable = {};
};

// Empty: all the same.
inline Vector cost_of(const Setting& setting, const Queries& a) {
  if (!setting.cost) return {};
  Vector cost = setting.cost(a);
  require_rows(cost.size(), a.size(), "cost");
  require_positive(cost, "cost");
  return cost;
}

// The same, one each.
inline Vector price_of(const Setting& setting, const Queries& a) {
  return setting.cost ? cost_of(setting, a) : Vector(Vector::Ones(a.size()));
}

// Scores per unit of cost. One that is not the logarithm of a worth may be negative: then it is multiplied, so that a cost
// always counts against a query.
inline Vector per_cost(Vector score, bool logarithmic, const Vector& cost) {
  if (cost.size() == 0) return score;
  if (logarithmic) return score.array() - cost.array().log();
  return (score.array() > 0.0).select(score.array() / cost.array(), score.array() * cost.array());
}

// The rows that may be asked: all of them if `allowed` is empty.
inline std::vector<Index> allowed_rows(Index size, const std::vector<bool>& allowed) {
  std::vector<Index> rows;
  for (Index i = 0; i < size; ++i)
    if (allowed.empty() || allowed[static_cast<std::size_t>(i)]) rows.push_back(i);
  return rows;
}

// The best of them. Queries that may not be asked do not take part, rather than score badly: all others may be worth
// nothing.
inline Index best_row(const Vector& score, const std::vector<bool>& allowed, Rng& rng) {
  const std::vector<Index> rows = allowed_rows(score.size(), allowed);
  return rows[static_cast<std::size_t>(internal::argmax(score(rows), rng))];
}

}  // namespace iqbo
