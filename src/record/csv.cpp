#include "iqbo/record/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/nearest.hpp"
#include "csv_style.hpp"
#include "iqbo/core/check.hpp"
#include "mistakes.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Reads one record after another into rows.
class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), separator_(separator_of(text, at_)) {
    for (const char end : {separator_, '"', '\r', '\n'}) ends_cell_[static_cast<unsigned char>(end)] = true;
  }

  char separator() const { return separator_; }

  bool more() const { return at_ < text_.size(); }

  // Does not end the row. A line of separators alone, or of nothing, gives empty cells, and blank() says so; "" in quotes is a cell.
  void record(CsvRows& rows) {
    ++row_;
    const std::size_t start = at_;
    do field(rows);
    while (next_cell());
    const auto is_empty = [&](char c) { return c == separator_ || c == '\r' || c == '\n'; };
    const std::string_view line = text_.substr(start, at_ - start);
    blank_ = std::all_of(line.begin(), line.end(), is_empty);
  }

  bool blank() const { return blank_; }

  [[noreturn]] void fail(const std::string& found, std::string_view expected) const {
    refuse(name_, row() + " " + found, expected);
  }
  std::string row() const { return "row " + std::to_string(row_); }

 private:
  void field(CsvRows& rows) { more() && text_[at_] == '"' ? quoted_field(rows) : plain_field(rows); }

  void plain_field(CsvRows& rows) {
    std::size_t end = at_;
    while (end < text_.size() && !ends_cell_[static_cast<unsigned char>(text_[end])]) ++end;
    if (end < text_.size() && text_[end] == '"') fail("has a quote within a plain cell", "the whole cell in quotes");
    rows.add_cell(text_.substr(at_, end - at_));
    at_ = end;
  }

  void quoted_field(CsvRows& rows) {
    rows.add_cell({});
    ++at_;
    while (true) {
      const std::size_t quote = text_.find('"', at_);
      if (quote == std::string_view::npos) fail("opens a quote that is never closed", "a closing quote");
      rows.append(text_.substr(at_, quote - at_));
      at_ = quote + 1;
      if (!more() || text_[at_] != '"') return;
      rows.append("\"");
      ++at_;
    }
  }

  // Whether another cell of this record follows; otherwise the end of the line has been passed.
  bool next_cell() {
    if (!more()) return false;
    const char c = text_[at_++];
    if (c == separator_) return true;
    if (c == '\n') return false;
    if (c == '\r' && more() && text_[at_] == '\n') return ++at_, false;
    if (c == '\r') fail("has a carriage return without a line feed", "lines ended by LF or CRLF");
    fail("goes on after a closing quote", "a separator or the end of the line");
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
  char separator_;
  std::array<bool, 256> ends_cell_{};  // a plain one
  std::size_t row_ = 0;
  bool blank_ = false;
};

void check_header(const CsvTable& table, const CsvReader& reader) {
  std::set<std::string_view> seen;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const std::string& column = table.columns[j];
    if (column.empty()) reader.fail("has no name for column " + std::to_string(j + 1), "a name for each column");
    if (!seen.insert(column).second) reader.fail("names two columns " + in_quotes(column), "different names");
  }
}

// Bytes of the UTF-8 sequence that starts here; 0 if none does. Overlong forms and surrogates are refused.
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0U; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned a = byte(0);
  const unsigned b = byte(1);
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF) return tail(1) ? 2 : 0;
  if (a >= 0xE0 && a <= 0xEF) {
    const bool range = (a != 0xE0 || b >= 0xA0) && (a != 0xED || b <= 0x9F);
    return tail(1) && tail(2) && range ? 3 : 0;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    const bool range = (a != 0xF0 || b >= 0x90) && (a != 0xF4 || b <= 0x8F);
    return tail(1) && tail(2) && tail(3) && range ? 4 : 0;
  }
  return 0;
}

// The first position from `at` on that is not within a word of eight ASCII characters without NUL.
std::size_t ascii_length(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kHigh = 0x8080808080808080U, kOnes = 0x0101010101010101U;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHigh) != 0 || ((word - kOnes) & kHigh) != 0) break;  // the latter: a byte is 0
  }
  return at;
}

// The length in bytes of the control character that a text begins with; 0: it begins with another character.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) < 0x20U || byte(0) == 0x7FU) return 1;
  if (byte(0) == 0xC2U && byte(1) >= 0x80U && byte(1) < 0xA0U) return 2;                       // C1
  if (byte(0) == 0xE2U && byte(1) == 0x80U && byte(2) >= 0xAAU && byte(2) <= 0xAEU) return 3;  // changes of direction
  if (byte(0) == 0xE2U && byte(1) == 0x81U && byte(2) >= 0xA6U && byte(2) <= 0xA9U) return 3;
  return 0;
}

}  // namespace

std::string_view CsvRow::at(std::size_t j) const {
  if (j >= size_) throw std::out_of_range("a cell beyond the end of its row");
  return (*this)[j];
}

CsvRows::CsvRows(std::initializer_list<std::vector<std::string>> rows) {
  for (const auto& cells : rows) push_back(cells);
}

CsvRow CsvRows::at(std::size_t i) const {
  if (i >= size()) throw std::out_of_range("a row beyond the end of its table");
  return (*this)[i];
}

void CsvRows::push_back(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) add_cell(cell);
  end_row();
}

void CsvRows::reserve(std::size_t rows, std::size_t cells, std::size_t bytes) {
  text_.reserve(bytes);
  bounds_.reserve(cells + 1);
  ends_.reserve(rows + 1);
}

void CsvRows::drop_row() {
  bounds_.resize(ends_.back() + 1);
  text_.resize(bounds_.back());
}

bool CsvTable::has(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::size_t CsvTable::position(std::string_view column, std::string_view wanted_by) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  const std::string near = nearest_name(column, columns);
  std::string all = columns.size() == 1 ? "has one column, " : "has columns ";
  for (std::size_t i = 0; i < columns.size(); ++i) all += (i == 0 ? "" : ", ") + columns[i];
  if (!wanted_by.empty()) {  // either may be misspelt
    std::string text = name + ": the table has no column " + in_quotes(column);
    text.append(", which ").append(wanted_by).append(" names; ");
    text += near.empty() ? "it " + all : "the nearest is " + in_quotes(near);
    throw std::invalid_argument(text);
  }
  refuse(name, all, "one named " + in_quotes(column) + (near.empty() ? "" : " (is it " + in_quotes(near) + "?)"));
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  double value = 0;
  const std::string_view cell = rows.at(row).at(column);
  if (style.decimal == ',' && cell.find('.') != std::string_view::npos)
    refuse_cell(row, column, "is " + in_quotes(cell), "a decimal comma, as numbers of this table have");
  if (style.decimal == ',' && has_decimal_comma(cell)) {
    std::string plain(cell);
    plain[plain.find(',')] = '.';
    if (parse_number(plain, value)) return value;
  }
  if (parse_number(cell, value)) return value;
  const bool thousands = could_be_thousands(cell);
  refuse_cell(row, column, "is " + in_quotes(cell),
              thousands ? "a finite number, without separators of thousands" : "a finite number");
}

void CsvTable::refuse_cell(std::size_t row, std::size_t column, std::string_view found,
                           std::string_view expected) const {
  std::string text = "row " + std::to_string(row + 2) + ", column " + in_quotes(columns.at(column)) + " ";
  refuse(name, text.append(found), expected);
}

std::optional<std::string> converted_to_utf8(std::string_view text, std::string_view name) {
  const auto row = [&](std::size_t at) {
    return "line " + std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    refuse(name, "is UTF-16", "a file saved as UTF-8 (in Excel: CSV UTF-8)");
  std::optional<std::size_t> other;  // where there is no UTF-8
  bool multibyte = false;
  for (std::size_t at = ascii_length(text, 0); at < text.size(); at = ascii_length(text, at)) {
    const std::size_t length = utf8_length(text.substr(at));
    if (text[at] == '\0') refuse(name, row(at) + " has a zero byte", "text");
    if (length == 0 && !other) other = at;
    multibyte = multibyte || length > 1;
    at += std::max<std::size_t>(length, 1);
  }
  if (other && multibyte) refuse(name, row(*other) + " is not UTF-8, and others are", "a file saved as UTF-8");
  if (!other) return std::nullopt;
  std::optional<std::string> out = from_windows_1252(text);
  if (!out) refuse(name, row(*other) + " is neither UTF-8 nor Windows-1252", "a file saved as UTF-8");
  return out;
}

namespace internal {

CsvTable parse_rows(std::string_view text, std::string_view name) {
  const std::optional<std::string> converted = converted_to_utf8(text, name);
  if (converted) text = *converted;
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  CsvReader reader(text, name);
  if (!reader.more()) refuse(name, "is empty", "a row with the names of the columns");
  CsvTable table{std::string(name), {}, {}, {reader.separator(), '.', converted.has_value()}};
  reader.record(table.rows);
  table.rows.end_row();
  for (const std::string_view column : table.rows[0]) table.columns.emplace_back(column);
  table.rows = {};
  check_header(table, reader);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  table.rows.reserve(lines, lines * table.columns.size(), text.size());
  try {
    std::string empty;  // the first of the empty rows, with which spreadsheets end some tables
    while (reader.more()) {
      reader.record(table.rows);
      if (!reader.blank() && !empty.empty())
        reader.fail(
            "has data below an empty row (" + empty + ")",
            "no empty rows within the table: delete them, or what stands below them if it belongs to another table");
      if (reader.blank() && empty.empty()) empty = reader.row();
      reader.blank() ? table.rows.drop_row() : table.rows.end_row();
    }
  } catch (const std::invalid_argument& refused) {  // nothing after it can be read
    table.rows.drop_row();
    Mistakes mistakes(table);
    mistakes.add(Mistakes::kNoRow, refused.what());
    mistakes.refuse_any();
  }
  if (table.style.separator != ',' && text.find(',') != std::string_view::npos) find_decimal_mark(table);
  return table;
}

}  // namespace internal

CsvTable parse_csv(std::string_view text, std::string_view name) {
  CsvTable table = parse_rows(text, name);
  Mistakes(table).refuse_any();
  return table;
}

namespace {

template <class Cells>
std::string line_of(const Cells& cells) {
  std::string line;
  const bool nothing = std::all_of(cells.begin(), cells.end(), [](std::string_view cell) { return cell.empty(); });
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (j > 0) line += ',';
    const std::string_view cell = cells[j];
    // A row of empty cells would read back as no row; a first cell that begins with the mark would lose it.
    const bool vanishes = (j == 0 && nothing) || cell.rfind(kByteOrderMark, 0) == 0;
    if (cell.find_first_of(",;\t\"\r\n") == std::string_view::npos && !vanishes) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char c : cell) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
  return line + '\n';
}

}  // namespace

std::string csv_line(const std::vector<std::string>& cells) { return line_of(cells); }
std::string csv_line(const CsvRow& cells) { return line_of(cells); }

std::string to_csv(const CsvTable& table) {
  std::string text = csv_line(table.columns);
  for (const CsvRow row : table.rows) text += csv_line(row);
  return text;
}

std::string csv_number(double value) {
  require_finite(value, "csv");
  return readable(value);
}

bool parse_number(std::string_view text, double& value) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end) return false;
  if (error == std::errc::result_out_of_range) {  // too large: refused; too small: 0, as in JSON
    long double wide = 1.0L;
    std::from_chars(text.data(), end, wide);
    value = static_cast<double>(wide);
    return std::abs(wide) < 1.0L;
  }
  return error == std::errc() && std::isfinite(value);
}

bool has_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (control_length(text.substr(i)) > 0) return true;
  return false;
}

std::string without_control_characters(std::string_view text, std::string_view kept) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = control_length(text.substr(i));
    if (length == 0 || kept.find(text[i]) != std::string_view::npos) {
      out += text[i++];
    } else {
      out += "\xEF\xBF\xBD";
      i += length;
    }
  }
  return out;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = ascii_length(text, 0); at < text.size(); at = ascii_length(text, at)) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace iqbo
