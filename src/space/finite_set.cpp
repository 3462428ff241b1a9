#include "iqbo/space/finite_set.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace iqbo {
namespace {

std::size_t hash_of(const Eigen::Ref<const Eigen::RowVectorXd>& point) {
  std::size_t hash = 0;
  for (const double value : point) hash = hash * 1000003U ^ std::hash<double>{}(value);  // -0.0 and 0.0 hash alike
  return hash ^ (hash >> 32U);
}

}  // namespace

template <class Space>
FiniteSet<Space>::FiniteSet(Points<Space> points) : points_(std::move(points)) {
  require_not_empty(points_.size(), Space::kName);
  auto rows = std::make_shared<std::vector<Index>>(std::bit_ceil(2 * static_cast<std::size_t>(size())), -1);
  rows_ = rows;
  for (Index i = 0; i < size(); ++i) {
    Index& slot = (*rows)[slot_of(points_.row(i))];
    if (slot >= 0)
      refuse(Space::kName, "row " + std::to_string(i) + " repeats row " + std::to_string(slot), "distinct points");
    slot = i;
  }
}

// That of the point, or the free one where it would be.
template <class Space>
std::size_t FiniteSet<Space>::slot_of(const Eigen::Ref<const Eigen::RowVectorXd>& point) const {
  const std::size_t last = rows_->size() - 1;
  std::size_t slot = hash_of(point) & last;
  while ((*rows_)[slot] >= 0 && points_.row((*rows_)[slot]) != point) slot = (slot + 1) & last;
  return slot;
}

template <class Space>
std::optional<Index> FiniteSet<Space>::find(const Eigen::Ref<const Eigen::RowVectorXd>& point) const {
  require_columns(point.size(), dimension(), Space::kName);
  const Index row = (*rows_)[slot_of(point)];
  return row >= 0 ? std::optional(row) : std::nullopt;
}

template <class Space>
std::vector<Index> FiniteSet<Space>::positions(const Points<Space>& points, std::string_view name) const {
  require_columns(points.dimension(), dimension(), name);
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(points.size()));
  for (Index i = 0; i < points.size(); ++i) {
    const auto position = find(points.row(i));
    if (!position)
      refuse(name, "row " + std::to_string(i) + " is not in the set",
             "one of its " + std::to_string(size()) + " points, exactly");
    out.push_back(*position);
  }
  return out;
}

template <class Space>
Points<Space> FiniteSet<Space>::snapped(const Points<Space>& points, double share) const {
  const Rows& all = points_.coordinates();
  Rows out = points.coordinates();
  Eigen::RowVectorXd most;
  for (Index i = 0; i < out.rows(); ++i) {
    if (find(out.row(i))) continue;
    if (most.size() == 0) {
      const Eigen::RowVectorXd least = all.colwise().minCoeff(), largest = all.colwise().maxCoeff();
      most = share * (largest.array() > least.array()).select(largest - least, largest.cwiseAbs());
    }
    for (Index k = 0; k < all.rows(); ++k)
      if (((all.row(k) - out.row(i)).cwiseAbs().array() <= most.array()).all()) {
        out.row(i) = all.row(k);
        break;
      }
  }
  return Points<Space>(std::move(out));
}

template class FiniteSet<InputSpace>;
template class FiniteSet<QuerySpace>;

}  // namespace iqbo
