// Comma separated values, read strictly and written so that they come back the same, bit for bit.
//
// RFC 4180: commas, fields in double quotes where needed, "" for a quote within one, lines ended by LF or CRLF. The first
// row names the columns; every row has as many cells. A byte order mark is skipped, empty lines at the end are ignored. The
// text is UTF-8 without NUL. Numbers are decimal whatever the locale, finite, and written in the fewest digits that give
// the same double back.
//
// Rows are counted as a spreadsheet shows them: the header is row 1, the first row of data row 2. Mistakes are refused in
// this form, `name` being what the caller calls the table (a JSON path, the file):
//
//   conditional.pairs (pairs.csv): row 17 has 3 cells, expected 4
//   conditional.pairs (pairs.csv): row 17, column "east" is "abc", expected a finite number
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace iqbo {

struct CsvTable {
  std::string name;  // for messages only
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // cells as text, unquoted

  std::size_t size() const { return rows.size(); }
  bool has(std::string_view column) const;

  // The position of a column; refuses an unknown one with the nearest, as wanted by `wanted_by` ("target.id").
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

// The double that a whole text is, blanks around it ignored. false: not a finite number, or beyond the range of doubles.
bool parse_number(std::string_view text, double& value);

bool is_utf8(std::string_view text);

// Of ASCII (line feed and tab among them), of Unicode's second block (U+0080 to U+009F).
bool has_control_character(std::string_view text);

// The same with U+FFFD for each of them: what a terminal would obey, and what changes the direction of writing. Those in `kept`
// stay.
std::string without_control_characters(std::string_view text, std::string_view kept = {});

}  // namespace iqbo
