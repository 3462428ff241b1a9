// Kernels under pairs of SpreadLaws, taken apart: sums of products of radial kernels over groups of columns.
//
// One coordinate of X - Y, for X = centre + sd N + w U and Y likewise, is delta + sqrt(sd^2 + sd'^2) N + w U + w' U'.
// The normal part widens the lengthscale l of an RBF, and the boxes are left to numerics/box_rbf.hpp:
//
//   E exp(-(X - Y)^2 / (2 l^2)) = l / L * box_rbf(delta / L, w / L, w' / L),    L^2 = l^2 + sd^2 + sd'^2
//
// Coordinates are independent, so an RBF over several is the product. A Matern kernel over a group of columns is a
// mixture over scales of such products. A Product kernel multiplies groups, a Sum adds terms.
#pragma once

#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "numerics/gamma_mixture.hpp"

namespace iqbo {

using Array = Eigen::ArrayXd;
using Columns = Eigen::ArrayXXd;  // one coordinate a column, contiguous

// n pairs of laws, coordinate by coordinate.
struct LawPairs {
  Columns delta;            // centre - centre'
  Columns var;              // sd^2 + sd'^2
  Columns w, v;             // half-widths
  std::vector<bool> boxed;  // per coordinate: is any half-width positive?
  std::vector<bool> even;   // per coordinate: is var the same in all pairs?

  Index size() const { return delta.rows(); }
};

// The columns of a covariance between two batches of laws, one at a time.
class PairColumns {
 public:
  PairColumns(const SpreadLaws& left, const SpreadLaws& right);
  const LawPairs& column(Index j);

 private:
  Columns left_centre_;
  Columns left_var_;
  const SpreadLaws& right_;
  LawPairs pairs_;
  Index current_ = -1;
};

// Each law with an independent copy of itself.
LawPairs diagonal_pairs(const SpreadLaws& laws);

// Derivatives of averages, pair by pair, in delta, in sd^2 + sd'^2 and in the second half-width.
struct Slopes {
  Columns delta, var, v;

  explicit Slopes(const LawPairs& pairs)
      : delta(Columns::Zero(pairs.size(), pairs.delta.cols())), var(delta), v(delta) {}
};

// A radial kernel of variance one over some of the columns.
class Group {
 public:
  Group(const Stationary& kernel, std::vector<Index> columns);

  Index size() const { return static_cast<Index>(columns_.size()); }
  Index column(Index g) const { return columns_[static_cast<std::size_t>(g)]; }

  // The mixture of RBFs that the kernel is (of one, for an RBF), and the square of lengthscale g in one of them.
  const internal::ScaleMixture& scales() const;
  double squared_length(Index g, double scale) const;

  // The first scale that matters where coordinate g varies by at least least_var[g]: narrow RBFs are averaged away.
  Index first_scale(const Array& least_var) const;
  Index first_scale(const SpreadLaws& left, const SpreadLaws& right) const;  // for all pairs of these

  // The same kernel along coordinate g alone, as column 0.
  Group axis(Index g) const { return {Stationary(kernel_.family(), 1.0, kernel_.lengthscale().segment(g, 1)), {0}}; }

  // The expectation of the RBF whose lengthscales are `scale` times ours.
  void rbf(const LawPairs& pairs, double scale, Array& out) const;

  Array expectation(const LawPairs& pairs) const;

  // sum_i weight_i d expectation_i / d log lengthscale.
  Vector pull_back(const LawPairs& pairs, Array weight) const;

  // Adds weight_i times the slopes of expectation_i; those in v, which cost more than all else, only if wanted.
  void add_slopes(const LawPairs& pairs, Array weight, bool in_v, Slopes& sum) const;

 private:
  // The weight of the pairs of exact points, which is taken out of `weight`.
  static Matrix taken_out(const std::vector<Index>& points, Array& weight);

  Array log_slope(const LawPairs& pairs, Index g, double scale) const;
  void add_box_slopes(const LawPairs& pairs, Index c, const Array& wide2, const Array& value, bool in_v,
                      Slopes& sum) const;
  std::vector<Index> point_pairs(const LawPairs& pairs) const;
  Rows differences(const LawPairs& pairs, const std::vector<Index>& rows) const { return pairs.delta(rows, columns_); }

  Stationary kernel_;
  std::vector<Index> columns_;
};

// variance * product of groups; no groups: white.
struct Term {
  double variance;
  std::vector<Group> groups;

  Index parameters() const;
  Array expectation(const LawPairs& pairs) const;
  Vector pull_back(const LawPairs& pairs, const Array& weight) const;  // in log variance, then group by group
  void add_slopes(const LawPairs& pairs, const Array& weight, bool in_v, Slopes& sum) const;

 private:
  // weight * variance * all groups but one: what multiplies that one's derivative.
  Array others(const LawPairs& pairs, const Array& weight, std::size_t left_out) const;
};

// The kernel as a sum of terms whose parameters stand in the order of kernel.log_parameters().
std::vector<Term> terms_of(const Kernel& kernel);

}  // namespace iqbo
