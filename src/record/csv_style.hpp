// How the text of a table was written. Spreadsheets write what the language of their user suggests: semicolons and decimal
// commas in most of Europe, tabs when cells are copied, Windows-1252 on older systems.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "iqbo/record/csv.hpp"

namespace iqbo::internal {

// The separator of a table: that of comma, semicolon and tab which cuts the header and the first row of data into equally
// many cells, and into the most; a comma if that is undecided. `at` is where the header begins; it is moved past a first line
// "sep=;", by which Excel tells.
char separator_of(std::string_view text, std::size_t& at);

// Whether a cell is a number with a decimal comma, such as -3,5.
bool has_decimal_comma(std::string_view cell);

// Whether a mark could also separate thousands: 1,204 or 12.000, but not 0,204, 1204,5 or 3,55.
bool could_be_thousands(std::string_view cell);

// Decides the decimal mark of a table that was read with another separator than the comma. Tables of tabs whose commas could all
// be separators of thousands are refused.
void find_decimal_mark(CsvTable& table);

// Windows-1252 as UTF-8; none: some bytes mean nothing in it.
std::optional<std::string> from_windows_1252(std::string_view text);

}  // namespace iqbo::internal
