#include "page.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

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

// --- for readers without JavaScript ---

constexpr std::string_view kWithout = "<noscript>This page needs JavaScript for the pictures.";

// What would end text or a line of a script, as entities.
std::string escaped(std::string_view text) {
  using Entity = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Entity, 7> kEntities{{{"&", "&amp;"},
                                             {"<", "&lt;"},
                                             {">", "&gt;"},
                                             {"\"", "&quot;"},
                                             {"'", "&#39;"},
                                             {"\xE2\x80\xA8", "&#8232;"},
                                             {"\xE2\x80\xA9", "&#8233;"}}};
  std::string out;
  while (!text.empty()) {
    const auto* at = std::find_if(kEntities.begin(), kEntities.end(),
                                  [&](const Entity& each) { return text.starts_with(each.first); });
    out += at == kEntities.end() ? text.substr(0, 1) : at->second;
    text.remove_prefix(at == kEntities.end() ? 1 : at->first.size());
  }
  return out;
}

std::string few_digits(const nlohmann::json& number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number.get<double>());
  return text.data();
}

std::string text_of(const nlohmann::json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The result of a study in a sentence; "" of other documents.
std::string result_of(const nlohmann::json& document) {
  if (text_of(document, "kind") != "study" || !document.contains("answer")) return {};
  const nlohmann::json& answer = document["answer"];
  const std::string name = text_of(document, "name");
  std::string out = (name.empty() ? "" : name + ": ");
  if (answer.is_null()) return out + "there are no answers yet, so there is no result. ";
  for (const char* key : {"mean", "low", "high"})
    if (!answer.is_object() || !answer.contains(key) || !answer[key].is_number()) return {};
  std::string place = text_of(answer, "name");
  if (place.empty() && answer.contains("x"))
    for (const nlohmann::json& each : answer["x"])
      if (each.is_number()) place += (place.empty() ? "" : ", ") + few_digits(each);
  const std::string unit = document.contains("value") ? text_of(document["value"], "unit") : "";
  return out + "the best bet is " + place + ", where the value is about " + few_digits(answer["mean"]) +
         (unit.empty() ? "" : " " + unit) + " (95 % interval " + few_digits(answer["low"]) + " to " +
         few_digits(answer["high"]) + "). ";
}

void add_result(std::string& html, const nlohmann::json& document) {
  const std::size_t at = html.find(kWithout);
  if (at == std::string::npos) return;
  html.insert(at + std::string_view("<noscript>").size(), escaped(result_of(document)));
}

}  // namespace

std::string_view page_missing() { return kEmbeddedPageMissing; }

std::string page(std::string_view document) {
  if (!page_missing().empty()) throw std::invalid_argument(std::string(page_missing()));
  return page(document, kEmbeddedPage);
}

std::string page(std::string_view document, std::string_view html) {
  const nlohmann::json json = nlohmann::json::parse(document, nullptr, false);
  if (json.is_discarded()) refuse("document", std::string(document.substr(0, 40)), "JSON");
  const std::size_t at = html.find(kPlaceholder);
  if (at == std::string_view::npos || html.find(kPlaceholder, at + 1) != std::string_view::npos)
    refuse("html", at == std::string_view::npos ? "no place for a document" : "two places for a document",
           std::string(kPlaceholder) + " once");
  std::string out(html.substr(0, at + kOpen.size()));
  add_result(out, json);
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
