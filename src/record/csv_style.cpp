#include "csv_style.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr std::string_view kSeparators = ",;\t";

using Cells = std::array<std::size_t, kSeparators.size()>;  // in a line, by each separator

// Moves `at` to the beginning of the next line.
Cells cells_of_line(std::string_view text, std::size_t& at) {
  Cells out{1, 1, 1};
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    if (const std::size_t which = kSeparators.find(c); which != std::string_view::npos) ++out[which];
  }
  at = std::min(at + 1, text.size());
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The digits before and after the first of `marks` in a plain number; false: it is none.
bool split_number(std::string_view cell, std::string_view marks, std::string_view& before, std::string_view& after) {
  cell = trimmed(cell);
  if (!cell.empty() && (cell.front() == '+' || cell.front() == '-')) cell.remove_prefix(1);
  const std::size_t mark = cell.find_first_of(marks);
  if (mark == std::string_view::npos) return false;
  before = cell.substr(0, mark);
  after = cell.substr(mark + 1);
  return !after.empty() && is_digit(after.front()) && std::all_of(before.begin(), before.end(), is_digit);
}

// Windows-1252 from 0x80 to 0x9F; 0: no character.
constexpr std::array<char16_t, 32> kWindows1252 = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                   0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                   0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                   0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

void append_utf8(std::string& out, unsigned c) {
  if (c < 0x80U) {
    out += static_cast<char>(c);
  } else if (c < 0x800U) {
    out += static_cast<char>(0xC0U | (c >> 6U));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  } else {
    out += static_cast<char>(0xE0U | (c >> 12U));
    out += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (c & 0x3FU));
  }
}

}  // namespace

namespace internal {

char separator_of(std::string_view text, std::size_t& at) {
  constexpr std::string_view kTold = "sep=";
  if (text.substr(at, kTold.size()) == kTold && at + kTold.size() < text.size()) {
    const char told = text[at + kTold.size()];
    std::size_t end = at + kTold.size() + 1;
    if (end < text.size() && text[end] == '\r') ++end;
    if (kSeparators.find(told) != std::string_view::npos && end < text.size() && text[end] == '\n') {
      at = end + 1;
      return told;
    }
  }
  std::size_t line = at;
  const Cells header = cells_of_line(text, line);
  const Cells row = line < text.size() ? cells_of_line(text, line) : header;
  std::optional<std::size_t> best;
  for (const bool alike : {true, false}) {
    for (std::size_t i = 0; i < header.size(); ++i)
      if (header[i] > 1 && (!alike || header[i] == row[i]) && (!best || header[i] > header[*best])) best = i;
    if (best) break;
  }
  return kSeparators[best.value_or(0)];
}

bool has_decimal_comma(std::string_view cell) {
  std::string_view before;
  std::string_view after;
  if (!split_number(cell, ",", before, after)) return false;
  const auto rest = std::find_if_not(after.begin(), after.end(), is_digit);
  return rest == after.end() || *rest == 'e' || *rest == 'E';
}

bool could_be_thousands(std::string_view cell) {
  std::string_view before;
  std::string_view after;
  return split_number(cell, ",.", before, after) && !before.empty() && before.size() <= 3 && before.front() != '0' &&
         after.size() == 3 && std::all_of(after.begin(), after.end(), is_digit);
}

void find_decimal_mark(CsvTable& table) {
  std::size_t row = 0;
  std::size_t column = 0;
  bool seen = false;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    for (std::size_t j = 0; j < std::min(table.rows[i].size(), table.columns.size()); ++j) {
      const std::string_view cell = table.rows[i][j];
      if (!has_decimal_comma(cell)) continue;
      table.style.decimal = ',';
      if (table.style.separator == ';' || !could_be_thousands(cell)) return;
      if (!seen) row = i, column = j;
      seen = true;
    }
  if (seen)
    table.refuse_cell(row, column, "is " + in_quotes(table.rows[row][column]) + ", which may be two numbers",
                      "no separators of thousands: 1204 or 1.204");
}

std::optional<std::string> from_windows_1252(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = (byte < 0x20U && c != '\n' && c != '\r' && c != '\t') || byte == 0x7FU;
    const unsigned letter = byte >= 0x80U && byte < 0xA0U ? kWindows1252[byte - 0x80U] : byte;
    if (control || (letter == 0U)) return std::nullopt;
    append_utf8(out, letter);
  }
  return out;
}

}  // namespace internal

bool is_missing(std::string_view cell) {
  cell = trimmed(cell);
  std::string lower(cell);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<std::string_view, 9> kMissing = {"", "na", "n/a", "#n/a", "#nv", "nan", "null", "none", "-"};
  return std::find(kMissing.begin(), kMissing.end(), lower) != kMissing.end();
}

}  // namespace iqbo
