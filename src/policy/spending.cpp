#include "spending.hpp"

#include "iqbo/core/check.hpp"
#include "spread_points.hpp"

namespace iqbo {
namespace {

// Where a cost is least if it rises or falls along the axes, and some points besides.
constexpr Index kProbes = 64;
Queries probes(const QueryBox& box, Rng& rng) {
  Queries out = spread_points(box, kProbes, rng);
  if (box.dimension() > 6) return out;  // corners alone would be too many
  return box.grid(std::vector<Index>(static_cast<std::size_t>(box.dimension()), 2)).joined(out);
}
Queries probes(const AskSpace& a, Rng& rng) {
  if (const auto* box = std::get_if<QueryBox>(&a)) return probes(*box, rng);
  const auto& mixed = std::get<MixedQueries>(a);
  const Queries within = probes(mixed.box(), rng);
  Queries out;
  for (Index i = 0; i < mixed.choices().size(); ++i) out = out.joined(mixed.with_choice(i, within));
  return out;
}

}  // namespace

Spending::Spending(const Setting& setting, const PolicyOptions& options) : setting_(setting) {
  if (!options.budget) return;
  require_positive(*options.budget, "budget");
  whole_.emplace(*options.budget, options.overspend ? Budget::Rule::kOvershoot : Budget::Rule::kStrict);
  if (tree() == nullptr && !std::holds_alternative<QuerySet>(setting_.a)) {
    Rng rng(1);
    probes_ = probes(setting_.a, rng);
    probe_price_ = cost(probes_);
  }
  if (const double least = cheapest(); *options.budget < least)
    refuse("budget", readable(*options.budget), "at least " + readable(least) + ", the cost of the cheapest query");
}

double Spending::cheapest() const {
  if (tree() != nullptr) return tree()->cost(tree()->root());
  const auto* list = std::get_if<QuerySet>(&setting_.a);
  return (list != nullptr ? cost(list->points()) : probe_price_).minCoeff();
}

Vector Spending::cost(const Queries& a) const {
  if (tree() == nullptr) return price_of(setting_, a);
  Vector out = Vector::Zero(a.size());
  for (Index i = 0; i < a.size(); ++i)
    if (const auto node = tree()->find(a.row(i))) out[i] = tree()->cost(*node);
  return out;
}

Purse Spending::purse(const Answers& answers, const Queries& pending) const {
  if (!whole_) return std::nullopt;
  Rows asked(asked_in(answers) + pending.size(), dimension(setting_.a));
  Index row = 0;
  for (const auto& answer : answers)
    if (const auto* a = std::get_if<Queries>(&answer.at)) asked.row(row++) = a->row(0);
  if (!pending.empty()) asked.bottomRows(pending.size()) = pending.coordinates();
  return whole_->having_spent(asked.rows() == 0 ? 0.0 : cost(Queries(std::move(asked))).sum());
}

Candidates Spending::payable(const Purse& purse) const {
  Candidates out;
  if (!purse) return out;
  out.purse = purse;
  for (Index i = 0; i < probes_.size(); ++i)
    if (purse->affords(probe_price_[i])) out.payable = out.payable.joined(probes_.slice(i, 1));
  if (out.payable.empty()) out.allowed = {false};
  return out;
}

}  // namespace iqbo
