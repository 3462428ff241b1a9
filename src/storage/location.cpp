#include "location.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

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

// Hides a short secret only where it stands alone: hidden within longer words, it could be guessed.
void hide(std::string& text, const std::string& secret) {
  constexpr std::size_t kShort = 4;
  const auto letter = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(secret); at != std::string::npos;) {
    const std::size_t end = at + secret.size();
    const bool within = secret.size() < kShort && ((at > 0 && letter(at - 1)) || letter(end));
    if (!within) text.replace(at, secret.size(), kHidden);
    at = text.find(secret, within ? end : at + kHidden.size());
  }
}

bool starts(const std::string& text, std::string_view with) { return text.rfind(with, 0) == 0; }

std::string lowered(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

constexpr std::string_view kBetween = "://";
constexpr std::string_view kExpected = "a file, or postgresql://user:password@host/database?study=NAME";

// host=... password=...: libpq would accept it, but taken as the name of a file it would show the password.
bool is_parameters(const std::string& location) {
  const std::string text = lowered(location);
  if (starts(text, "/") || starts(text, "./") || starts(text, "../")) return false;
  for (const std::string key : {"host", "hostaddr", "port", "dbname", "user", "password", "service", "sslmode"}) {
    const std::size_t stop = text.find_first_not_of(' ', starts(text, key) ? key.size() : text.size());
    if (stop != std::string::npos && text[stop] == '=') return true;
  }
  return text.find("password=") != std::string::npos || text.find("password =") != std::string::npos;
}

// The message repeats nothing of a refused location: its password could be anywhere.
void refuse_others(const std::string& location) {
  if (location.empty()) refuse("study", "is empty", kExpected);
  const std::string text = lowered(location);
  const std::size_t between = text.find(kBetween);
  const auto colon = static_cast<std::size_t>(std::find(text.begin(), text.end(), ':') - text.begin());
  const std::string scheme = text.substr(0, between == std::string::npos ? colon : between);
  const bool server = scheme == "postgresql" || scheme == "postgres";
  if (between == std::string::npos ? server && text.size() > scheme.size() : !server)
    refuse("study", "is a URL of another kind", kExpected);
  if (between == std::string::npos && is_parameters(location))
    refuse("study", "is a list of connection parameters", kExpected);
}

// The forms in which messages may contain a secret: as written, decoded, and its parts, if a parser cuts it wrongly.
void add_pieces(const std::string& secret, std::vector<std::string>& out) {
  constexpr std::size_t kShortest = 3;  // shorter parts occur in ordinary words
  out.push_back(secret);
  for (std::size_t begin = 0; begin <= secret.size();) {
    const std::size_t end = std::min(secret.find_first_of("/?:#@&= ", begin), secret.size());
    if (end - begin >= kShortest) out.push_back(secret.substr(begin, end - begin));
    begin = end + 1;
  }
}

// Sorted from longest to shortest, so that hiding one leaves no part of another behind.
std::vector<std::string> pieces_of(const std::vector<std::string>& secrets) {
  std::vector<std::string> out;
  for (const std::string& secret : secrets) {
    add_pieces(secret, out);
    add_pieces(decoded(secret), out);
  }
  std::erase(out, "");
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return out;
}

// The position of the password in user:password@...; it ends at the last @ of all, wherever a / or ? may be.
struct Span {
  std::size_t begin;
  std::size_t end;
};
std::optional<Span> password_in(const std::string& url) {
  const std::size_t between = url.find(kBetween);
  if (between == std::string::npos) return std::nullopt;
  const std::size_t at = url.rfind('@');
  const std::size_t colon = url.find(':', between + kBetween.size());
  if (at == std::string::npos || colon == std::string::npos || colon > at) return std::nullopt;
  return Span{colon + 1, at};
}

bool is_secret(const std::string& key) { return lowered(decoded(key)).find("pass") != std::string::npos; }

// The secrets in anything that may be a URL, valid or not, or a list of connection parameters.
std::vector<std::string> secrets_in(const std::string& text) {
  std::vector<std::string> out;
  if (const auto password = password_in(text))
    out.push_back(text.substr(password->begin, password->end - password->begin));
  for (std::size_t equals = text.find('='); equals != std::string::npos; equals = text.find('=', equals + 1)) {
    const std::size_t before = text.find_last_of("?&; ", equals);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find_first_of("&; ", equals), text.size());
    if (is_secret(text.substr(begin, equals - begin))) out.push_back(text.substr(equals + 1, end - equals - 1));
  }
  return pieces_of(out);
}

}  // namespace

// postgresql://user:password@host:port/database?key=value&password=...&study=...
StorageLocation::StorageLocation(const std::string& location) : kind(Kind::kFile), place(location), shown(location) {
  if (starts(location, kMemory)) {
    kind = Kind::kMemory;
    place = location.substr(kMemory.size());
    return;
  }
  refuse_others(location);
  const std::size_t between = location.find(kBetween);
  if (between == std::string::npos) return;
  kind = Kind::kServer;
  const std::string url = lowered(location.substr(0, between)) + location.substr(between);
  const std::size_t begin = between + kBetween.size();
  const std::size_t at = url.rfind('@');
  if (at != std::string::npos && url.substr(begin, at - begin).find_first_of("/@") != std::string::npos)
    refuse("study", "is a URL with a / or @ before its last @",
           "them percent-encoded in user, password and parameters: %2F for /, %40 for @");
  const std::size_t question = std::min(url.find('?', at == std::string::npos ? begin : at), url.size());
  const std::string address = url.substr(0, question);
  std::string shown_address = address;
  if (const auto password = password_in(address)) {
    secrets.push_back(address.substr(password->begin, password->end - password->begin));
    shown_address.replace(password->begin, password->end - password->begin, kHidden);
  }
  std::string kept;
  std::string shown_kept;
  for (std::size_t from = question + 1; from < url.size();) {
    const std::size_t end = std::min(url.find('&', from), url.size());
    const std::string item = url.substr(from, end - from);
    from = end + 1;
    if (starts(item, "study=")) {
      study = decoded(item.substr(6));
      shown_kept.append(shown_kept.empty() ? "?" : "&").append(item);
      continue;
    }
    const std::size_t equals = std::min(item.find('='), item.size());
    const bool secret = is_secret(item.substr(0, equals));
    if (secret && equals < item.size()) secrets.push_back(item.substr(equals + 1));
    kept.append(kept.empty() ? "?" : "&").append(item);
    shown_kept.append(shown_kept.empty() ? "?" : "&").append(secret ? item.substr(0, equals + 1) : item);
    if (secret) shown_kept.append(kHidden);
  }
  if (study.empty()) refuse("study", "has an empty name in " + shown_address + shown_kept, "study=NAME");
  place = address + kept;
  shown = shown_address + shown_kept;
  secrets = pieces_of(secrets);
}

std::string StorageLocation::without_secrets(std::string text) const {
  replace_all(text, place, shown);
  for (const std::string& secret : secrets) hide(text, secret);
  return text;
}

std::string one_line(const std::string& message) {
  std::string out;
  for (const char c : message) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string without_secrets_of(const std::string& word, std::string text) {
  for (const std::string& secret : secrets_in(word)) hide(text, secret);
  return text;
}

// Shows as little as possible of a location that is refused.
std::string public_location(const std::string& location) {
  try {
    return StorageLocation(location).shown;
  } catch (const std::invalid_argument&) {
    const auto password = password_in(location);
    return password ? location.substr(0, password->begin) + std::string(kHidden) + location.substr(password->end)
                    : std::string(kHidden);
  }
}

}  // namespace iqbo
