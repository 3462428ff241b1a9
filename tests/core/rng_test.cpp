#include "iqbo/core/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

using Block = std::array<std::uint64_t, 4>;

// Oracle: Philox4x64-10 written from the paper [Salmon11], checked below on Random123's published vectors.
Block philox_by_the_book(Block c, std::uint64_t k0, std::uint64_t k1) {
  __extension__ using Wide = unsigned __int128;
  for (int round = 0; round < 10; ++round) {
    const Wide p = static_cast<Wide>(c[0]) * 0xD2E7470EE14C6C93U;
    const Wide q = static_cast<Wide>(c[2]) * 0xCA5A826395121157U;
    c = {static_cast<std::uint64_t>(q >> 64U) ^ c[1] ^ k0, static_cast<std::uint64_t>(q),
         static_cast<std::uint64_t>(p >> 64U) ^ c[3] ^ k1, static_cast<std::uint64_t>(p)};
    k0 += 0x9E3779B97F4A7C15U;
    k1 += 0xBB67AE8584CAA73BU;
  }
  return c;
}

Block first_block(Rng rng) { return {rng(), rng(), rng(), rng()}; }

// The chance of `statistic` or more under the Kolmogorov law; the n of the test are far in its asymptotic range.
double kolmogorov_smirnov(std::vector<double> sample, const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(sample[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, p - rank / n, (rank + 1) / n - p});
  }
  double chance = 0;
  for (int k = 1; k <= 100; ++k) chance += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * n * std::pow(k * distance, 2));
  return chance;
}

// The chance of a chi-square as large or larger, all cells being equally likely.
double chi_square(const std::vector<int>& count) {
  double total = 0;
  for (const int c : count) total += c;
  const double expected = total / static_cast<double>(count.size());
  double statistic = 0;
  for (const int c : count) statistic += std::pow(c - expected, 2) / expected;
  return boost::math::gamma_q(0.5 * static_cast<double>(count.size() - 1), 0.5 * statistic);
}

TEST(Rng, OracleMeetsThePublishedVectors) {
  EXPECT_EQ(philox_by_the_book({}, 0, 0),
            (Block{0x16554d9eca36314cU, 0xdb20fe9d672d0fdcU, 0xd7e772cee186176bU, 0x7e68b68aec7ba23bU}));
  constexpr std::uint64_t kOnes = 0xffffffffffffffffU;
  EXPECT_EQ(philox_by_the_book({kOnes, kOnes, kOnes, kOnes}, kOnes, kOnes),
            (Block{0x87b092c3013fe90bU, 0x438c3c67be8d0224U, 0x9cc7d7c69cd777b6U, 0xa09caebf594f0ba0U}));
  EXPECT_EQ(philox_by_the_book({0x243f6a8885a308d3U, 0x13198a2e03707344U, 0xa4093822299f31d0U, 0x082efa98ec4e6c89U},
                               0x452821e638d01377U, 0xbe5466cf34e90c6cU),
            (Block{0xa528f45403e61d95U, 0x38c72dbd566e9788U, 0xa5a1610e72fd18b5U, 0x57bd43b5e52b7fe6U}));
}

TEST(Rng, StartsWithThePublishedVector) {
  EXPECT_EQ(first_block(Rng(0)),
            (Block{0x16554d9eca36314cU, 0xdb20fe9d672d0fdcU, 0xd7e772cee186176bU, 0x7e68b68aec7ba23bU}));
}

TEST(Rng, IsPhiloxInCounterOrder) {
  for (const std::uint64_t seed : {0ULL, 1ULL, 42ULL, 0xfedcba9876543210ULL}) {
    Rng rng(seed);
    for (std::uint64_t counter = 0; counter < 20; ++counter)
      for (const std::uint64_t want : philox_by_the_book({counter, 0, 0, 0}, seed, 0))
        EXPECT_EQ(rng(), want) << "seed " << seed << ", block " << counter;
  }
}

// Studies on disk are replayed from their seeds: these numbers may never change.
TEST(Rng, StreamsAreTheSameForEver) {
  EXPECT_EQ(first_block(Rng(7, {1, 2})),
            (Block{0x433b109b08f338cbU, 0xa772a355d13cc0f3U, 0x9632a39eef4c88bcU, 0x700d7049f01f0fcaU}));
  EXPECT_EQ(first_block(Rng(7, {0})),
            (Block{0x4946ef12dd388cf2U, 0x01ca89fdd8e6e9a1U, 0xef7fa3273610cb1cU, 0xb0d8379418c0743bU}));
}

TEST(Rng, NormalsAreTheSameForEver) {
  const Vector want{{-1.2717300090781547, -0.33162536876930176, 0.41141331049851165, -1.1254540412409895}};
  EXPECT_TRUE(Rng(7).normals(4).isApprox(want, kRounding)) << Rng(7).normals(4).transpose();
}

TEST(Rng, SameKeySameNumbers) {
  Rng one(3, {5, 8});
  Rng two(3, {5, 8});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(one(), two());
  EXPECT_EQ(one.normals(50), two.normals(50));
  EXPECT_EQ(one.uniforms(5, 4), two.uniforms(5, 4));
}

TEST(Rng, CopyGoesOnWhereTheOriginalWas) {
  Rng rng(3);
  rng();
  Rng copy = rng;
  EXPECT_EQ(rng(), copy());
}

TEST(Rng, DifferentKeysShareNothing) {
  const std::vector<Rng> all{Rng(0),         Rng(1),         Rng(0, {0}),    Rng(0, {1}),    Rng(1, {0}),
                             Rng(0, {0, 0}), Rng(0, {1, 2}), Rng(0, {2, 1}), Rng(0, {0, 1}), Rng(0, {1, 0})};
  std::vector<std::uint64_t> drawn;
  for (Rng rng : all)
    for (int i = 0; i < 1000; ++i) drawn.push_back(rng());
  std::sort(drawn.begin(), drawn.end());  // 10,000 of 2^64: equal ones by chance once in 4e11 times
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
}

// Streams are counted 0, 1, 2, ...: neighbours must be as independent as draws of one stream.
TEST(Rng, FirstDrawsOfNeighbouringStreamsAreUniform) {
  std::vector<double> sample;
  for (std::uint64_t trial = 0; trial < 20000; ++trial) sample.push_back(Rng(11, {trial, 3}).uniform());
  EXPECT_GT(kolmogorov_smirnov(sample, [](double u) { return u; }), kFalseAlarm);
  for (std::size_t i = 0; i + 1 < sample.size(); ++i) sample[i] = std::fmod(sample[i + 1] - sample[i] + 1, 1.0);
  sample.pop_back();
  EXPECT_GT(kolmogorov_smirnov(sample, [](double u) { return u; }), kFalseAlarm);
}

TEST(Rng, UniformIsStrictlyInside) {
  Rng rng(1);
  for (int i = 0; i < 1000000; ++i) {
    const double u = rng.uniform();
    ASSERT_TRUE(u > 0 && u < 1) << u;
  }
}

// The 2^52 values lie in the middles of equal cells, so that the ends are half a cell away.
TEST(Rng, UniformIsTheMiddleOfTheCellOfItsBits) {
  Rng one(1);
  Rng two(1);
  for (int i = 0; i < 10000; ++i) {
    const long double where = static_cast<long double>(one()) * 0x1p-64L;
    ASSERT_LE(std::abs(two.uniform() - where), 0x1p-53L) << i;
  }
}

TEST(Rng, UniformIsUniform) {
  for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL}) {
    Rng rng(seed);
    std::vector<double> sample(100000);
    for (double& u : sample) u = rng.uniform();
    EXPECT_GT(kolmogorov_smirnov(sample, [](double u) { return u; }), kFalseAlarm) << "seed " << seed;
  }
}

TEST(Rng, NormalIsNormal) {
  for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL}) {
    const Vector z = Rng(seed).normals(100000);
    EXPECT_GT(kolmogorov_smirnov({z.begin(), z.end()}, [](double t) { return 0.5 * std::erfc(-t / std::sqrt(2.0)); }),
              kFalseAlarm)
        << "seed " << seed;
  }
}

TEST(Rng, SuccessiveNormalsAreIndependent) {
  const Vector z = Rng(4).normals(200000);
  std::vector<double> angle;  // of independent normal pairs: uniform
  for (Index i = 0; i < z.size(); i += 2) angle.push_back(std::atan2(z[i], z[i + 1]) / (2 * M_PI) + 0.5);
  EXPECT_GT(kolmogorov_smirnov(angle, [](double u) { return u; }), kFalseAlarm);
}

TEST(Rng, UniformsFillRowAfterRow) {
  Rng one(9);
  Rng two(9);
  const Rows block = one.uniforms(3, 2);
  ASSERT_EQ(block.rows(), 3);
  ASSERT_EQ(block.cols(), 2);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 2; ++j) EXPECT_EQ(block(i, j), two.uniform());
}

TEST(Rng, BelowFavoursNoValue) {
  for (const Index n : {2, 3, 7, 64, 100}) {
    Rng rng(5);
    std::vector<int> count(static_cast<std::size_t>(n), 0);
    for (int i = 0; i < 100000; ++i) ++count.at(static_cast<std::size_t>(rng.below(n)));
    EXPECT_GT(chi_square(count), kFalseAlarm) << n;
  }
}

// 3 * 2^61 goes 2.67 times into 2^64: without rejection the upper third would come two times in eight, not in three.
TEST(Rng, BelowFavoursNoValueOfALongRange) {
  constexpr Index kThird = Index{1} << 61;
  Rng rng(6);
  std::vector<int> count(3, 0);
  for (int i = 0; i < 100000; ++i) ++count.at(static_cast<std::size_t>(rng.below(3 * kThird) / kThird));
  EXPECT_GT(chi_square(count), kFalseAlarm);
}

TEST(Rng, BelowOneIsZero) {
  Rng rng(5);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(rng.below(1), 0);
}

TEST(Rng, BelowRefusesAnEmptyRange) {
  Rng rng(5);
  expect_refusal([&] { rng.below(0); }, {"n: is 0, expected at least 1"});
  expect_refusal([&] { rng.below(-4); }, {"n: is -4, expected at least 1"});
  EXPECT_EQ(rng(), Rng(5)());  // nothing was drawn
}

}  // namespace
}  // namespace iqbo::test
