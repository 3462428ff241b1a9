// Tables as text: read as spreadsheets write them, and written so that they come back the same, bit for bit.
//
// RFC 4180: commas, fields in double quotes where needed, "" for a quote within one, lines ended by LF or CRLF. Row 1
// names the columns; all rows have equally many cells. A byte order mark and empty lines at the end are ignored. Numbers
// are finite, and written in the fewest digits that give the same double back.
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

struct CsvTable {
  std::string name;  // for messages only
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // cells as text, unquoted
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
