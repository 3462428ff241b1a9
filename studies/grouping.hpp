// Groups of cells that may be asked for their average: overlapping blocks, nearest neighbours, districts.
//
// Cells are points in the plane, on a raster or not. All groups are made from the coordinates, so that both are treated
// alike; the unit of length is the spacing, the root of the area per cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/space/finite_set.hpp"

namespace iqbo::study {

// Which cells each group holds. Groups with the same cells are there once.
class Grouping {
 public:
  explicit Grouping(Inputs cells) : cells_(std::move(cells)) {
    const Rows& x = cells_.coordinates();
    lower_ = x.colwise().minCoeff();
    // n x m cells of a raster are n x m spacings s wide from edge to edge: (w + s) (h + s) = cells s^2.
    const Eigen::RowVector2d width = x.colwise().maxCoeff() - x.colwise().minCoeff();
    const double sum = width.sum();
    const auto others = static_cast<double>(x.rows() - 1);
    spacing_ = (sum + std::sqrt(sum * sum + 4.0 * others * width.prod())) / (2.0 * others);
    lower_.array() -= 0.5 * spacing_;
    upper_ = x.colwise().maxCoeff().array() + 0.5 * spacing_;
  }

  double spacing() const { return spacing_; }
  Index size() const { return static_cast<Index>(members_.size()); }

  // Squares of this side (in spacings) whose corners are half a side apart, from a random origin. Those that hold less
  // than half of what their area promises are left out.
  void add_blocks(double side, Rng& rng) {
    const double step = std::max(1.0, std::round(side / 2.0)) * spacing_;
    const double edge = side * spacing_;
    const double first_x = lower_[0] - whole_cells(step, rng);
    const double first_y = lower_[1] - whole_cells(step, rng);
    for (double x = first_x; x < upper_[0]; x += step)
      for (double y = first_y; y < upper_[1]; y += step) add(inside(x, y, edge), 0.5 * side * side);
  }

  // The tiles of this side (in spacings) that cut the whole.
  void add_tiles(double side) {
    const double edge = side * spacing_;
    for (double x = lower_[0]; x < upper_[0] - 0.5 * edge; x += edge)
      for (double y = lower_[1]; y < upper_[1] - 0.5 * edge; y += edge) add(inside(x, y, edge), 1.0);
  }

  // The `size` cells nearest to each of `groups` random cells.
  void add_nearest(Index size, Index groups, Rng& rng) {
    for (Index i = 0; i < groups; ++i) {
      const Vector far = distances(rng.below(cells_.size()));
      std::vector<Index> order(static_cast<std::size_t>(far.size()));
      std::iota(order.begin(), order.end(), Index{0});
      std::sort(order.begin(), order.end(),
                [&](Index a, Index b) { return std::pair(far[a], a) < std::pair(far[b], b); });
      order.resize(static_cast<std::size_t>(std::min(size, cells_.size())));
      std::sort(order.begin(), order.end());
      add(std::move(order), 1.0);
    }
  }

  // Each cell belongs to the nearest of `groups` random cells. A cell that is alone is no group: its answer would be a
  // value of f.
  void add_districts(Index groups, Rng& rng) {
    Vector nearest = Vector::Constant(cells_.size(), std::numeric_limits<double>::infinity());
    std::vector<Index> owner(static_cast<std::size_t>(cells_.size()), 0);
    for (Index i = 0; i < groups; ++i) {
      const Vector far = distances(rng.below(cells_.size()));
      for (Index j = 0; j < far.size(); ++j)
        if (far[j] < nearest[j]) {
          nearest[j] = far[j];
          owner[static_cast<std::size_t>(j)] = i;
        }
    }
    std::vector<std::vector<Index>> held(static_cast<std::size_t>(groups));
    for (std::size_t j = 0; j < owner.size(); ++j)
      held[static_cast<std::size_t>(owner[j])].push_back(static_cast<Index>(j));
    for (auto& each : held) add(std::move(each), 2.0);
  }

  // The bags, with one weight per cell. A query is the centroid of its group and the root of its number of cells.
  BagConditional bags(const Vector& weight) const {
    std::vector<BagRow> rows;
    Rows place(size(), 3);
    for (Index bag = 0; bag < size(); ++bag) {
      const auto& held = members_[static_cast<std::size_t>(bag)];
      for (const Index cell : held) rows.push_back({bag, cell, weight[cell]});
      place.row(bag) << cells_.coordinates()(held, Eigen::all).colwise().mean(),
          std::sqrt(static_cast<double>(held.size())) * spacing_;
    }
    return {cells_, rows, Queries(place)};
  }

 private:
  double whole_cells(double below, Rng& rng) const {
    return spacing_ * static_cast<double>(rng.below(static_cast<Index>(std::round(below / spacing_))));
  }

  std::vector<Index> inside(double x, double y, double edge) const {
    std::vector<Index> out;
    for (Index i = 0; i < cells_.size(); ++i) {
      const double u = cells_.row(i)[0] - x;
      const double v = cells_.row(i)[1] - y;
      if (u >= 0.0 && u < edge && v >= 0.0 && v < edge) out.push_back(i);
    }
    return out;
  }

  Vector distances(Index from) const {
    return (cells_.coordinates().rowwise() - cells_.row(from)).rowwise().squaredNorm();
  }

  void add(std::vector<Index> held, double least) {
    if (held.empty() || static_cast<double>(held.size()) < least) return;
    if (std::find(members_.begin(), members_.end(), held) == members_.end()) members_.push_back(std::move(held));
  }

  Inputs cells_;
  Eigen::RowVector2d lower_;
  Eigen::RowVector2d upper_;
  double spacing_;
  std::vector<std::vector<Index>> members_;
};

}  // namespace iqbo::study
