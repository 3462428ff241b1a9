// Averages of a radial kernel under windows of equal size, wherever they lie.
//
// For each scale of the kernel's mixture an average is a product over coordinates (spread_terms.hpp). If all left laws
// are equally wide along an axis, and all right ones too, a factor depends only on the distance of the centres,
// smoothly but for where box edges meet. It is interpolated by polynomials on pieces, which are halved until the error,
// summed over the scales with their weights, is below kError: a few multiplications replace four error functions.
#pragma once

#include <optional>
#include <vector>

#include "spread_terms.hpp"

namespace iqbo {

class EvenWindows {
 public:
  static constexpr double kError = 3e-13;  // per axis, of the variance; the mixture itself is good to 5e-12

  // Empty if widths differ, if there are few pairs or only one scale, or if all laws are exact points, between which a
  // mixture is only approximate.
  static std::optional<EvenWindows> of(const Group& group, const SpreadLaws& left, const SpreadLaws& right);

  Array column(Index j);  // every left law paired with right law j

 private:
  // The factors along one axis. Left laws are processed in blocks, sorted by centre within a block, so that those on
  // the same piece are next to each other.
  class Axis {
   public:
    Axis(const Group& group, Index g, const SpreadLaws& left, const SpreadLaws& right, Index first);

    bool is_fine() const { return fine_; }  // the pieces reach kError
    void weigh(const Vector& weight) { coefficient_.topRows(weight.size()).array().colwise() *= weight.array(); }

    void look_at(Index begin, Index end, Index j);  // left laws begin to end, and right law j
    auto factors(Index i) const { return factor_.col(rank_[static_cast<std::size_t>(i)]); }  // of left law i, by scale

   private:
    void interpolate(const Group& group, Index g, const SpreadLaws& left, const SpreadLaws& right, Index first);
    void sort(const Array& left);

    Array left_, right_;           // centres; left ones sorted within blocks
    std::vector<Index> rank_;      // position of each left law in its block
    std::vector<double> from_;     // where pieces begin; the last number is where the last one ends
    std::vector<double> inverse_;  // of their lengths
    Matrix coefficient_;           // one row per scale, and zeros up to a multiple of kLane; kTerms columns per piece
    Matrix factor_;                // of the current block
    bool fine_ = true;
  };
  EvenWindows(std::vector<Axis> axes, Index lefts) : axes_(std::move(axes)), lefts_(lefts) {}

  std::vector<Axis> axes_;  // the first axis includes the weights of the scales
  Index lefts_;
};

}  // namespace iqbo
