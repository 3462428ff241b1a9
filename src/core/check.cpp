#include "iqbo/core/check.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace iqbo {
namespace {

std::string cell(Index row, Index column, double value, bool many_columns) {
  std::string text = "row " + std::to_string(row);
  if (many_columns) text += ", column " + std::to_string(column);
  return text + " is " + readable(value);
}

// Reports the first value, in reading order, that fails `good`.
template <class Values, class Good>
void require_each(const Values& values, std::string_view name, std::string_view expected, Good good) {
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (!good(values(i, j))) refuse(name, cell(i, j, values(i, j), values.cols() > 1), expected);
}

bool finite(double value) { return std::isfinite(value); }
bool positive(double value) { return std::isfinite(value) && value > 0; }
bool non_negative(double value) { return std::isfinite(value) && value >= 0; }

constexpr std::size_t kMostFound = 200;      // what a user gave may be anything, of any length
constexpr std::size_t kMostExpected = 1000;  // may list names

bool within_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }  // of UTF-8

// Its beginning and its end, where the verb of our own sentence often is.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t head = most * 2 / 3;
  std::size_t tail = text.size() - (most - head - 3);
  while (head > 0 && within_letter(text[head])) --head;
  while (tail < text.size() && within_letter(text[tail])) ++tail;
  return std::string(text.substr(0, head)).append("...").append(text.substr(tail));
}

constexpr std::string_view kFinite = "a finite number";
constexpr std::string_view kPositive = "a finite number > 0";
constexpr std::string_view kNonNegative = "a finite number >= 0";

}  // namespace

void refuse(std::string_view name, std::string_view found, std::string_view expected) {
  throw std::invalid_argument(shortened(name, kMostFound) + ": " + shortened(found, kMostFound) + ", expected " +
                              shortened(expected, kMostExpected));
}

std::string readable(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

void require_finite(double value, std::string_view name) {
  if (!finite(value)) refuse(name, "is " + readable(value), kFinite);
}

void require_finite(const Vector& values, std::string_view name) { require_each(values, name, kFinite, finite); }

void require_finite(const Rows& values, std::string_view name) { require_each(values, name, kFinite, finite); }

void require_positive(double value, std::string_view name) {
  if (!positive(value)) refuse(name, "is " + readable(value), kPositive);
}

void require_positive(const Vector& values, std::string_view name) { require_each(values, name, kPositive, positive); }

void require_non_negative(const Vector& values, std::string_view name) {
  require_each(values, name, kNonNegative, non_negative);
}

void require_non_negative(const Rows& values, std::string_view name) {
  require_each(values, name, kNonNegative, non_negative);
}

void require_rows(Index found, Index expected, std::string_view name) {
  if (found != expected) refuse(name, std::to_string(found) + " rows", std::to_string(expected));
}

void require_columns(Index found, Index expected, std::string_view name) {
  if (found != expected) refuse(name, std::to_string(found) + " columns", std::to_string(expected));
}

void require_not_empty(Index size, std::string_view name) {
  if (size == 0) refuse(name, "is empty", "at least one row");
}

}  // namespace iqbo
