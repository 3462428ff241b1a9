// Tables as text: read as spreadsheets write them, and written so that they come back the same, bit for bit.
//
// RFC 4180: commas, fields in double quotes where needed, "" for a quote within one, lines ended by LF or CRLF. Row 1
// names the columns; all rows have equally many cells. A byte order mark is ignored, and so are rows at the end that are empty or
// have only separators. Numbers are finite, and written in the fewest digits that give the same double back.
//
// Semicolons and tabs are recognised as separators by the header, decimal commas by the cells, where the separator is not
// a comma itself; a table has one decimal mark. Numbers have no separators of thousands. Text is UTF-8 without NUL; text
// that is not UTF-8 is read as Windows-1252 if it can be that. CsvTable::style says what was recognised. Tables are
// written with commas, points and UTF-8.
//
// Rows are counted as a spreadsheet shows them: the header is row 1, the first row of data row 2. Mistakes are refused in
// this form, `name` being what the caller calls the table (a JSON path, the file):
//
//   conditional.pairs (pairs.csv): row 17 has 3 cells, expected 4
//   conditional.pairs (pairs.csv): row 17, column "east" is "abc", expected a finite number
//
// Several mistakes of a table are refused together, each on a line of its own (src/record/mistakes.hpp).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iqbo {

struct CsvStyle {
  char separator = ',';
  char decimal = '.';
  bool windows_1252 = false;  // the text was not UTF-8
  bool operator==(const CsvStyle&) const = default;
};

// The cells of one row, as text. Refers to the rows that it belongs to.
class CsvRow {
 public:
  class Iterator {
   public:
    // NOLINTBEGIN(readability-identifier-naming): the names that the standard library looks for
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = std::string_view;
    // NOLINTEND(readability-identifier-naming)

    Iterator(const CsvRow& row, std::size_t at) : row_(&row), at_(at) {}
    std::string_view operator*() const { return (*row_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {*row_, at_++}; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const CsvRow* row_;
    std::size_t at_;
  };

  CsvRow(const char* text, const std::size_t* bounds, std::size_t size) : text_(text), bounds_(bounds), size_(size) {}

  std::size_t size() const { return size_; }
  std::string_view operator[](std::size_t j) const { return {text_ + bounds_[j], bounds_[j + 1] - bounds_[j]}; }
  std::string_view at(std::size_t j) const;  // throws std::out_of_range
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  const char* text_;
  const std::size_t* bounds_;  // size_ + 1 positions in the text
  std::size_t size_;
};

// Rows of cells. All text is in one place, so that a million rows take little more memory than their file.
class CsvRows {
 public:
  class Iterator {
   public:
    Iterator(const CsvRows& rows, std::size_t at) : rows_(&rows), at_(at) {}
    CsvRow operator*() const { return (*rows_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const CsvRows* rows_;
    std::size_t at_;
  };

  CsvRows() = default;
  CsvRows(std::initializer_list<std::vector<std::string>> rows);

  std::size_t size() const { return ends_.size() - 1; }
  bool empty() const { return size() == 0; }
  CsvRow operator[](std::size_t i) const { return {text_.data(), bounds_.data() + ends_[i], ends_[i + 1] - ends_[i]}; }
  CsvRow at(std::size_t i) const;  // throws std::out_of_range
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

  void push_back(const std::vector<std::string>& cells);

  // Cell by cell: a row is there once it is ended, or gone if it is dropped. A cell may be appended to.
  void add_cell(std::string_view cell) {
    text_.append(cell);
    bounds_.push_back(text_.size());
  }
  void append(std::string_view more) {
    text_.append(more);
    bounds_.back() = text_.size();
  }
  void end_row() { ends_.push_back(bounds_.size() - 1); }
  void drop_row();
  void reserve(std::size_t rows, std::size_t cells, std::size_t bytes);

  bool operator==(const CsvRows&) const = default;

 private:
  std::string text_;                    // of all cells, one after another
  std::vector<std::size_t> bounds_{0};  // of each cell: where it ends and the next begins
  std::vector<std::size_t> ends_{0};    // of each row: the number of cells up to its end
};

struct CsvTable {
  std::string name;  // for messages only
  std::vector<std::string> columns;
  CsvRows rows;  // cells as text, unquoted
  CsvStyle style = {};

  std::size_t size() const { return rows.size(); }
  bool has(std::string_view column) const;

  // The position of a column. An unknown one is refused with the nearest; `wanted_by` is the key that names it.
  std::size_t position(std::string_view column, std::string_view wanted_by = {}) const;

  // A cell as a finite number; row counts from 0 here.
  double number(std::size_t row, std::size_t column) const;

  // Refuses the cell (row counts from 0 here): "<name>: row 17, column "east" <found>, expected <expected>".
  [[noreturn]] void refuse_cell(std::size_t row, std::size_t column, std::string_view found,
                                std::string_view expected) const;

  bool operator==(const CsvTable&) const = default;
};

CsvTable parse_csv(std::string_view text, std::string_view name);
std::string to_csv(const CsvTable& table);

// One line, LF included; quotes where needed.
std::string csv_line(const std::vector<std::string>& cells);
std::string csv_line(const CsvRow& cells);

// The shortest decimal that is this double; refuses NaN and infinity.
std::string csv_number(double value);

// Reads a whole text as one double, ignoring blanks around it. false: not finite, or beyond the range of doubles.
bool parse_number(std::string_view text, double& value);

// Whether a cell says that there is nothing to say: empty, NA, N/A, #N/A, NaN, NULL, None or "-", in any case.
bool is_missing(std::string_view cell);

bool is_utf8(std::string_view text);

// Text in Windows-1252 as UTF-8; none: it is UTF-8 already. Text in neither is refused.
std::optional<std::string> converted_to_utf8(std::string_view text, std::string_view name);

// Control characters: those of ASCII (line feed and tab too), U+0080 to U+009F, and changes of the writing direction.
bool has_control_character(std::string_view text);

// The text with U+FFFD for each control character: a terminal would obey it, or it reverses the writing. Those in
// `kept` stay.
std::string without_control_characters(std::string_view text, std::string_view kept = {});

}  // namespace iqbo
