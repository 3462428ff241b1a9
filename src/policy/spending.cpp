#include "spending.hpp"

#include "iqbo/core/check.hpp"

namespace iqbo {

Spending::Spending(const QueryDomain& domain, const PolicyOptions& options) : domain_(domain) {
  if (!options.budget) return;
  require_positive(*options.budget, "budget");
  whole_.emplace(*options.budget, options.overspend ? Budget::Rule::kOvershoot : Budget::Rule::kStrict);
  if (domain_.is_continuum()) {
    probes_ = domain_.probes();
    probe_cost_ = domain_.cost(probes_);
  }
  if (const double least = domain_.cheapest(); *options.budget < least)
    refuse("budget", readable(*options.budget), "at least " + readable(least) + ", the cost of the cheapest query");
}

Purse Spending::purse(const Answers& answers, const Queries& pending) const {
  if (!whole_) return std::nullopt;
  Rows asked(asked_in(answers) + pending.size(), domain_.dimension());
  Index row = 0;
  for (const auto& answer : answers)
    if (const auto* a = std::get_if<Queries>(&answer.at)) asked.row(row++) = a->row(0);
  if (!pending.empty()) asked.bottomRows(pending.size()) = pending.coordinates();
  return whole_->having_spent(asked.rows() == 0 ? 0.0 : domain_.cost(Queries(std::move(asked))).sum());
}

Payable Spending::payable(const Purse& purse) const {
  Payable out{purse, {}};
  for (Index i = 0; purse && i < probes_.size(); ++i)
    if (purse->affords(probe_cost_[i])) out.some = out.some.joined(probes_.slice(i, 1));
  return out;
}

}  // namespace iqbo
