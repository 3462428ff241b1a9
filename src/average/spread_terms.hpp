// Kernels under pairs of SpreadLaws, as sums of products of parts over groups of columns.
//
// One coordinate of X - Y, for X = centre + sd N + w U and Y likewise, is delta + sqrt(sd^2 + sd'^2) N + w U + w' U'.
// The normal part widens the lengthscale l of an RBF, and the boxes are left to numerics/box_rbf.hpp:
//
//   E exp(-(X - Y)^2 / (2 l^2)) = l / L * box_rbf(delta / L, w / L, w' / L),    L^2 = l^2 + sd^2 + sd'^2
//
// Coordinates are independent, so an RBF over several is the product. A radial part over a group of columns is a
// mixture over scales of such products; an AxisPart is one product of cosine series (series_average.hpp). A Product
// kernel multiplies groups, a Sum adds terms.
#pragma once

#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/stationary_part.hpp"
#include "law_pairs.hpp"
#include "series_average.hpp"

namespace iqbo {

// Derivatives of averages, pair by pair, in delta, in sd^2 + sd'^2 and in the second half-width v.
struct Slopes {
  Columns delta, var, v;

  explicit Slopes(const LawPairs& pairs)
      : delta(Columns::Zero(pairs.size(), pairs.delta.cols())), var(delta), v(delta) {}
};

// A stationary part on some of the columns: a mixture over components s of products over the columns. A radial part has
// one component per scale, an AxisPart a single one.
class Group {
 public:
  explicit Group(const KernelTerm::Factor& factor);  // refuses a part that has no average under windows

  Index size() const { return static_cast<Index>(columns_.size()); }
  Index column(Index g) const { return columns_[static_cast<std::size_t>(g)]; }
  Index parameters() const { return size() + part_->shape().size(); }
  const StationaryPart& part() const { return *part_; }

  const Vector& weights() const;                  // of the components
  double squared_length(Index g, Index s) const;  // of a radial part: column g in component s

  // A single RBF, which is also exact for pairs of exact points; mixtures and series only approximate those.
  bool is_rbf() const { return mixture_ != nullptr && mixture_->weight.size() == 1; }

  // The first component that matters where coordinate g has variance least_var[g] or more: narrow RBFs average out.
  Index first_component(const Array& least_var) const;
  Index first_component(const SpreadLaws& left, const SpreadLaws& right) const;  // for all pairs of these laws

  // The expectation of component s along column g alone; that must be the only column of `pairs`. A mixture also gives
  // the slope of its logarithm in the log lengthscale, unless `log_slope` (one column) is null.
  void factor(Index g, const LawPairs& pairs, Index s, Array& out, Columns* log_slope = nullptr) const;

  // Adds component s to the slopes in the shape of a mixture; log_slope has one column for each of the group's.
  void add_shape_slopes(Index s, const Array& value, const Columns& log_slope, Columns& slope) const;

  // The averages and, on request, their slopes in the logarithms of the part's parameters, one column each. Pairs of
  // exact points have slopes of 0 here: pull_back() adds theirs.
  struct Averages {
    Array value;
    Columns slope;
  };
  Averages averages(const LawPairs& pairs, bool with_slopes) const;
  Array expectation(const LawPairs& pairs) const { return averages(pairs, false).value; }

  // sum_i weight_i d value_i / dlog parameter, given averages(pairs, true).
  Vector pull_back(const LawPairs& pairs, const Averages& averages, Array weight) const;

  // Adds weight_i times the slopes of expectation_i; those in v, which cost more than all the rest, only if in_v.
  void add_slopes(const LawPairs& pairs, Array weight, bool in_v, Slopes& sum) const;

 private:
  // The weight of the pairs of exact points, which is removed from `weight`.
  static Matrix taken_out(const std::vector<Index>& points, Array& weight);

  // For each pair the first component that matters to its average, or to its slopes. Empty where there are no boxes.
  std::vector<Index> first_components(const LawPairs& pairs, bool for_slopes) const;

  // The expectation of component s of a radial part; 0 for pairs whose `first` component is a later one.
  void rbf(const LawPairs& pairs, Index s, const std::vector<Index>& first, Array& out,
           Columns* log_slope = nullptr) const;
  void add_mixture(const LawPairs& pairs, Averages& sum) const;
  void add_series(const LawPairs& pairs, Averages& sum) const;

  void add_box_slopes(const LawPairs& pairs, Index c, const Array& wide2, const Array& value, bool in_v,
                      Slopes& sum) const;
  void add_mixture_slopes(const LawPairs& pairs, const Array& weight, bool in_v, Slopes& sum) const;

  // For each column: its series under the pairs, with all slopes, times the series of the other columns.
  std::vector<SeriesSlopes> series_slopes(const LawPairs& pairs, bool in_v) const;

  std::vector<Index> point_pairs(const LawPairs& pairs) const;
  Rows differences(const LawPairs& pairs, const std::vector<Index>& rows) const { return pairs.delta(rows, columns_); }

  std::shared_ptr<const StationaryPart> part_;
  std::vector<Index> columns_;
  const ScaleMixture* mixture_;       // of a radial part,
  std::vector<CosineSeries> series_;  // or the series along each column
};

// variance * product of groups; a term without groups is white.
struct Term {
  double variance;
  std::vector<Group> groups;

  struct Averages {
    Array value;
    std::vector<Group::Averages> group;
  };

  Index parameters() const;
  Averages averages(const LawPairs& pairs, bool with_slopes) const;
  Averages averages(const LawPairs& pairs, std::vector<Group::Averages> group) const;  // given those of the groups
  Array expectation(const LawPairs& pairs) const { return averages(pairs, false).value; }

  // In log variance, then group by group, given averages(pairs, true).
  Vector pull_back(const LawPairs& pairs, const Averages& averages, const Array& weight) const;
  void add_slopes(const LawPairs& pairs, const Array& weight, bool in_v, Slopes& sum) const;

 private:
  // weight * variance * all groups but `left_out`: the multiplier of that group's derivative.
  Array others(const LawPairs& pairs, const Array& weight, std::size_t left_out) const;
};

// The kernel as a sum of terms, whose parameters are in the order of kernel.log_parameters().
std::vector<Term> terms_of(const Kernel& kernel);

bool has_average(const StationaryPart& part);  // under windows
bool has_average(const Kernel& kernel);        // likewise: all its parts have one, and no term is opaque

}  // namespace iqbo
