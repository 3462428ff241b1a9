#include "iqbo/record/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "core/nearest.hpp"
#include "csv_style.hpp"
#include "iqbo/core/check.hpp"
#include "mistakes.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Reads one record after another.
class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view name)
      : text_(text), name_(name), separator_(separator_of(text, at_)), ends_{separator_, '"', '\r', '\n'} {}

  char separator() const { return separator_; }

  bool more() const { return at_ < text_.size(); }

  // An empty line gives one empty cell, and blank() says so; "" in quotes is a cell.
  std::vector<std::string> record() {
    ++row_;
    const std::size_t start = at_;
    std::vector<std::string> cells;
    do cells.push_back(field());
    while (next_cell());
    blank_ = text_.substr(start, at_ - start).find_first_not_of("\r\n") == std::string_view::npos;
    return cells;
  }

  bool blank() const { return blank_; }

  [[noreturn]] void fail(const std::string& found, std::string_view expected) const {
    refuse(name_, row() + " " + found, expected);
  }
  std::string row() const { return "row " + std::to_string(row_); }

 private:
  std::string field() { return more() && text_[at_] == '"' ? quoted_field() : plain_field(); }

  std::string plain_field() {
    const std::size_t end = std::min(text_.find_first_of(ends_, at_), text_.size());
    if (end < text_.size() && text_[end] == '"') fail("has a quote within a plain cell", "the whole cell in quotes");
    std::string cell(text_.substr(at_, end - at_));
    at_ = end;
    return cell;
  }

  std::string quoted_field() {
    std::string cell;
    ++at_;
    while (true) {
      const std::size_t quote = text_.find('"', at_);
      if (quote == std::string_view::npos) fail("opens a quote that is never closed", "a closing quote");
      cell.append(text_.substr(at_, quote - at_));
      at_ = quote + 1;
      if (!more() || text_[at_] != '"') return cell;
      cell += '"';
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
  std::string ends_;  // of a plain cell
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

bool CsvTable::has(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::size_t CsvTable::position(std::string_view column, std::string_view wanted_by) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  if (!wanted_by.empty()) {
    std::string text = "no column " + in_quotes(column);
    refuse(name, text.append(", which ").append(wanted_by).append(" names"), expected_names(column, columns));
  }
  std::string all = columns.size() == 1 ? "has one column, " : "has columns ";
  for (std::size_t i = 0; i < columns.size(); ++i) all += (i == 0 ? "" : ", ") + columns[i];
  const std::string near = nearest_name(column, columns);
  refuse(name, all, "one named " + in_quotes(column) + (near.empty() ? "" : " (is it " + in_quotes(near) + "?)"));
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  double value = 0;
  const std::string& cell = rows.at(row).at(column);
  if (style.decimal == ',' && cell.find('.') != std::string::npos)
    refuse_cell(row, column, "is " + in_quotes(cell), "a decimal comma, as numbers of this table have");
  if (style.decimal == ',' && has_decimal_comma(cell)) {
    std::string plain = cell;
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
  for (std::size_t at = 0; at < text.size();) {
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
  CsvTable table{std::string(name), reader.record(), {}, {reader.separator(), '.', converted.has_value()}};
  check_header(table, reader);
  try {
    bool blank_before = false;
    while (reader.more()) {
      std::vector<std::string> record = reader.record();
      if (blank_before && !reader.blank()) reader.fail("follows an empty line", "no empty lines within the table");
      blank_before = reader.blank();
      if (!blank_before) table.rows.push_back(std::move(record));
    }
  } catch (const std::invalid_argument& refused) {  // nothing after it can be read
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

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (j > 0) line += ',';
    const std::string& cell = cells[j];
    // An empty cell alone in its row would read back as no row; a first cell that begins with the mark would lose it.
    const bool vanishes = (cells.size() == 1 && cell.empty()) || cell.rfind(kByteOrderMark, 0) == 0;
    if (cell.find_first_of(",;\t\"\r\n") == std::string::npos && !vanishes) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char c : cell) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
  return line + '\n';
}

std::string to_csv(const CsvTable& table) {
  std::string text = csv_line(table.columns);
  for (const auto& row : table.rows) text += csv_line(row);
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
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace iqbo
