// A Gaussian or uniform window confined to the box that X lives in.
//
//   kClip         mass that falls outside is put on the nearest face: X = clip(X0)
//   kRenormalise  X = X0 given that it falls inside; p(x|a) is cut off and scaled up
//
// Coordinates stay independent, so each is integrated by its own Gauss rule for the cut density (exact for polynomials
// of degree 2 nodes - 1), with atoms on the two faces when clipping; a query has at most (nodes + 2)^d weighted points.
// With kernels at least as wide as the window, 10 nodes give g to about 1e-8 of sd(f).
#pragma once

#include "iqbo/conditional/spread.hpp"
#include "iqbo/space/box.hpp"

namespace iqbo {

enum class Truncation { kClip, kRenormalise };

class TruncatedConditional final : public Conditional {
 public:
  static constexpr int kNodes = 10;

  TruncatedConditional(const GaussianConditional& window, InputBox domain, Truncation truncation, int nodes = kNodes);
  TruncatedConditional(const UniformConditional& window, InputBox domain, Truncation truncation, int nodes = kNodes);

  std::shared_ptr<const Conditional> clone() const override;
  Index input_dimension() const override { return window_.input_dimension(); }
  Index query_dimension() const override { return window_.query_dimension(); }

  // Throws std::invalid_argument if renormalising a window that has no mass inside.
  Laws laws(const Queries& a) const override;

 private:
  TruncatedConditional(SpreadConditional window, InputBox domain, Truncation truncation, int nodes);

  SpreadConditional window_;
  InputBox domain_;
  Truncation truncation_;
  int nodes_;
};

}  // namespace iqbo
