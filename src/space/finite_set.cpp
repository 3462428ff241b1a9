#include "iqbo/space/finite_set.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace iqbo {
namespace {

std::size_t hash_of(const Eigen::Ref<const Eigen::RowVectorXd>& point) {
  std::size_t hash = 0;
  for (const double value : point) hash = hash * 1000003U ^ std::hash<double>{}(value);  // -0.0 and 0.0 hash alike
  return hash;
}

}  // namespace

template <class Space>
FiniteSet<Space>::FiniteSet(Points<Space> points) : points_(std::move(points)) {
  require_not_empty(points_.size(), Space::kName);
  for (Index i = 0; i < size(); ++i) {
    if (const auto twin = find(points_.row(i)))
      refuse(Space::kName, "row " + std::to_string(i) + " repeats row " + std::to_string(*twin), "distinct points");
    rows_by_hash_.emplace(hash_of(points_.row(i)), i);
  }
}

template <class Space>
std::optional<Index> FiniteSet<Space>::find(const Eigen::Ref<const Eigen::RowVectorXd>& point) const {
  require_columns(point.size(), dimension(), Space::kName);
  const auto [begin, end] = rows_by_hash_.equal_range(hash_of(point));
  for (auto it = begin; it != end; ++it)
    if (points_.row(it->second) == point) return it->second;
  return std::nullopt;
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
