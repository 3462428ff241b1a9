#include "page.hpp"

#include <nlohmann/json.hpp>

#include "embedded_page.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::internal {
namespace {

constexpr std::string_view kOpen = R"(<script type="application/json" id="document">)";
constexpr std::string_view kPlaceholder = R"(<script type="application/json" id="document">null</script>)";
constexpr std::string_view kPolicy = R"(<meta http-equiv="Content-Security-Policy" content=")";

// In JSON, < and the line separators occur in texts only. Old JavaScript takes the separators for ends of lines.
std::string inert(std::string_view document) {
  std::string out;
  out.reserve(document.size());
  for (std::size_t i = 0; i < document.size(); ++i) {
    const std::string_view rest = document.substr(i, 3);
    if (document[i] == '<') {
      out += "\\u003c";
    } else if (rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9") {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += document[i];
    }
  }
  return out;
}

}  // namespace

std::string_view page_missing() { return kEmbeddedPageMissing; }

std::string page(std::string_view document) {
  if (!page_missing().empty()) throw std::invalid_argument(std::string(page_missing()));
  return page(document, kEmbeddedPage);
}

std::string page(std::string_view document, std::string_view html) {
  if (!nlohmann::json::accept(document)) refuse("document", std::string(document.substr(0, 40)), "JSON");
  const std::size_t at = html.find(kPlaceholder);
  if (at == std::string_view::npos || html.find(kPlaceholder, at + 1) != std::string_view::npos)
    refuse("html", at == std::string_view::npos ? "no place for a document" : "two places for a document",
           std::string(kPlaceholder) + " once");
  std::string out(html.substr(0, at + kOpen.size()));
  out += inert(document);
  out += html.substr(at + kPlaceholder.size() - std::string_view("</script>").size());
  return out;
}

std::string policy_of(std::string_view html) {
  const std::size_t at = html.find(kPolicy);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = html.substr(at + kPolicy.size());
  return std::string(rest.substr(0, rest.find('"')));
}

}  // namespace iqbo::internal
