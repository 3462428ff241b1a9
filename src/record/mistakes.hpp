// The mistakes of one table, so that a person can mend them all before the next attempt.
//
//   districts.csv: 3 mistakes
//     row 3, column "east" is "abc", expected a finite number
//     row 7 has 3 cells, expected 4
//     row 9, column "district" is empty, expected an id
//
// A single mistake is refused in the usual form, on one line. After Mistakes::kMost the rest is not looked for.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace iqbo::internal {

// All mistakes of a table in one message.
class TableMistakes : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class Mistakes {
 public:
  static constexpr std::size_t kMost = 20;

  explicit Mistakes(std::string table) : table_(std::move(table)) {}

  // Runs `work` and keeps what it refuses. false: it refused.
  template <class Work>
  bool check(const Work& work) {
    try {
      work();
      return true;
    } catch (const TableMistakes&) {
      throw;
    } catch (const std::invalid_argument& refused) {
      add(refused.what());
      return false;
    }
  }

  // Keeps one; with kMost of them, throws.
  void add(const std::string& message);

  // Throws all of them, if there are any.
  void refuse_any() const;

 private:
  std::string table_;
  std::vector<std::string> messages_;  // without the name of the table
};

}  // namespace iqbo::internal
