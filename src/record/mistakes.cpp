#include "mistakes.hpp"

namespace iqbo::internal {

void Mistakes::add(const std::string& message) {
  const std::string prefix = table_ + ": ";
  messages_.push_back(message.starts_with(prefix) ? message.substr(prefix.size()) : message);
  if (messages_.size() == kMost) refuse_any();
}

void Mistakes::refuse_any() const {
  if (messages_.empty()) return;
  if (messages_.size() == 1) throw TableMistakes(table_ + ": " + messages_.front());
  const char* first = messages_.size() == kMost ? "the first " : "";
  std::string text = table_ + ": " + first + std::to_string(messages_.size()) + " mistakes";
  for (const std::string& message : messages_) text += "\n  " + message;
  throw TableMistakes(text);
}

}  // namespace iqbo::internal
