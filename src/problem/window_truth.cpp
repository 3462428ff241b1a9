#include "window_truth.hpp"

#include <utility>

namespace iqbo {

WindowTruth::WindowTruth(Expansion f, SpreadConditional window, InputBox box, std::optional<Truncation> truncation)
    : f_(std::move(f)), window_(std::move(window)), box_(std::move(box)), truncation_(truncation) {}

Vector WindowTruth::g(const Queries& a) const {
  const SpreadLaws laws = window_.spread_laws(a);
  return truncation_ ? f_.average(cut_laws(laws, box_, *truncation_)) : f_.average(laws);
}

Inputs WindowTruth::sample(const Queries& a, Rng& rng) const {
  const SpreadLaws laws = window_.spread_laws(a);
  Rows x = laws.centre;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index c = 0; c < x.cols(); ++c) {
      const auto draw = [&] {
        const double offset = laws.half_width(i, c) > 0.0 ? laws.half_width(i, c) * (2.0 * rng.uniform() - 1.0)
                                                          : laws.sd(i, c) * rng.normal();
        return laws.centre(i, c) + offset;
      };
      x(i, c) = draw();
      // The centre lies in the box: about a quarter of the draws or more, in each coordinate, do so too.
      while (truncation_ == Truncation::kRenormalise && (x(i, c) < box_.lower()[c] || x(i, c) > box_.upper()[c]))
        x(i, c) = draw();
    }
  Inputs out(std::move(x));
  return truncation_ == Truncation::kClip ? box_.clipped(out) : out;
}

std::shared_ptr<const Conditional> window_conditional(const GaussianConditional& window, const InputBox& box,
                                                      std::optional<Truncation> truncation) {
  if (!truncation) return window.clone();
  return TruncatedConditional(window, box, *truncation).clone();
}

}  // namespace iqbo
