// Random numbers that can be replayed from any step.
//
// A counter-based generator (Philox4x64-10 of Salmon et al. 2011) keyed by a seed and a stream. Two generators with the
// same key give the same numbers on every platform; two with different keys are independent. A study draws the noise of
// trial 7 from Rng(seed, {7, purpose}) without having drawn trials 0 to 6.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

class Rng {
 public:
  using result_type = std::uint64_t;

  // `stream` tells apart the uses of one seed: {trial, purpose, ...}.
  explicit Rng(std::uint64_t seed, std::initializer_list<std::uint64_t> stream = {});

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  double uniform();      // in (0, 1), never an end
  double normal();       // N(0, 1)
  Index below(Index n);  // 0 .. n-1, each equally likely; n >= 1

  Vector normals(Index n);
  Rows uniforms(Index rows, Index columns);

 private:
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_{};
  std::array<std::uint64_t, 4> block_{};
  int used_ = 4;
};

}  // namespace iqbo
