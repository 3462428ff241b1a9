#include "large_list.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace iqbo::internal {
namespace {

// The cell of a grid with so many cells a side, and the squared distance from its middle.
std::pair<Index, double> cell_of(const Rows& embedding, Index row, Index side) {
  Index cell = 0;
  double off = 0.0;
  for (Index c = 0; c < embedding.cols(); ++c) {
    const double at = embedding(row, c) * static_cast<double>(side);
    const auto step = std::min(side - 1, static_cast<Index>(at));
    cell = cell * side + step;
    off += std::pow(at - static_cast<double>(step) - 0.5, 2);
  }
  return {cell, off};
}

// For each cell that has a query, the one nearest to its middle.
std::vector<Index> nearest_to_middles(const Rows& embedding, Index side) {
  std::unordered_map<Index, std::pair<Index, double>> found;
  for (Index row = 0; row < embedding.rows(); ++row) {
    const auto [cell, off] = cell_of(embedding, row, side);
    const auto [at, is_new] = found.try_emplace(cell, row, off);
    if (!is_new && off < at->second.second) at->second = {row, off};
  }
  std::vector<Index> out;
  for (const auto& each : found) out.push_back(each.second.first);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Rows in_units_of_range(const Rows& embedding) {
  Rows out = embedding;
  for (Index c = 0; c < out.cols(); ++c) {
    const double least = out.col(c).minCoeff(), range = out.col(c).maxCoeff() - least;
    out.col(c) = range > 0.0 ? Vector((out.col(c).array() - least) / range) : Vector(Vector::Zero(out.rows()));
  }
  return out;
}

// The points may fill a part of their range only, or a line in it: the grid is refined until it has enough cells with queries.
std::vector<Index> LargeList::spread(const Rows& embedding, Index count) {
  Index varying = 0;
  for (Index c = 0; c < embedding.cols(); ++c) varying += embedding.col(c).maxCoeff() > 0.0 ? 1 : 0;
  if (varying == 0 || embedding.rows() <= count) {
    std::vector<Index> out(static_cast<std::size_t>(std::min(count, embedding.rows())));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Index>(i);
    return out;
  }
  auto side = static_cast<Index>(std::floor(std::pow(static_cast<double>(count), 1.0 / static_cast<double>(varying))));
  std::vector<Index> out = nearest_to_middles(embedding, std::max<Index>(1, side));
  constexpr int kTries = 20;
  for (int tries = 0; tries < kTries; ++tries) {
    side = std::max(side + 1, side + side / 4);
    std::vector<Index> finer = nearest_to_middles(embedding, side);
    if (static_cast<Index>(finer.size()) > count || finer.size() == out.size()) break;
    out = std::move(finer);
  }
  return out;
}

LargeList::LargeList(std::shared_ptr<const Rows> embedding) : embedding_(std::move(embedding)) {
  for (const Index row : spread(*embedding_, kFirst)) open(row);
}

std::optional<Index> LargeList::position(Index row) const {
  const auto at = position_.find(row);
  return at == position_.end() ? std::nullopt : std::optional(at->second);
}

void LargeList::open(Index row) {
  if (position_.try_emplace(row, static_cast<Index>(opened_.size())).second) opened_.push_back(row);
}

void LargeList::open_around(Index row) {
  const Vector off = (embedding_->rowwise() - embedding_->row(row)).rowwise().squaredNorm();
  std::vector<Index> order(static_cast<std::size_t>(off.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  const auto count = std::min<std::ptrdiff_t>(kNeighbours + 1, static_cast<std::ptrdiff_t>(order.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](Index i, Index j) { return off[i] != off[j] ? off[i] < off[j] : i < j; });
  open(row);
  for (std::ptrdiff_t i = 0; i < count; ++i) open(order[static_cast<std::size_t>(i)]);
}

}  // namespace iqbo::internal
