// A finite choice times a box: which sensor, and where to point it.
//
//   a = (coordinates of a choice, coordinates within the box)
#pragma once

#include <string_view>

#include "iqbo/space/box.hpp"
#include "iqbo/space/finite_set.hpp"

namespace iqbo {

template <class Space>
class Mixed {
 public:
  Mixed(FiniteSet<Space> choices, Box<Space> box) : choices_(std::move(choices)), box_(std::move(box)) {}

  Index dimension() const { return choices_.dimension() + box_.dimension(); }
  const FiniteSet<Space>& choices() const { return choices_; }
  const Box<Space>& box() const { return box_; }

  // The given points of the box under one choice.
  Points<Space> with_choice(Index choice, const Points<Space>& in_box) const;

  // Throws std::invalid_argument naming the first row that is not in it.
  void require_inside(const Points<Space>& points, std::string_view name = Space::kName) const;

 private:
  FiniteSet<Space> choices_;
  Box<Space> box_;
};

using MixedQueries = Mixed<QuerySpace>;

extern template class Mixed<QuerySpace>;

}  // namespace iqbo
