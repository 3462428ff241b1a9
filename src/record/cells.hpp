// Cells of tables as numbers, ids and categories; a cell that is none of these is refused with its row and column.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "iqbo/core/matrix.hpp"
#include "iqbo/record/csv.hpp"
#include "mistakes.hpp"

namespace iqbo::cells {

inline Index index(std::size_t i) { return static_cast<Index>(i); }

// A coordinate: bounded, because squares of it are computed.
double moderate_number(const CsvTable& table, std::size_t row, std::size_t column);
Rows number_columns(const CsvTable& table, const std::vector<std::string>& columns, const std::string& wanted_by,
                    internal::Mistakes& mistakes);

// The code of a cell's name: its position in `names`, which are sorted.
double code(const CsvTable& table, std::size_t row, std::size_t column, const std::vector<std::string>& names);

// Finds a cell among `names`, the ids of `where`.
using Lookup = std::unordered_map<std::string, Index>;
Lookup lookup(const std::vector<std::string>& names);
Index known_id(const CsvTable& table, std::size_t row, std::size_t column, const Lookup& ids,
               const std::vector<std::string>& names, const std::string& where);

}  // namespace iqbo::cells
