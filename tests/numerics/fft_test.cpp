// Against the sums that define the transform, in extended precision.
#include "numerics/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "iqbo/core/rng.hpp"

namespace iqbo::internal {
namespace {

using Values = std::vector<std::complex<double>>;

Values random_values(Index n, Rng& rng) {
  Values out;
  for (Index i = 0; i < n; ++i) {
    const double real = rng.normal();
    out.emplace_back(real, rng.normal());
  }
  return out;
}

// sum_j v_j exp(-2 pi i j.k / n) for every k.
Values transformed(const Values& v, const std::vector<Index>& sizes) {
  const auto n = static_cast<Index>(v.size());
  Values out;
  for (Index k = 0; k < n; ++k) {
    std::complex<long double> sum = 0.0L;
    for (Index j = 0; j < n; ++j) {
      long double turns = 0.0L;
      for (Index c = static_cast<Index>(sizes.size()) - 1, a = j, b = k; c >= 0; --c) {
        const Index size = sizes[static_cast<std::size_t>(c)];
        turns += static_cast<long double>((a % size) * (b % size) % size) / static_cast<long double>(size);
        a /= size;
        b /= size;
      }
      sum += std::complex<long double>(v[static_cast<std::size_t>(j)]) *
             std::polar(1.0L, -2.0L * std::numbers::pi_v<long double> * turns);
    }
    out.emplace_back(sum);
  }
  return out;
}

double distance(const Values& a, const Values& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(Fft, IsTheSumThatDefinesIt) {
  Rng rng(1);
  for (const std::vector<Index>& sizes : std::vector<std::vector<Index>>{
           {1}, {2}, {3}, {4}, {5}, {60}, {64}, {12, 1}, {1, 15}, {9, 20}, {4, 3, 10}, {25, 8}}) {
    const Fft fft(sizes);
    const Values before = random_values(fft.size(), rng);
    Values values = before;
    fft.forward(values.data());
    EXPECT_LT(distance(values, transformed(before, sizes)), 1e-12) << sizes.front() << " x ... " << sizes.back();
    fft.inverse(values.data());
    for (auto& each : values) each /= static_cast<double>(fft.size());
    EXPECT_LT(distance(values, before), 1e-14);
  }
}

TEST(Fft, SkipsZeroLinesAndUnwantedOnes) {
  Rng rng(2);
  const std::vector<Index> sizes{10, 12};
  const Fft fft(sizes);
  Values values(static_cast<std::size_t>(fft.size()));
  for (std::size_t i = 24; i < 48; ++i) values[i] = {rng.normal(), rng.normal()};
  const Values expected = transformed(values, sizes);
  const Values before = values;
  fft.forward(values.data());
  EXPECT_LT(distance(values, expected), 1e-12);
  std::vector<bool> wanted(10, false);
  wanted[2] = wanted[7] = true;
  fft.inverse(values.data(), wanted);
  for (const std::size_t line : {2U, 7U})
    for (std::size_t i = 12 * line; i < 12 * line + 12; ++i) EXPECT_LT(std::abs(values[i] / 120.0 - before[i]), 1e-14);
}

TEST(Fft, RefusesLargePrimes) {
  EXPECT_THROW(Fft({14}), std::invalid_argument);
  EXPECT_EQ(smooth_size(14), 15);
  EXPECT_EQ(smooth_size(1024), 1024);
  EXPECT_EQ(smooth_size(1), 1);
}

}  // namespace
}  // namespace iqbo::internal
