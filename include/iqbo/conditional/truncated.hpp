// A Gaussian or uniform window confined to the box that X lives in.
//
//   kClip         mass that falls outside is moved to the nearest face: X = clip(X0)
//   kRenormalise  X = X0 given that it falls inside; p(x|a) is cut off and scaled up
//
// Coordinates stay independent, so each is integrated by its own Gauss rule for the cut density (exact for polynomials
// of degree 2 nodes - 1), with atoms on the two faces when clipping. An average between two queries is then
// d (nodes + 2)^2 exponentials with Rbf, as many for each scale of a Matern's mixture, in any dimension. Your own
// kernels and means that are not affine are summed over the grid of (nodes + 2)^d points; more than 25,000 is refused.
//
// Error of q and c relative to the variance with the default 10 nodes, l in units of the window's sd (or half-width for a
// box), measured against closed forms deep inside the domain: RBF 1e-9 from l = 2 sd, 2e-5 at l = sd, 6e-2 at l = 0.3 sd;
// rough kernels converge slowly: Matern52 2e-3 and Matern12 4e-2 at l = sd. Short lengthscales need more nodes.
//
// Gradients in a are differences of these averages; they have a kink where the edge of a uniform window meets a face.
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

  // Throws std::invalid_argument for kRenormalise if a window has no mass inside.
  Laws laws(const Queries& a) const override;

 private:
  TruncatedConditional(SpreadConditional window, InputBox domain, Truncation truncation, int nodes);

  SpreadConditional window_;
  InputBox domain_;
  Truncation truncation_;
  int nodes_;
};

}  // namespace iqbo
