// The mistakes of one table, so that a person can mend them all before the next attempt.
//
//   districts.csv: 3 mistakes
//     row 3, column "east" is "abc", expected a finite number
//     row 7 has 3 cells, expected 4
//     row 9, column "district" is empty, expected an id
//
// In the order of rows, however the columns are read. A single mistake is refused in the usual form, on one line. Cells of a column
// that are wrong alike are one mistake: "row 2, column "drug" is "a", expected "A"; the same in rows 5, 8 and 12". Of more
// than Mistakes::kMost the first are shown.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "iqbo/record/csv.hpp"

namespace iqbo::internal {

class Mistakes {
 public:
  static constexpr std::size_t kMost = 20;
  static constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();  // of the table as a whole

  explicit Mistakes(std::string table) : table_(std::move(table)) {}
  // Begins with the rows that have too many cells or too few (parse_rows), which are then passed over.
  explicit Mistakes(const CsvTable& table);

  // Runs `work` and keeps what it refuses. `row` counts from 0. false: it refused.
  template <class Work>
  bool check(std::size_t row, const Work& work) {
    try {
      work();
      return true;
    } catch (const std::invalid_argument& refused) {
      add(row, refused.what());
      return false;
    }
  }

  // Calls work(i) for each row i of the table that has all its cells, as long as that can change what is shown.
  template <class Work>
  void each_row(const CsvTable& table, const Work& work) {
    for (std::size_t i = 0; i < table.size() && !enough(i); ++i)
      if (table.rows[i].size() == table.columns.size()) check(i, [&] { work(i); });
  }

  void add(std::size_t row, const std::string& message);
  bool none() const { return messages_.empty(); }

  // Whether a mistake in this row would not be shown, because there are so many before it.
  bool enough(std::size_t row) const {
    return alike_ > kMostAlike || (messages_.size() > kMost && messages_.rbegin()->first <= row);
  }

  // Throws all of them, if there are any.
  void refuse_any() const;

 private:
  static constexpr std::size_t kMostAlike = 10'000;  // more are not counted: each takes microseconds

  struct Message {
    std::string text;                      // without the name of the table
    std::vector<std::size_t> others = {};  // further rows of which it is true, the first few of them
    std::size_t more = 0;                  // how many rows it is true of beside those
  };
  std::string sentence(const Message& message) const;

  std::string table_;
  std::multimap<std::size_t, Message> messages_;  // by row; at most kMost + 1
  std::size_t alike_ = 0;
};

// A table as parse_csv() reads it, but rows of another length than the header's stay as they are, for Mistakes to name them together
// with wrong cells.
CsvTable parse_rows(std::string_view text, std::string_view name);

}  // namespace iqbo::internal
