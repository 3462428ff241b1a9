// f seen through Gaussian or box windows around mu(a).
#pragma once

#include <memory>
#include <optional>

#include "expansion.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/problem/problem.hpp"

namespace iqbo {

class WindowTruth final : public Truth {
 public:
  // Only Gaussian windows can be truncated here; their centres must lie in the box.
  WindowTruth(Expansion f, SpreadConditional window, InputBox box, std::optional<Truncation> truncation);

  Vector f(const Inputs& x) const override { return f_.at(x); }
  Vector g(const Queries& a) const override;
  Inputs sample(const Queries& a, Rng& rng) const override;

 private:
  Expansion f_;
  SpreadConditional window_;
  InputBox box_;
  std::optional<Truncation> truncation_;
};

// p(x|a) as a policy may know it.
std::shared_ptr<const Conditional> window_conditional(const GaussianConditional& window, const InputBox& box,
                                                      std::optional<Truncation> truncation);

}  // namespace iqbo
