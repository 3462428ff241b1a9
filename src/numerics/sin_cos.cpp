#include "sin_cos.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace iqbo::internal {
namespace {

constexpr double kReach = 1e5;
constexpr double kRounder = 0x1.8p52;  // adding it rounds to an integer, whose bits are then the last ones of the sum

// pi/2 = kFirst + kSecond + kThird; the first two have 33 bits, so that their products with k are exact.
constexpr double kFirst = 0x1.921fb544p+0;
constexpr double kSecond = 0x1.0b4611a6p-34;
constexpr double kThird = 0x1.3198a2e037073p-69;

// After the first term: r^3 (-1/3! + r^2/5! - ...), r^2 (-1/2! + r^2/4! - ...). What is left out is below 5e-17.
double sine(double r, double r2) {
  double sum = -1.0 / 1307674368000.0;
  sum = sum * r2 + 1.0 / 6227020800.0;
  sum = sum * r2 - 1.0 / 39916800.0;
  sum = sum * r2 + 1.0 / 362880.0;
  sum = sum * r2 - 1.0 / 5040.0;
  sum = sum * r2 + 1.0 / 120.0;
  sum = sum * r2 - 1.0 / 6.0;
  return r + r * r2 * sum;
}

double cosine(double r2) {
  double sum = 1.0 / 20922789888000.0;
  sum = sum * r2 - 1.0 / 87178291200.0;
  sum = sum * r2 + 1.0 / 479001600.0;
  sum = sum * r2 - 1.0 / 3628800.0;
  sum = sum * r2 + 1.0 / 40320.0;
  sum = sum * r2 - 1.0 / 720.0;
  sum = sum * r2 + 1.0 / 24.0;
  sum = sum * r2 - 0.5;
  return 1.0 + r2 * sum;
}

void near_zero(Index n, const double* x, double* sin, double* cos) {
  for (Index i = 0; i < n; ++i) {
    const double rounded = x[i] * (2.0 / std::numbers::pi) + kRounder;
    const double k = rounded - kRounder;
    const auto bits = std::bit_cast<std::uint64_t>(rounded);
    const double r = ((x[i] - k * kFirst) - k * kSecond) - k * kThird;
    const double r2 = r * r;
    const double s = sine(r, r2);
    const double c = cosine(r2);
    const bool odd = (bits & 1U) != 0;
    const std::uint64_t sin_sign = (bits & 2U) << 62U;
    const std::uint64_t cos_sign = ((bits + 1U) & 2U) << 62U;
    sin[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(odd ? c : s) ^ sin_sign);
    cos[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(odd ? s : c) ^ cos_sign);
  }
}

}  // namespace

SinCos sin_cos(const Matrix& x) {
  SinCos out{Matrix(x.rows(), x.cols()), Matrix(x.rows(), x.cols())};
  if (x.size() == 0) return out;
  if (x.cwiseAbs().maxCoeff() <= kReach) {
    near_zero(x.size(), x.data(), out.sin.data(), out.cos.data());
  } else {
    out.sin = x.array().sin();
    out.cos = x.array().cos();
  }
  return out;
}

}  // namespace iqbo::internal
