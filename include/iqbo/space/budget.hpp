// What may still be spent on queries. Immutable: after(cost) is the budget left over.
//
//   Budget budget(15.0);
//   while (budget.affords(cost(a))) { ask(a); budget = budget.after(cost(a)); }
//
// kStrict never overspends. kOvershoot is [Zhang26]'s `while B > 0`: as long as anything is left the next query may
// cost more. A cost may exceed what is left by kRounding of the total: a hundred times 0.1 is 10.
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

class Budget {
 public:
  enum class Rule { kStrict, kOvershoot };
  static constexpr double kRounding = 1e-9;

  explicit Budget(double total, Rule rule = Rule::kStrict);

  double total() const { return total_; }
  double spent() const { return spent_; }
  double left() const { return total_ - spent_; }

  bool affords(double cost) const;
  std::vector<bool> affords(const Vector& cost) const;

  // Refuses a cost that it does not afford.
  [[nodiscard]] Budget after(double cost) const;

  // The same budget with `spent` spent in all, whether that was allowed or not.
  [[nodiscard]] Budget having_spent(double spent) const;

  // Refuses a budget that does not pay for the cheapest of these.
  void require_affordable(const Vector& cost) const;

 private:
  double total_;
  double spent_ = 0.0;
  Rule rule_;
};

}  // namespace iqbo
