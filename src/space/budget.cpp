#include "iqbo/space/budget.hpp"

#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo {

Budget::Budget(double total, Rule rule) : total_(total), rule_(rule) { require_positive(total, "budget"); }

bool Budget::affords(double cost) const {
  require_positive(cost, "cost");
  const double slack = kRounding * total_;
  return rule_ == Rule::kStrict ? cost <= left() + slack : left() > slack;
}

std::vector<bool> Budget::affords(const Vector& cost) const {
  std::vector<bool> out;
  for (const double each : cost) out.push_back(affords(each));
  return out;
}

Budget Budget::after(double cost) const {
  if (!affords(cost)) refuse("cost", readable(cost), "at most " + readable(left()) + ", what is left of the budget");
  Budget out = *this;
  out.spent_ += cost;
  return out;
}

Budget Budget::having_spent(double spent) const {
  require_non_negative(Vector(Vector::Constant(1, spent)), "spent");
  Budget out = *this;
  out.spent_ = spent;
  return out;
}

void Budget::require_affordable(const Vector& cost) const {
  require_not_empty(cost.size(), "cost");
  require_positive(cost, "cost");
  if (!affords(cost.minCoeff()))
    refuse("budget", readable(left()), "at least " + readable(cost.minCoeff()) + ", the cost of the cheapest query");
}

}  // namespace iqbo
