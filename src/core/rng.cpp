#include "iqbo/core/rng.hpp"

#include <Random123/philox.h>

#include <boost/random/normal_distribution.hpp>

#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

using Philox = r123::Philox4x64;

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  const Philox::ctr_type out = Philox{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

}  // namespace

// The stream is absorbed word by word, each through the whole cipher, so that {1, 2} and {2, 1} give unrelated keys.
Rng::Rng(std::uint64_t seed, std::initializer_list<std::uint64_t> stream) : key_{seed, 0} {
  for (const std::uint64_t word : stream) {
    const auto mixed = philox({word, 1, 0, 0}, key_);
    key_ = {mixed[0], mixed[1]};
  }
}

Rng::result_type Rng::operator()() {
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    if (++counter_[0] == 0) ++counter_[1];
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

double Rng::uniform() {
  constexpr double kScale = 0x1p-52;  // 52 bits: with 53 the half would round up to 1
  return (static_cast<double>((*this)() >> 12U) + 0.5) * kScale;
}

double Rng::normal() { return boost::random::normal_distribution<double>{}(*this); }

Index Rng::below(Index n) {
  if (n < 1) refuse("n", "is " + std::to_string(n), "at least 1");
  const auto size = static_cast<std::uint64_t>(n);
  const std::uint64_t limit = max() - max() % size;  // reject the tail, so that no value is favoured
  std::uint64_t draw = (*this)();
  while (draw >= limit) draw = (*this)();
  return static_cast<Index>(draw % size);
}

Vector Rng::normals(Index n) {
  if (n < 0) refuse("n", "is " + std::to_string(n), "at least 0");
  Vector out(n);
  for (double& value : out) value = normal();
  return out;
}

Rows Rng::uniforms(Index rows, Index columns) {
  if (rows < 0 || columns < 0)
    refuse("rows, columns", "are " + std::to_string(rows) + ", " + std::to_string(columns), "at least 0");
  Rows out(rows, columns);
  for (double& value : out.reshaped<Eigen::RowMajor>()) value = uniform();
  return out;
}

}  // namespace iqbo
