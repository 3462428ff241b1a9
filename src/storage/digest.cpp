#include "digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace iqbo {
namespace {

__extension__ using Wide = unsigned __int128;  // the product of two numbers of 64 bits

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61U) - 1;
// Any two points of the field would do; these are the first digits of pi and of e.
constexpr std::array<std::uint64_t, 2> kPoints{0x1243F6A8885A308DULL % kPrime, 0x15BF0A8B1457695FULL % kPrime};

std::uint64_t reduced(Wide value) {
  const auto sum = static_cast<std::uint64_t>(value & kPrime) + static_cast<std::uint64_t>(value >> 61U);
  return sum >= kPrime ? sum - kPrime : sum;
}

// The point to the powers 1 to 4.
using Powers = std::array<std::uint64_t, 4>;
Powers powers_of(std::uint64_t point) {
  Powers out{point};
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = reduced(static_cast<Wide>(out[i - 1]) * point);
  return out;
}
const std::array<Powers, 2> kPowers{powers_of(kPoints[0]), powers_of(kPoints[1])};

constexpr std::size_t kBlock = 7;  // bytes of a word: 56 bits, below the prime

std::uint64_t word_at(std::string_view text, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, text.data() + at, sizeof word);
  return word & ((std::uint64_t{1} << 56U) - 1);
}

// Horner's rule for both polynomials at once.
class Sum {
 public:
  // With the length before the text, no two lists of fields have the same bytes.
  void add(std::string_view text) {
    add_number(text.size());
    std::size_t at = 0;
    for (; at + 4 * kBlock < text.size(); at += 4 * kBlock)
      four_steps({word_at(text, at), word_at(text, at + kBlock), word_at(text, at + 2 * kBlock),
                  word_at(text, at + 3 * kBlock)});
    for (; at < text.size(); at += kBlock) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min(kBlock, text.size() - at));
      step(word);
    }
  }

  void add_number(std::uint64_t value) {
    step(value & 0xFFFFFFFFU);
    step(value >> 32U);
  }

  std::string hex() const {
    std::string out;
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (const std::uint64_t value : values_)
      for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[(value >> static_cast<unsigned>(shift)) & 0xFU];
    return out;
  }

 private:
  // The same as four times step(), with one reduction: the sum has less than 124 bits.
  void four_steps(const std::array<std::uint64_t, 4>& words) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Powers& power = kPowers[i];
      values_[i] = reduced(static_cast<Wide>(values_[i]) * power[3] + static_cast<Wide>(words[0]) * power[2] +
                           static_cast<Wide>(words[1]) * power[1] + static_cast<Wide>(words[2]) * power[0] + words[3]);
    }
  }

  void step(std::uint64_t word) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = reduced(static_cast<Wide>(values_[i]) * kPoints[i] + word);
  }

  std::array<std::uint64_t, 2> values_{1, 1};  // not 0, so that leading zeros count
};

}  // namespace

std::string origin_digest(const SpecBundle& bundle) {
  Sum sum;
  sum.add(bundle.text);
  for (const auto& [name, contents] : bundle.files) {
    sum.add(name);
    sum.add(contents);
  }
  return sum.hex();
}

std::string event_digest(std::string_view before, const EventRow& row) {
  Sum sum;
  sum.add(before);
  sum.add_number(static_cast<std::uint64_t>(row.seq));
  sum.add_number(std::bit_cast<std::uint64_t>(row.time));
  sum.add(row.kind);
  sum.add(row.body);
  return sum.hex();
}

}  // namespace iqbo
