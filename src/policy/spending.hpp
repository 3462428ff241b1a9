// What queries cost, and what is left to pay for them.
#pragma once

#include <optional>

#include "answers.hpp"
#include "candidates.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo {

using Purse = std::optional<Budget>;  // none: no limit

inline bool affords(const Purse& purse, double price) { return !purse || purse->affords(price); }

class Spending {
 public:
  // Keeps a reference to the setting. Refuses a budget that does not pay for the cheapest query.
  Spending(const Setting& setting, const PolicyOptions& options);

  Vector cost(const Queries& a) const;  // 0 for what is not a node of the tree: it was paid for elsewhere

  Purse purse(const Answers& answers, const Queries& pending) const;  // once `pending` are paid for, too
  Candidates payable(const Purse& purse) const;                       // of a continuum

 private:
  const QueryTree* tree() const { return std::get_if<QueryTree>(&setting_.a); }
  double cheapest() const;

  const Setting& setting_;
  Purse whole_;
  Queries probes_;  // of a continuum, where there is a budget: corners, and points in between
  Vector probe_price_;
};

}  // namespace iqbo
