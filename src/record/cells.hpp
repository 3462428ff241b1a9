// Cells of tables as numbers, ids and categories; a cell that is none of these is refused with its row and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
class Lookup {
 public:
  // Refers to `names`, whose number must not change.
  explicit Lookup(const std::vector<std::string>& names);
  static Lookup of(const std::vector<std::string>& names);  // with all of them

  const std::vector<std::string>& names() const { return names_; }

  // Adds names[i]. Returns the number of an equal name that was added before, and does not add it then; else i.
  Index add(Index i);

  // The number of a name, or -1. `near`: where it is looked for first, as successive rows often name successive points.
  Index find(std::string_view name, Index near = 0) const;

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t number = -1;  // -1: free
  };
  std::size_t slot_of(std::string_view name, std::size_t hash) const;  // its own, or the free one where it would be

  const std::vector<std::string>& names_;
  std::vector<Slot> slots_;
};
Index known_id(const CsvTable& table, std::size_t row, std::size_t column, const Lookup& ids, const std::string& where,
               Index near = 0);

}  // namespace iqbo::cells
