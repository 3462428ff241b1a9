#include "iqbo/conditional/cell.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/check.hpp"
#include "row_builder.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Ascending, each once. A large cell holds many of the numbers in its range: these are marked and read off.
void put_in_order(std::vector<Index>& rows) {
  constexpr std::size_t kFew = 64;
  constexpr std::uint64_t kBits = 64;
  if (rows.size() <= kFew || std::is_sorted(rows.begin(), rows.end())) return std::sort(rows.begin(), rows.end());
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
  const Index first = *least;
  std::vector<std::uint64_t> marks(static_cast<std::size_t>(*most - first) / kBits + 1);
  for (const Index row : rows) {
    const auto at = static_cast<std::uint64_t>(row - first);
    marks[at / kBits] |= std::uint64_t{1} << (at % kBits);
  }
  std::size_t count = 0;
  for (std::size_t word = 0; word < marks.size(); ++word)
    for (std::uint64_t rest = marks[word]; rest != 0; rest &= rest - 1)
      rows[count++] = first + static_cast<Index>(word * kBits) + std::countr_zero(rest);
}

}  // namespace

struct CellConditional::Last {
  std::mutex mutex;
  Rows at;
  std::optional<Laws> laws;
};

CellConditional::CellConditional(QueryTree tree) : tree_(std::move(tree)), last_(std::make_shared<Last>()) {
  if (tree_.points() == nullptr) refuse("tree", "cuts a box", "one that divides points");
  support_ = std::make_shared<const Inputs>(*tree_.points());
}

Laws CellConditional::laws(const Queries& a) const {
  require_columns(a.dimension(), query_dimension(), QuerySpace::kName);
  constexpr Index kMost = 2048;  // more queries are an overview, which is made once
  if (a.size() < 2 || a.size() > kMost) return computed(a);
  {
    const std::lock_guard lock(last_->mutex);
    if (last_->laws && last_->at.rows() == a.size() && last_->at == a.coordinates()) return *last_->laws;
  }
  Laws out = computed(a);
  const std::lock_guard lock(last_->mutex);
  last_->at = a.coordinates();
  last_->laws = out;
  return out;
}

Laws CellConditional::computed(const Queries& a) const {
  std::vector<std::vector<Index>> members;
  Index count = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const auto node = tree_.find(a.row(i));
    if (!node)
      refuse(QuerySpace::kName, "row " + std::to_string(i) + " is not a node of the tree",
             "the centre and resolution of one");
    members.push_back(tree_.members(*node));
    count += static_cast<Index>(members.back().size());
  }
  RowBuilder weight(a.size(), support_->size(), count);
  for (std::vector<Index>& cell : members) {
    const double total = tree_.weight()(cell).sum();
    put_in_order(cell);
    for (const Index point : cell) weight.add(point, tree_.weight()[point] / total);
    weight.end_row();
  }
  return DiscreteLaws{support_, weight.take()};
}

}  // namespace iqbo
