// LawGram for windows and exact points: averages of stationary kernels, pair by pair of laws.
//
// Such an average depends on the distances of the two centres along the axes and on the widths. Pairs that agree in
// these are alike, and one of them is computed for all: the windows of a grid, a list or a tree have few kinds of
// pairs. Windows of few sizes that are scattered in one or two dimensions have many, which are interpolated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "law_gram.hpp"
#include "pair_interpolation.hpp"
#include "spread_terms.hpp"

namespace iqbo::internal {

// Averages of many pairs at once. Boxes that share coordinates have few kinds of pairs along an axis; there the factors
// of a mixture, which cost several error functions each, are tabulated.
class PairAverages {
 public:
  // grids: if there are any, all pairs form grids, in this order.
  explicit PairAverages(const LawPairs& pairs, std::vector<PairGrid> grids = {});

  struct Under {
    std::vector<Term> terms;
    Array value;                                        // of each pair
    std::vector<std::vector<Term::Averages>> averages;  // by term and block, for pull_back()
  };
  Under under(const Kernel& kernel, bool with_slopes) const;
  Vector pull_back(const Under& at, const Array& weight) const;  // one weight for each pair

 private:
  // The pairs along one axis, of which `kind` says for each pair which one it is.
  struct Axis {
    LawPairs pairs;  // they have a single column
    std::vector<std::int32_t> kind;
  };
  struct Table;
  bool tabulates(const Group& group) const;

  Index size_;
  std::vector<PairGrid> grids_;
  std::vector<LawPairs> blocks_;  // the pairs: a grid, or some of them, at a time
  std::vector<Index> begin_;      // of each block
  std::vector<Axis> axes_;        // by column; empty unless tables pay
};

class WindowGram {
 public:
  explicit WindowGram(const SpreadLaws& laws);  // at least one

  LawGram::Under under(const Kernel& kernel, bool with_gradient) const;  // needs has_average(kernel)

 private:
  struct Kinds {
    std::vector<std::int32_t> kind;  // of pair (i, j), i >= j, column by column
    LawPairs pairs;                  // one of each kind
  };
  static Kinds kinds_of(const SpreadLaws& laws);
  WindowGram(Index size, Kinds kinds);

  // Most kinds of pairs from interpolation. Those at distance 0, which matter most and where a rough kernel is roughest,
  // are computed.
  struct Interpolated {
    std::vector<Index> far, same;  // kinds of pairs
    PairInterpolation interpolation;
    PairAverages at_nodes, at_same;
  };
  static std::optional<Interpolated> interpolated(const LawPairs& kinds);
  std::optional<LawGram::Under> by_interpolation(const Kernel& kernel, bool with_gradient) const;

  Matrix covariance(const Array& value) const;
  Array totals(const Matrix& weight) const;  // over the pairs of each kind

  Index size_, kinds_;
  std::vector<std::int32_t> kind_;
  PairAverages averages_;  // of the kinds of pairs
  std::optional<Interpolated> interpolated_;
};

}  // namespace iqbo::internal
