// The average over the points in a cell of a tree (space/query_tree.hpp), weighted by the tree's weights.
//
//   X = point_i with probability w_i / sum_cell w      for the points i in the cell that a names
//
// Nothing is listed in advance: the weights of a cell are computed when it is queried. Those of the last queries are kept, as
// every member of an ensemble asks for the laws of the same answers.
#pragma once

#include <memory>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/space/query_tree.hpp"

namespace iqbo {

class CellConditional final : public Conditional {
 public:
  explicit CellConditional(QueryTree tree);  // must divide points

  std::shared_ptr<const Conditional> clone() const override { return std::make_shared<CellConditional>(*this); }
  Index input_dimension() const override { return support_->dimension(); }
  Index query_dimension() const override { return tree_.dimension(); }
  Laws laws(const Queries& a) const override;  // refuses queries that are not a node
  Gradients gradients() const override { return Gradients::kNone; }
  const Inputs* support() const override { return support_.get(); }

 private:
  struct Last;

  Laws computed(const Queries& a) const;

  QueryTree tree_;
  std::shared_ptr<const Inputs> support_;
  std::shared_ptr<Last> last_;  // shared by copies
};

}  // namespace iqbo
