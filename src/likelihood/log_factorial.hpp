// log y!, which densities need at many g for one y.
#pragma once

#include <array>
#include <cmath>

namespace iqbo::internal {

inline double log_factorial(double y) {
  constexpr std::size_t kListed = 512;
  static const std::array<double, kListed> listed = [] {
    std::array<double, kListed> out{};
    for (std::size_t i = 0; i < kListed; ++i) out[i] = std::lgamma(static_cast<double>(i) + 1.0);
    return out;
  }();
  return y < static_cast<double>(kListed) ? listed[static_cast<std::size_t>(y)] : std::lgamma(y + 1.0);
}

}  // namespace iqbo::internal
