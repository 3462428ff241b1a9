// Gradients without calculus: central differences at step, step / 2 and step / 4, extrapolated twice (Richardson). The
// error is O(step^6), so steps may be large enough for rounding not to matter. Accurate to kFiniteDifference.
#pragma once

#include <functional>

#include "iqbo/core/matrix.hpp"

namespace iqbo::contracts {

// `step` should be about a hundredth of the length over which f varies, in every coordinate.
inline Vector finite_difference(const std::function<double(const Vector&)>& f, const Vector& at, double step = 1e-2) {
  Vector gradient(at.size());
  for (Index i = 0; i < at.size(); ++i) {
    const auto central = [&](double h) {
      Vector ahead = at;
      Vector behind = at;
      ahead[i] += h;
      behind[i] -= h;
      return (f(ahead) - f(behind)) / (ahead[i] - behind[i]);  // the step as rounded
    };
    const double coarse = central(step);
    const double middle = central(step / 2);
    const double fine = central(step / 4);
    const double first = (4 * middle - coarse) / 3;
    const double second = (4 * fine - middle) / 3;
    gradient[i] = (16 * second - first) / 15;
  }
  return gradient;
}

}  // namespace iqbo::contracts
