#include "mistakes.hpp"

#include <iterator>

namespace iqbo::internal {

Mistakes::Mistakes(const CsvTable& table) : table_(table.name) {
  for (std::size_t i = 0; i < table.size() && !enough(i); ++i)
    if (table.rows[i].size() != table.columns.size())
      add(i, "row " + std::to_string(i + 2) + " has " + std::to_string(table.rows[i].size()) + " cells, expected " +
                 std::to_string(table.columns.size()));
}

void Mistakes::add(std::size_t row, const std::string& message) {
  const std::string prefix = table_ + ": ";
  messages_.emplace(row, message.starts_with(prefix) ? message.substr(prefix.size()) : message);
  if (messages_.size() > kMost + 1) messages_.erase(std::prev(messages_.end()));
}

void Mistakes::refuse_any() const {
  if (none()) return;
  if (messages_.size() == 1) throw std::invalid_argument(table_ + ": " + messages_.begin()->second);
  const bool more = messages_.size() > kMost;
  std::string text =
      table_ + (more ? ": the first " : ": ") + std::to_string(more ? kMost : messages_.size()) + " mistakes";
  std::size_t shown = 0;
  for (const auto& [row, message] : messages_)
    if (++shown <= kMost) text += "\n  " + message;
  throw std::invalid_argument(text);
}

}  // namespace iqbo::internal
