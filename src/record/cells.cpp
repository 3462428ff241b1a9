#include "cells.hpp"

#include <algorithm>
#include <cmath>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/spec.hpp"

namespace iqbo::cells {

using namespace internal;

double moderate_number(const CsvTable& table, std::size_t row, std::size_t column) {
  const double value = table.number(row, column);
  if (!(std::abs(value) <= kLargestNumber))
    table.refuse_cell(row, column, "is " + in_quotes(table.rows[row][column]),
                      "a number of size at most " + readable(kLargestNumber));
  return value;
}

Rows number_columns(const CsvTable& table, const std::vector<std::string>& columns, const std::string& wanted_by,
                    Mistakes& mistakes) {
  Rows out = Rows::Zero(index(table.size()), index(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::size_t column = table.position(columns[j], wanted_by);
    mistakes.each_row(table, [&](std::size_t i) { out(index(i), index(j)) = moderate_number(table, i, column); });
  }
  return out;
}

double code(const CsvTable& table, std::size_t row, std::size_t column, const std::vector<std::string>& names) {
  const std::string& cell = table.rows[row][column];
  const auto found = std::lower_bound(names.begin(), names.end(), cell);
  if (found == names.end() || *found != cell)
    table.refuse_cell(row, column, "is " + in_quotes(cell), expected_names(cell, names));
  return static_cast<double>(found - names.begin());
}

Lookup lookup(const std::vector<std::string>& ids) {
  Lookup out;
  out.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) out.emplace(ids[i], index(i));
  return out;
}

Index known_id(const CsvTable& table, std::size_t row, std::size_t column, const Lookup& ids,
               const std::vector<std::string>& names, const std::string& where) {
  const std::string& cell = table.rows[row][column];
  const auto found = ids.find(cell);
  if (found != ids.end()) return found->second;
  const std::string near = nearest_name(cell, names);
  table.refuse_cell(row, column, "is " + in_quotes(cell),
                    "an id of " + where + (near.empty() ? "" : ", such as " + in_quotes(near)));
}

}  // namespace iqbo::cells
