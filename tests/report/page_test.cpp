#include "report/page.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include "support/errors.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Json = nlohmann::json;

const std::string kOpen = R"(<script type="application/json" id="document">)";
const std::string kTemplate = "<!doctype html><p>before</p>" + kOpen + "null</script><p>after</p>";

// As a browser reads it: up to the first </script.
Json read_back(const std::string& html) {
  const std::size_t begin = html.find(kOpen) + kOpen.size();
  return Json::parse(html.substr(begin, html.find("</script", begin) - begin));
}

TEST(Page, HoldsTheDocument) {
  const std::string html = page(R"({"a": 1})", kTemplate);
  EXPECT_EQ(html, "<!doctype html><p>before</p>" + kOpen + R"({"a": 1}</script><p>after</p>)");
  EXPECT_EQ(page("null", kTemplate), kTemplate);
}

TEST(Page, SaysTheResultWithoutJavaScript) {
  const std::string html = "<p><noscript>This page needs JavaScript for the pictures.</noscript>" + kTemplate;
  const auto said = [&](const Json& document) {
    const std::string out = page(document.dump(), html);
    EXPECT_EQ(read_back(out), document);
    const std::size_t begin = out.find("<noscript>") + 10;
    return out.substr(begin, out.find("</noscript>") - begin);
  };
  Json study{{"kind", "study"}, {"name", "a <b> & c"}, {"value", {{"unit", "km"}}}, {"answer", nullptr}};
  EXPECT_EQ(said(study),
            "a &lt;b&gt; &amp; c: there are no answers yet, so there is no result. This page needs JavaScript for "
            "the pictures.");
  study["answer"] = {{"name", ""}, {"x", {0.5, 2}}, {"mean", 3.14159}, {"low", 3}, {"high", 3.5}};
  EXPECT_EQ(said(study),
            "a &lt;b&gt; &amp; c: the best bet is 0.5, 2, where the value is about 3.142 km (95 % interval 3 to 3.5). "
            "This page needs JavaScript for the pictures.");
  study["name"] = "\xE2\x80\xA8'\xE2\x80\xA9\"";
  EXPECT_EQ(said(study).substr(0, 25), "&#8232;&#39;&#8233;&quot;");
  study["answer"]["mean"] = nullptr;
  for (const Json& other : {study, Json{{"kind", "experiment"}}, Json{{"kind", 1}}, Json::array(), Json()})
    EXPECT_EQ(said(other), "This page needs JavaScript for the pictures.");
}

TEST(Page, HostileNamesStayText) {
  for (const std::string name :
       {"</script><script>alert(1)</script>", "<!--<script>", "]]>", "\xE2\x80\xA8\xE2\x80\xA9",
        "<img src=x onerror=alert(1)>", "&lt;script&gt;", "\\u003c/script>", "\"'`${alert(1)}", "</SCRIPT >",
        R"(<script type="application/json" id="document">null</script>)"}) {
    const std::string html = page(Json{{"name", name}}.dump(), kTemplate);
    EXPECT_EQ(read_back(html)["name"], name);
    const std::string inside = html.substr(html.find(kOpen) + kOpen.size());
    EXPECT_EQ(inside.substr(0, inside.find("</script")).find('<'), std::string::npos);
    EXPECT_EQ(html.find("\xE2\x80\xA8"), std::string::npos);
    EXPECT_EQ(html.substr(html.size() - 12), "<p>after</p>");
  }
}

RC_GTEST_PROP(Page, AnyTextComesBack, (const std::string& bytes)) {
  const std::string text = Json(bytes).dump(-1, ' ', false, Json::error_handler_t::replace);
  RC_ASSERT(read_back(page(text, kTemplate)) == Json::parse(text));
}

TEST(Page, RefusesWhatItCannotHold) {
  test::expect_refusal([] { page("{", kTemplate); }, {"document", "JSON"});
  test::expect_refusal([] { page("</script>", kTemplate); }, {"document", "JSON"});
  test::expect_refusal([] { page("1", "<p>nothing</p>"); }, {"html", "no place"});
  test::expect_refusal([] { page("1", kTemplate + kTemplate); }, {"html", "two places"});
}

TEST(Page, OfThisBuild) {
  if (!page_missing().empty()) {
    test::expect_refusal([] { page(); }, {"nodejs"});
    return;
  }
  EXPECT_EQ(read_back(page()), Json());
  EXPECT_EQ(read_back(page(R"({"kind": "study"})"))["kind"], "study");
}

TEST(Page, TellsItsPolicy) {
  EXPECT_EQ(policy_of(kTemplate), "");
  EXPECT_EQ(policy_of(R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">)"),
            "default-src 'none'; img-src data:");
}

}  // namespace
}  // namespace iqbo
