#include "query_folds.hpp"

#include <algorithm>
#include <numeric>

#include "thinning.hpp"

namespace iqbo {
namespace {

// Pairs in the order of their queries; those of one query in the order of x.
std::vector<Index> in_order(const LoggedPairs& pairs) {
  std::vector<Index> rows(static_cast<std::size_t>(pairs.size()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const auto less = [](const auto& left, const auto& right) {
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  };
  const Rows& a = pairs.a.coordinates();
  const Rows& x = pairs.x().coordinates();
  std::stable_sort(rows.begin(), rows.end(), [&](Index i, Index j) {
    return a.row(i) == a.row(j) ? less(x.row(i), x.row(j)) : less(a.row(i), a.row(j));
  });
  return rows;
}

}  // namespace

std::vector<Index> query_folds(const LoggedPairs& pairs, Index count) {
  const std::vector<Index> order = in_order(pairs);
  const Rows& a = pairs.a.coordinates();
  Index distinct = 1;
  for (std::size_t i = 1; i < order.size(); ++i) distinct += a.row(order[i]) != a.row(order[i - 1]) ? 1 : 0;
  std::vector<Index> fold(order.size());
  if (pairs.size() >= kRepeats * distinct) {
    for (std::size_t i = 0; i < order.size(); ++i)
      fold[static_cast<std::size_t>(order[i])] = static_cast<Index>(i) % count;
    return fold;
  }
  const Index groups = pairs.encoding->groups();
  const Rows encoded = pairs.encoding->encoded(pairs.a, Vector::Ones(groups));
  const Clusters cells = thinned(encoded, Vector::Ones(encoded.cols()), std::max(count, pairs.size() / kCellPairs));
  for (Index i = 0; i < pairs.size(); ++i)
    for (SparseRows::InnerIterator it(cells.member, i); it; ++it) fold[static_cast<std::size_t>(i)] = it.col() % count;
  return fold;
}

}  // namespace iqbo
