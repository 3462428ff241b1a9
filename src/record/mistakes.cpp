#include "mistakes.hpp"

#include <iterator>

namespace iqbo::internal {

Mistakes::Mistakes(const CsvTable& table) : table_(table.name) {
  for (std::size_t i = 0; i < table.size() && !enough(i); ++i)
    if (table.rows[i].size() != table.columns.size())
      add(i, "row " + std::to_string(i + 2) + " has " + std::to_string(table.rows[i].size()) + " cells, expected " +
                 std::to_string(table.columns.size()));
}

namespace {

// What is wrong with a cell, without its row: ", column "drug" is "a", ..."; "": the message is about something else.
std::string_view after_row(std::string_view text, std::size_t row) {
  const std::string begin = "row " + std::to_string(row + 2);
  if (!text.starts_with(begin + ", column ")) return {};
  return text.substr(begin.size());
}

}  // namespace

void Mistakes::add(std::size_t row, const std::string& message) {
  constexpr std::size_t kListed = 5;
  const std::string prefix = table_ + ": ";
  const std::string text = message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  if (const std::string_view wrong = after_row(text, row); !wrong.empty())
    for (auto& [first, before] : messages_) {
      if (first >= row || after_row(before.text, first) != wrong) continue;
      ++alike_;
      if (before.others.size() < kListed)
        before.others.push_back(row);
      else
        ++before.more;
      return;
    }
  messages_.emplace(row, Message{text});
  if (messages_.size() > kMost + 1) messages_.erase(std::prev(messages_.end()));
}

std::string Mistakes::sentence(const Message& message) const {
  const auto& others = message.others;
  if (others.empty()) return message.text;
  std::string out = message.text + "; the same in row" + (others.size() > 1 ? "s " : " ");
  for (std::size_t i = 0; i < others.size(); ++i) {
    const bool last = i + 1 == others.size() && message.more == 0;
    out += (i == 0 ? "" : last ? " and " : ", ") + std::to_string(others[i] + 2);
  }
  if (message.more == 0) return out;
  return out + " and " + (alike_ > kMostAlike ? "at least " : "") + std::to_string(message.more) + " more";
}

void Mistakes::refuse_any() const {
  if (none()) return;
  if (messages_.size() == 1) throw std::invalid_argument(table_ + ": " + sentence(messages_.begin()->second));
  const bool more = messages_.size() > kMost;
  std::string text =
      table_ + (more ? ": the first " : ": ") + std::to_string(more ? kMost : messages_.size()) + " mistakes";
  std::size_t shown = 0;
  for (const auto& [row, message] : messages_)
    if (++shown <= kMost) text += "\n  " + sentence(message);
  throw std::invalid_argument(text);
}

}  // namespace iqbo::internal
