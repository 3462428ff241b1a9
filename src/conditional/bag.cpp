#include "iqbo/conditional/bag.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "row_builder.hpp"

namespace iqbo {

using namespace internal;

namespace {

SparseRows from_rows(const std::vector<BagRow>& rows, Index points) {
  require_not_empty(points, "points");
  require_not_empty(static_cast<Index>(rows.size()), "rows");
  Index bags = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& [bag, point, weight] = rows[r];
    const auto where = [r] { return "row " + std::to_string(r); };
    if (bag < 0 || bag >= static_cast<Index>(rows.size()))
      refuse("rows", where() + " has bag " + std::to_string(bag), "0 to n - 1 for n bags, each with a row");
    if (point < 0 || point >= points)
      refuse("rows", where() + " has point " + std::to_string(point), "0 to " + std::to_string(points - 1));
    if (!std::isfinite(weight) || weight < 0)
      refuse("rows", where() + " has weight " + readable(weight), "a finite number >= 0");
    bags = std::max(bags, bag + 1);
  }
  std::vector<std::size_t> begin(static_cast<std::size_t>(bags) + 1, 0);  // of each bag in `order`
  for (const BagRow& row : rows) ++begin[static_cast<std::size_t>(row.bag) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> order(rows.size()), next(begin.begin(), begin.end() - 1);
  for (std::size_t r = 0; r < rows.size(); ++r) order[next[static_cast<std::size_t>(rows[r].bag)]++] = r;
  RowBuilder out(bags, points, static_cast<Index>(rows.size()));
  for (std::size_t bag = 0; bag + 1 < begin.size(); ++bag) {
    for (std::size_t k = begin[bag]; k < begin[bag + 1]; ++k) out.add(rows[order[k]].point, rows[order[k]].weight);
    out.end_row();
  }
  return out.take();
}

void normalise(SparseRows& weight) {
  weight.makeCompressed();
  bool zeros = false;
  for (Index i = 0; i < weight.rows(); ++i) {
    double total = 0.0;
    for (SparseRows::InnerIterator it(weight, i); it; ++it) {
      if (!std::isfinite(it.value()) || it.value() < 0)
        refuse("weight",
               "bag " + std::to_string(i) + ", point " + std::to_string(it.col()) + " is " + readable(it.value()),
               "a finite number >= 0");
      total += it.value();
      zeros = zeros || it.value() == 0.0;
    }
    if (!(total > 0) || !std::isfinite(total))
      refuse("weight", "bag " + std::to_string(i) + " sums to " + readable(total), "a positive sum");
    for (SparseRows::InnerIterator it(weight, i); it; ++it) it.valueRef() /= total;
  }
  if (zeros) weight.prune([](Index, Index, double value) { return value != 0.0; });
}

Queries numbered(Index count) { return Queries::line(Vector::LinSpaced(count, 0.0, static_cast<double>(count - 1))); }

}  // namespace

BagConditional::BagConditional(Inputs points, SparseRows weight, std::optional<Queries> queries) {
  require_not_empty(points.size(), "points");
  require_columns(weight.cols(), points.size(), "weight");
  require_not_empty(weight.rows(), "weight");
  if (queries) require_rows(queries->size(), weight.rows(), "queries");
  normalise(weight);
  const auto own = std::make_shared<SparseRows>();
  own->swap(weight);  // Eigen 3.4 copies a sparse matrix where it could move
  weight_ = own;
  points_ = std::make_shared<const Inputs>(std::move(points));
  queries_ = std::make_shared<const QuerySet>(queries ? *std::move(queries) : numbered(weight_->rows()));
}

BagConditional::BagConditional(const Inputs& points, const std::vector<BagRow>& rows, std::optional<Queries> queries)
    : BagConditional(points, from_rows(rows, points.size()), std::move(queries)) {}

std::shared_ptr<const Conditional> BagConditional::clone() const { return std::make_shared<BagConditional>(*this); }

Laws BagConditional::laws(const Queries& a) const {
  const auto bags = queries_->positions(a);
  Index count = 0;
  for (const Index bag : bags) count += weight_->outerIndexPtr()[bag + 1] - weight_->outerIndexPtr()[bag];
  RowBuilder weight(a.size(), points_->size(), count);
  for (const Index bag : bags) {
    for (SparseRows::InnerIterator it(*weight_, bag); it; ++it) weight.add(it.col(), it.value());
    weight.end_row();
  }
  return DiscreteLaws{points_, weight.take()};
}

}  // namespace iqbo
