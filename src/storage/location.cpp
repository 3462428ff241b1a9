#include "location.hpp"

#include <algorithm>

#include "iqbo/core/check.hpp"
#include "iqbo/storage/storage.hpp"

namespace iqbo {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kMemory = "memory:";

std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      const char c = at < text.size() ? text[at] : '?';
      if (c >= '0' && c <= '9') return c - '0';
      if (c >= 'a' && c <= 'f') return c - 'a' + 10;
      if (c >= 'A' && c <= 'F') return c - 'A' + 10;
      return -1;
    };
    if (text[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0) {
      out += static_cast<char>(16 * digit(i + 1) + digit(i + 2));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

void replace_all(std::string& text, const std::string& from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

bool starts(const std::string& text, std::string_view with) { return text.rfind(with, 0) == 0; }

}  // namespace

// postgresql://user:password@host:port/database?key=value&password=...&study=...
StorageLocation::StorageLocation(const std::string& location) : kind(Kind::kFile), place(location), shown(location) {
  if (location.empty()) refuse("study", "is empty", "a file, or postgresql://...");
  if (starts(location, kMemory)) {
    kind = Kind::kMemory;
    place = location.substr(kMemory.size());
    return;
  }
  if (!starts(location, "postgresql://") && !starts(location, "postgres://")) return;
  kind = Kind::kServer;
  const std::size_t begin = location.find("://") + 3;
  const std::size_t question = std::min(location.find('?', begin), location.size());
  std::string address = location.substr(0, question);
  // The password ends at the last @ before the path; a stray / or : in it must not show either.
  const std::size_t at = address.rfind('@');
  std::string shown_address = address;
  if (at != std::string::npos && at > begin) {
    const std::size_t colon = address.find(':', begin);
    if (colon != std::string::npos && colon < at) {
      secrets.push_back(address.substr(colon + 1, at - colon - 1));
      shown_address.replace(colon + 1, at - colon - 1, kHidden);
    }
  }
  std::string kept;
  std::string shown_kept;
  for (std::size_t from = question + 1; from < location.size();) {
    const std::size_t end = std::min(location.find('&', from), location.size());
    const std::string item = location.substr(from, end - from);
    from = end + 1;
    if (starts(item, "study=")) {
      study = decoded(item.substr(6));
      shown_kept.append(shown_kept.empty() ? "?" : "&").append(item);
      continue;
    }
    const bool secret = item.find("password=") != std::string::npos;
    if (secret) secrets.push_back(item.substr(item.find('=') + 1));
    kept.append(kept.empty() ? "?" : "&").append(item);
    shown_kept.append(shown_kept.empty() ? "?" : "&").append(secret ? item.substr(0, item.find('=') + 1) : item);
    if (secret) shown_kept.append(kHidden);
  }
  if (study.empty()) refuse("study", "has an empty name in " + shown_address + shown_kept, "study=NAME");
  place = address + kept;
  shown = shown_address + shown_kept;
  for (const std::string& secret : std::vector<std::string>(secrets)) secrets.push_back(decoded(secret));
  std::erase(secrets, "");
}

std::string StorageLocation::without_secrets(std::string text) const {
  replace_all(text, place, shown);
  for (const std::string& secret : secrets) replace_all(text, secret, kHidden);
  return text;
}

std::string public_location(const std::string& location) { return StorageLocation(location).shown; }

}  // namespace iqbo
