#include "nearest.hpp"

#include <algorithm>

namespace iqbo::internal {
namespace {

constexpr std::size_t kLongest = 64;  // names are short, but users may type anything

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1);
  std::vector<std::size_t> back(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) now[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_back.swap(back);
    back.swap(now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({back[j] + 1, now[j - 1] + 1, back[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        now[j] = std::min(now[j], two_back[j - 2] + 1);
    }
  }
  return now[b.size()];
}

std::string nearest_name(std::string_view typed, const std::vector<std::string>& names) {
  if (typed.size() > kLongest) return {};
  std::string best;
  std::size_t least = kLongest;
  const auto consider = [&](const std::string& name, std::string_view compared, std::size_t more) {
    const std::size_t distance = edit_distance(typed, compared);
    if (distance + more >= least || 2 * distance > std::max(typed.size(), compared.size())) return;
    least = distance + more;
    best = name;
  };
  for (const std::string& name : names) {
    consider(name, name, 0);
    consider(name, std::string_view(name).substr(0, name.find('-')), 1);
  }
  return best;
}

std::string expected_names(std::string_view typed, const std::vector<std::string>& names) {
  const std::string near = nearest_name(typed, names);
  std::string text = near.empty() ? "" : "\"" + near + "\" (";
  text += names.size() == 1 ? "" : "one of ";
  constexpr std::size_t kShort = 40;  // names; of a list of thousands a few are enough
  const std::size_t most = names.size() <= kShort ? 900 : near.empty() ? 400 : 200;  // bytes
  std::size_t i = 0;
  for (; i < names.size() && (i == 0 || text.size() + names[i].size() < most); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (i < names.size()) text += ", ... (" + std::to_string(names.size()) + " in all)";
  return text + (near.empty() ? "" : ")");
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string out = "\"";
  out.append(text.substr(0, kShown)).append(text.size() > kShown ? "...\"" : "\"");
  return out;
}

}  // namespace iqbo::internal
