#include "cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

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
  const std::string_view cell = table.rows[row][column];
  const auto found = std::lower_bound(names.begin(), names.end(), cell);
  if (found == names.end() || *found != cell)
    table.refuse_cell(row, column, "is " + in_quotes(cell), expected_names(cell, names));
  return static_cast<double>(found - names.begin());
}

Lookup::Lookup(const std::vector<std::string>& names)
    : names_(names), slots_(std::bit_ceil(2 * std::max<std::size_t>(names.size(), 4))) {
  if (names.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    refuse("ids", std::to_string(names.size()), "less than 2^31");
}

Lookup Lookup::of(const std::vector<std::string>& names) {
  Lookup out(names);
  for (std::size_t i = 0; i < names.size(); ++i) out.add(index(i));
  return out;
}

std::size_t Lookup::slot_of(std::string_view name, std::size_t hash) const {
  const std::size_t last = slots_.size() - 1;
  const auto part = static_cast<std::uint32_t>(hash >> 32U);
  std::size_t at = hash & last;
  while (slots_[at].number >= 0 &&
         (slots_[at].hash != part || names_[static_cast<std::size_t>(slots_[at].number)] != name))
    at = (at + 1) & last;
  return at;
}

Index Lookup::add(Index i) {
  const std::string_view name = names_[static_cast<std::size_t>(i)];
  const std::size_t hash = std::hash<std::string_view>{}(name);
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.number < 0) slot = {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::int32_t>(i)};
  return slot.number;
}

Index Lookup::find(std::string_view name, Index near) const {
  const auto count = index(names_.size());
  for (const Index i : {near, near + 1})
    if (i < count && names_[static_cast<std::size_t>(i)] == name) return i;
  return slots_[slot_of(name, std::hash<std::string_view>{}(name))].number;
}

Index known_id(const CsvTable& table, std::size_t row, std::size_t column, const Lookup& ids, const std::string& where,
               Index near) {
  const std::string_view cell = table.rows[row][column];
  const Index found = ids.find(cell, near);
  if (found >= 0) return found;
  const std::string other = nearest_name(cell, ids.names());
  table.refuse_cell(row, column, "is " + in_quotes(cell),
                    "an id of " + where + (other.empty() ? "" : ", such as " + in_quotes(other)));
}

}  // namespace iqbo::cells
