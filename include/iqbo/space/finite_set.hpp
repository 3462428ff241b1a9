// Distinct points in a fixed order: districts, sensors, pixels.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo {

template <class Space>
class FiniteSet {
 public:
  // Refuses an empty list and points listed twice.
  explicit FiniteSet(Points<Space> points);

  const Points<Space>& points() const { return points_; }
  Index size() const { return points_.size(); }
  Index dimension() const { return points_.dimension(); }

  // The position of the member with exactly these coordinates.
  std::optional<Index> find(const Eigen::Ref<const Eigen::RowVectorXd>& point) const;

  // The position of every point. Throws std::invalid_argument naming the first row that is not a member.
  std::vector<Index> positions(const Points<Space>& points, std::string_view name = Space::kName) const;

  // Replaces each point that is off by at most `share` of the range of every coordinate by the member that is meant: a
  // spreadsheet may turn 0.30000000000000004 into 0.3. Points that are near no member are left as they are.
  Points<Space> snapped(const Points<Space>& points, double share) const;

 private:
  std::size_t slot_of(const Eigen::Ref<const Eigen::RowVectorXd>& point) const;

  Points<Space> points_;
  std::shared_ptr<const std::vector<Index>> rows_;  // by hash, in the next free slot; -1: free. Copies share it
};

using InputSet = FiniteSet<InputSpace>;
using QuerySet = FiniteSet<QuerySpace>;

extern template class FiniteSet<InputSpace>;
extern template class FiniteSet<QuerySpace>;

}  // namespace iqbo
