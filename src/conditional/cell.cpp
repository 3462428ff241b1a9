#include "iqbo/conditional/cell.hpp"

#include <string>
#include <utility>

#include "iqbo/core/check.hpp"

namespace iqbo {

CellConditional::CellConditional(QueryTree tree) : tree_(std::move(tree)) {
  if (tree_.points() == nullptr) refuse("tree", "cuts a box", "one that divides points");
  support_ = std::make_shared<const Inputs>(*tree_.points());
}

Laws CellConditional::laws(const Queries& a) const {
  require_columns(a.dimension(), query_dimension(), QuerySpace::kName);
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < a.size(); ++i) {
    const auto node = tree_.find(a.row(i));
    if (!node)
      refuse(QuerySpace::kName, "row " + std::to_string(i) + " is no node of the tree", "(centre, resolution) of one");
    const std::vector<Index> members = tree_.members(*node);
    const double total = tree_.weight()(members).sum();
    for (const Index point : members) entries.emplace_back(i, point, tree_.weight()[point] / total);
  }
  SparseRows weight(a.size(), support_->size());
  weight.setFromTriplets(entries.begin(), entries.end());
  return DiscreteLaws{support_, weight};
}

}  // namespace iqbo
