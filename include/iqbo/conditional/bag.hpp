// Bags: each query is a list of weighted points, such as a district and its pixels.
//
//   X = point_j with probability W_ij / sum_j W_ij      for query i
//
// Weights are given per (bag, point), must not be negative, and are normalised within each bag; those of a pair listed
// twice add up. They are stored sparse: 20,000 points in 4,000 bags of 50 take 200,000 entries, never a dense matrix.
//
// A query is identified by its coordinates in `queries` (centroids, say) or, if none are given, by its number 0 .. n-1.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/space/finite_set.hpp"

namespace iqbo {

struct BagRow {
  Index bag;
  Index point;
  double weight;
};

class BagConditional final : public Conditional {
 public:
  // One bag per row of `weight`, one point per column.
  BagConditional(Inputs points, SparseRows weight, std::optional<Queries> queries = {});

  // Bags 0 .. n-1, where n - 1 is the largest bag listed; each must have positive weight somewhere.
  BagConditional(const Inputs& points, const std::vector<BagRow>& rows, std::optional<Queries> queries = {});

  std::shared_ptr<const Conditional> clone() const override;
  Index input_dimension() const override { return points_->dimension(); }
  Index query_dimension() const override { return queries_->dimension(); }
  Laws laws(const Queries& a) const override;
  Gradients gradients() const override { return Gradients::kNone; }  // listed queries have no neighbours
  const Inputs* support() const override { return points_.get(); }

  const Queries& queries() const { return queries_->points(); }  // one per bag, in order
  const SparseRows& weight() const { return *weight_; }          // rows sum to one

 private:
  std::shared_ptr<const Inputs> points_;  // shared by copies and by the laws they hand out
  std::shared_ptr<const SparseRows> weight_;
  std::shared_ptr<const QuerySet> queries_;
};

}  // namespace iqbo
