// Averages of a radial kernel under windows of one size, wherever they lie.
//
// Per scale of the kernel's mixture an average is a product over coordinates (spread_terms.hpp). If all left laws are equally wide
// along an axis, and all right ones are, a factor is a function of the distance of their centres alone, smooth but for where
// edges of boxes meet. It is interpolated by polynomials on pieces, which are halved until the error, summed over the scales with
// their weights, is below kError: a few multiplications instead of four error functions.
#pragma once

#include <optional>
#include <vector>

#include "spread_terms.hpp"

namespace iqbo {

class EvenWindows {
 public:
  static constexpr double kError = 3e-13;  // per axis, of the variance; the mixture itself is good to 5e-12

  // Nothing where widths differ, where there are few pairs or one scale, or for pairs of two exact points, which a mixture
  // only approximates.
  static std::optional<EvenWindows> of(const Group& group, const SpreadLaws& left, const SpreadLaws& right);

  Array column(Index j);  // every left law with right law j

 private:
  // The factors along one axis. Left laws are taken in blocks, and within a block in order of their centres, so that those on
  // one piece stand next to each other.
  class Axis {
   public:
    Axis(const Group& group, Index g, const SpreadLaws& left, const SpreadLaws& right, Index first);

    bool is_fine() const { return fine_; }  // the error was reached
    void weigh(const Vector& weight) { coefficient_.topRows(weight.size()).array().colwise() *= weight.array(); }

    void look_at(Index begin, Index end, Index j);  // left laws begin to end, and right law j
    auto factors(Index i) const { return factor_.col(rank_[static_cast<std::size_t>(i)]); }  // of left law i, by scale

   private:
    void interpolate(const Group& group, Index g, const SpreadLaws& left, const SpreadLaws& right, Index first);
    void sort(const Array& left);

    Array left_, right_;           // centres; left ones sorted within blocks
    std::vector<Index> rank_;      // where each left law stands in its block
    std::vector<double> from_;     // where pieces begin; the last number is where they end
    std::vector<double> inverse_;  // of their lengths
    Matrix coefficient_;  // a row for each scale, and zeros up to a multiple of kLane; kTerms columns for each piece
    Matrix factor_;       // of the block that is looked at
    bool fine_ = true;
  };
  EvenWindows(std::vector<Axis> axes, Index lefts) : axes_(std::move(axes)), lefts_(lefts) {}

  std::vector<Axis> axes_;  // the weights of the scales are in the first
  Index lefts_;
};

}  // namespace iqbo
