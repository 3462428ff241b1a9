#include "iqbo/conditional/cell.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/check.hpp"
#include "row_builder.hpp"

namespace iqbo {

using namespace internal;

CellConditional::CellConditional(QueryTree tree) : tree_(std::move(tree)) {
  if (tree_.points() == nullptr) refuse("tree", "cuts a box", "one that divides points");
  support_ = std::make_shared<const Inputs>(*tree_.points());
}

Laws CellConditional::laws(const Queries& a) const {
  require_columns(a.dimension(), query_dimension(), QuerySpace::kName);
  std::vector<std::vector<Index>> members;
  Index count = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const auto node = tree_.find(a.row(i));
    if (!node)
      refuse(QuerySpace::kName, "row " + std::to_string(i) + " is no node of the tree", "(centre, resolution) of one");
    members.push_back(tree_.members(*node));
    count += static_cast<Index>(members.back().size());
  }
  RowBuilder weight(a.size(), support_->size(), count);
  for (std::vector<Index>& cell : members) {
    const double total = tree_.weight()(cell).sum();
    std::sort(cell.begin(), cell.end());
    for (const Index point : cell) weight.add(point, tree_.weight()[point] / total);
    weight.end_row();
  }
  return DiscreteLaws{support_, weight.take()};
}

}  // namespace iqbo
