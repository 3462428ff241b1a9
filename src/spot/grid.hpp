// X as a grid in the plane or on a line, and queries as averages over it that are products of the axes.
//
//   g(a) = sum_ij w_i(a) w'_j(a) f(x_i, y_j),      w, w' one of the few different rows that the axes have
//
// Tiles of pixels are such products; so are windows, uniform or Gaussian, cut off by the faces of X or not, once f is
// interpolated between the points of a lattice with four steps to the smallest window (axis_law.hpp). A separable kernel then
// needs tables of axis against axis only: with m different rows along an axis of n points, O(n^2 m) for each lengthscale,
// however many queries there are. Coordinates are in units of the smallest window, which is how lengthscales along different
// axes become comparable; or of a sixteenth of X (on a line, of a sixty-fourth), if that is longer.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "axis_law.hpp"
#include "iqbo/conditional/conditional.hpp"
#include "iqbo/space/target_space.hpp"

namespace iqbo {

using GridCell = std::array<Index, 2>;  // a point of the grid

// Which row of each axis a query has.
struct GridQuery {
  std::array<Index, 2> row{};
  bool operator==(const GridQuery&) const = default;
};

class SpotGrid {
 public:
  // X is a box, or a list of points on a lattice of one or two dimensions (holes are allowed), and p(x|a) has windows, or
  // averages of these points. Empty if it is not so, or a query is not a product of the axes. `probes` are queries among
  // which the smallest window is; windows of at least two sizes are needed.
  static std::optional<SpotGrid> of(const TargetSpace& x, const Conditional& conditional, const Queries& probes);

  // Each query as rows of the axes. Empty if one is not a product.
  std::optional<std::vector<GridQuery>> rows(const Conditional& conditional, const Queries& a);
  std::optional<GridQuery> row(const Eigen::Ref<const Eigen::RowVectorXd>& x);  // f itself; empty off the pixels

  const Vector& points(int axis) const { return axes_[static_cast<std::size_t>(axis)].point; }
  const Matrix& laws(int axis) const { return axes_[static_cast<std::size_t>(axis)].law; }  // one per row
  const std::vector<GridCell>& cells() const { return cells_; }                             // of each x of X
  double first(int axis) const, last(int axis) const;                                       // points of X
  double extent(int axis) const;  // of X; pixels have the extent of the lattice's spacing
  const std::array<Index, 2>& span(int axis, Index row) const {  // the first and the last point with weight
    return axes_[static_cast<std::size_t>(axis)].extent[static_cast<std::size_t>(row)];
  }
  double width(int axis, Index row) const;                     // of a window
  Vector unit() const { return unit_; }                        // what is called the smallest window, in units of X
  double spacing() const { return spacing_; }                  // of the lattice, in units of the smallest window
  double side() const { return side_; }                        // geometric mean of the sides, likewise
  const std::vector<double>& sizes() const { return sizes_; }  // of windows, likewise, in ascending order

  // A field on the grid (axis 0 down the rows), at each x of X; and at other inputs, interpolated where X is a box or queries
  // are windows. Empty if one is off the pixels or beyond the grid.
  Vector at_targets(const Matrix& field) const;
  std::optional<Vector> at(const Matrix& field, const Inputs& x) const;

  // Empty if one is off the pixels, or if f is interpolated.
  std::optional<std::vector<GridCell>> cells_at(const Inputs& x) const;

  // Where the field peaks next to a cell that is higher than its neighbours, by a parabola along each axis: the input, and how
  // much higher. The cell itself if X is a list.
  struct Peak {
    Inputs x;
    double rise = 0.0;
  };
  Peak peak(const Matrix& field, const GridCell& cell) const;

 private:
  struct Axis {
    Vector point;
    Matrix law;
    std::vector<std::array<Index, 2>> extent;        // the first and the last point with weight, of each law
    std::array<Index, 2> inside{};                   // the first and the last point of X
    std::map<std::array<double, 3>, Index> windows;  // rows that are known, by centre, sd and half-width
    Index find_or_add(const Vector& row);
  };
  bool over_pixels(const TargetSpace& x, const Inputs& support);
  bool over_windows(const TargetSpace& x, const Laws& windows);
  bool measure(const std::vector<GridQuery>& queries);
  std::optional<Index> row_along(const Laws& laws, Index i, std::size_t axis);
  std::optional<GridQuery> window_row(const Laws& laws, Index i);  // law i, f being interpolated
  std::optional<GridCell> cell_of(const Eigen::Ref<const Eigen::RowVectorXd>& x) const;
  void place(const Eigen::Ref<const Eigen::RowVectorXd>& origin, const Eigen::Ref<const Vector>& step,
             const std::vector<Index>& cells);
  bool place_targets(const InputSet& x);

  std::array<Axis, 2> axes_;
  std::vector<GridCell> cells_;
  std::shared_ptr<const Inputs> support_;  // null if f is interpolated
  std::vector<GridCell> support_cells_;
  bool listed_ = true;  // X is a list
  Index dimension_ = 1;
  Vector unit_, origin_, step_;  // in units of X
  double spacing_ = 0.0, side_ = 1.0;
  std::vector<double> sizes_;
};

}  // namespace iqbo
