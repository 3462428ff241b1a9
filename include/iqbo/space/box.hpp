// An axis-aligned box: lower <= point <= upper, both ends included.
#pragma once

#include <string_view>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo {

template <class Space>
class Box {
 public:
  // Needs lower < upper in every coordinate.
  Box(Vector lower, Vector upper);

  Index dimension() const { return lower_.size(); }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }

  bool contains(const Eigen::Ref<const Eigen::RowVectorXd>& point) const;

  // Throws std::invalid_argument naming the first row and column outside, and the interval it left.
  void require_inside(const Points<Space>& points, std::string_view name = Space::kName) const;

  // Each coordinate moved to the nearest value inside.
  Points<Space> clipped(const Points<Space>& points) const;

  // counts[j] >= 1 equally spaced values along axis j, ends included (the middle if 1); the last axis runs fastest.
  Points<Space> grid(const std::vector<Index>& counts) const;

 private:
  Vector lower_;
  Vector upper_;
};

using InputBox = Box<InputSpace>;
using QueryBox = Box<QuerySpace>;

extern template class Box<InputSpace>;
extern template class Box<QuerySpace>;

}  // namespace iqbo
