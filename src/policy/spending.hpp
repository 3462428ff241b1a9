// What queries cost, and what is left to pay for them.
#pragma once

#include <optional>

#include "answers.hpp"
#include "iqbo/policy/policy.hpp"
#include "policy/scene/candidates.hpp"

namespace iqbo {

using Purse = std::optional<Budget>;  // none: no limit

inline bool affords(const Purse& purse, double cost) { return !purse || purse->affords(cost); }

class Spending {
 public:
  // Keeps a reference to the domain. Refuses a budget that does not pay for the cheapest query.
  Spending(const QueryDomain& domain, const PolicyOptions& options);

  Purse purse(const Answers& answers, const Queries& pending) const;  // once `pending` are paid for, too
  Payable payable(const Purse& purse) const;                          // of a continuum

 private:
  const QueryDomain& domain_;
  Purse whole_;
  Queries probes_;  // of a continuum, where there is a budget
  Vector probe_cost_;
};

}  // namespace iqbo
