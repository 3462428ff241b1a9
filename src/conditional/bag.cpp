#include "iqbo/conditional/bag.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace iqbo {
namespace {

using Entries = std::vector<Eigen::Triplet<double, Index>>;

SparseRows from_rows(const std::vector<BagRow>& rows, Index points) {
  require_not_empty(points, "points");
  require_not_empty(static_cast<Index>(rows.size()), "rows");
  Index bags = 0;
  Entries entries;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& [bag, point, weight] = rows[r];
    const std::string where = "row " + std::to_string(r);
    if (bag < 0 || bag >= static_cast<Index>(rows.size()))
      refuse("rows", where + " has bag " + std::to_string(bag), "0 to n - 1 for n bags, each with a row");
    if (point < 0 || point >= points)
      refuse("rows", where + " has point " + std::to_string(point), "0 to " + std::to_string(points - 1));
    if (!std::isfinite(weight) || weight < 0)
      refuse("rows", where + " has weight " + readable(weight), "a finite number >= 0");
    bags = std::max(bags, bag + 1);
    entries.emplace_back(bag, point, weight);
  }
  SparseRows out(bags, points);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

SparseRows normalised(SparseRows weight) {
  weight.makeCompressed();
  for (Index i = 0; i < weight.rows(); ++i) {
    double total = 0.0;
    for (SparseRows::InnerIterator it(weight, i); it; ++it) {
      if (!std::isfinite(it.value()) || it.value() < 0)
        refuse("weight",
               "bag " + std::to_string(i) + ", point " + std::to_string(it.col()) + " is " + readable(it.value()),
               "a finite number >= 0");
      total += it.value();
    }
    if (!(total > 0) || !std::isfinite(total))
      refuse("weight", "bag " + std::to_string(i) + " sums to " + readable(total), "a positive sum");
    for (SparseRows::InnerIterator it(weight, i); it; ++it) it.valueRef() /= total;
  }
  weight.prune([](Index, Index, double value) { return value != 0.0; });
  return weight;
}

Queries numbered(Index count) { return Queries::line(Vector::LinSpaced(count, 0.0, static_cast<double>(count - 1))); }

}  // namespace

BagConditional::BagConditional(Inputs points, const SparseRows& weight, std::optional<Queries> queries) {
  require_not_empty(points.size(), "points");
  require_columns(weight.cols(), points.size(), "weight");
  require_not_empty(weight.rows(), "weight");
  if (queries) require_rows(queries->size(), weight.rows(), "queries");
  weight_ = std::make_shared<const SparseRows>(normalised(weight));
  points_ = std::make_shared<const Inputs>(std::move(points));
  queries_ = std::make_shared<const QuerySet>(queries ? *std::move(queries) : numbered(weight_->rows()));
}

BagConditional::BagConditional(const Inputs& points, const std::vector<BagRow>& rows, std::optional<Queries> queries)
    : BagConditional(points, from_rows(rows, points.size()), std::move(queries)) {}

std::shared_ptr<const Conditional> BagConditional::clone() const { return std::make_shared<BagConditional>(*this); }

Laws BagConditional::laws(const Queries& a) const {
  const auto bags = queries_->positions(a);
  Entries entries;
  for (Index i = 0; i < a.size(); ++i)
    for (SparseRows::InnerIterator it(*weight_, bags[static_cast<std::size_t>(i)]); it; ++it)
      entries.emplace_back(i, it.col(), it.value());
  SparseRows weight(a.size(), points_->size());
  weight.setFromTriplets(entries.begin(), entries.end());
  return DiscreteLaws{points_, weight};
}

}  // namespace iqbo
