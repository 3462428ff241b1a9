#include "server/handler.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace iqbo::server {

namespace {

using Json = nlohmann::json;

const std::string kToken = "0123456789abcdef";
const std::string kPage =
    R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-x'"><p>page</p>)";

// Notes what it was told.
struct FakeDesk final : Desk {
  std::string ask(const AskOrder& order) override { return said = "ask " + std::to_string(order.count) + order.worker; }
  std::string tell(const TellOrder& order) override {
    if (order.trial == 7) throw Conflict("trial 7 was told before");
    if (order.trial == 8) throw std::invalid_argument("trial: 8, expected less");
    return said = "tell " + std::to_string(order.trial) + " " + std::to_string(order.value);
  }
  std::string fail(const FailOrder& order) override { return said = "fail " + order.reason; }
  std::string said;
};

View view() { return {3, R"({"kind": "study"})", "1", "2", "3", "4"}; }
Rules local() { return {{"127.0.0.1:8080", "localhost:8080"}, {}, false}; }
Rules with_token(bool to_read = false) { return {{"127.0.0.1:8080"}, kToken, to_read}; }

Request get(const std::string& target) {
  Request out;
  out.target = target;
  out.host = "127.0.0.1:8080";
  return out;
}

Request post(const std::string& target, const std::string& body) {
  Request out = get(target);
  out.method = "POST";
  out.content_type = "application/json";
  out.authorization = "Bearer " + kToken;
  out.body = body;
  return out;
}

std::string header(const Reply& reply, const std::string& name) {
  for (const auto& each : reply.headers)
    if (each.first == name) return each.second;
  return {};
}

std::string error(const Reply& reply) { return Json::parse(reply.body).at("error"); }

TEST(Site, ShowsThePageAndTheView) {
  const Site site(local(), kPage);
  const Reply page = site.handle(get("/"), view());
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, kPage);
  EXPECT_EQ(header(page, "Content-Security-Policy"),
            "default-src 'none'; script-src 'sha256-x'; frame-ancestors 'none'");
  EXPECT_EQ(site.handle(get("/api/report"), view()).body, R"({"kind": "study"})");
  EXPECT_EQ(site.handle(get("/api/status?x=1"), view()).body, "1");
  EXPECT_EQ(site.handle(get("/api/trials"), view()).body, "2");
  EXPECT_EQ(site.handle(get("/api/posterior"), view()).body, "3");
  EXPECT_EQ(site.handle(get("/api/acquisition"), view()).body, "4");
  EXPECT_TRUE(site.handle(get("/api/events"), view()).stream);
  EXPECT_NE(header(site.handle(get("/api/status"), view()), "Content-Security-Policy").find("default-src 'none'"),
            std::string::npos);
}

TEST(Site, RefusesOtherPathsAndMethods) {
  const Site site(local(), kPage);
  for (const char* path : {"/api", "/api/reports", "/../etc/passwd", "//", "", "/api/report/", "/%00", "*"})
    EXPECT_EQ(site.handle(get(path), view()).status, 404) << path;
  Request request = get("/api/report");
  request.method = "DELETE";
  EXPECT_EQ(site.handle(request, view()).status, 405);
  EXPECT_EQ(header(site.handle(request, view()), "Allow"), "GET, HEAD");
  EXPECT_EQ(site.handle(get("/api/tell"), view()).status, 405);
}

// DNS rebinding: a foreign name leads here, and the browser says so in Host.
TEST(Site, AnswersToItsOwnNamesOnly) {
  const Site site(local(), kPage);
  Request request = get("/api/report");
  for (const char* host :
       {"evil.example:8080", "127.0.0.1", "127.0.0.1:80", "", "127.0.0.1:8080.evil.example", "localhost"}) {
    request.host = host;
    EXPECT_EQ(site.handle(request, view()).status, 403) << host;
  }
  request.host = "LocalHost:8080";
  EXPECT_EQ(site.handle(request, view()).status, 200);
}

TEST(Site, AnswersToItsOwnPagesOnly) {
  const Site site(local(), kPage);
  Request request = get("/api/report");
  for (const char* origin : {"http://evil.example", "null", "", "file://", "http://127.0.0.1:9999",
                             "ftp://127.0.0.1:8080", "http://127.0.0.1:8080@evil.example"}) {
    request.origin = origin;
    EXPECT_EQ(site.handle(request, view()).status, 403) << origin;
  }
  request.origin = "http://127.0.0.1:8080";
  EXPECT_EQ(site.handle(request, view()).status, 200);
  request.origin = "https://127.0.0.1:8080";  // this server does not encrypt
  EXPECT_EQ(site.handle(request, view()).status, 403);
}

TEST(Site, AProxyThatEncryptsIsNamedSo) {
  const Site site({{"https://lab.example"}, {}, false}, kPage);
  Request request = get("/api/report");
  request.host = "lab.example";
  request.origin = "https://Lab.example";
  EXPECT_EQ(site.handle(request, view()).status, 200);
  request.origin = "http://lab.example";
  EXPECT_EQ(site.handle(request, view()).status, 403);
}

TEST(Site, SaysWhatIsWrongWithTheStudy) {
  const Site site(local(), kPage);
  View gone;
  gone.trouble = "study.db: was removed while it was open";
  for (const char* path : {"/api/report", "/api/status", "/api/trials", "/api/events"}) {
    const Reply reply = site.handle(get(path), gone);
    EXPECT_EQ(reply.status, 503) << path;
    EXPECT_EQ(error(reply), gone.trouble) << path;
  }
  EXPECT_EQ(site.handle(get("/"), gone).status, 200);
}

TEST(Site, RefusesKeysThatAreGivenTwice) {
  const auto desk = std::make_shared<FakeDesk>();
  const Site site(with_token(), kPage, desk);
  const Reply reply = site.handle(post("/api/tell", R"({"trial": 1, "value": 1, "value": 2})"), view());
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(error(reply), "body: \"value\" is given twice, expected it once");
  EXPECT_EQ(desk->said, "");
  const std::string long_value = R"({"trial": ")" + std::string(5000, 'x') + R"(", "value": 1})";
  EXPECT_LT(error(site.handle(post("/api/tell", long_value), view())).size(), 400U);
}

TEST(Site, WritesOnlyWithTheTokenAsABearer) {
  const auto desk = std::make_shared<FakeDesk>();
  const Site site(with_token(), kPage, desk);
  Request request = post("/api/tell", R"({"trial": 2, "value": 1.5})");
  EXPECT_EQ(site.handle(request, view()).status, 200);
  EXPECT_EQ(desk->said, "tell 2 1.500000");
  desk->said.clear();
  for (const std::string& wrong : std::vector<std::string>{"", "Bearer ", "Bearer 0123456789abcdeX", "bearer " + kToken,
                                                           "Basic " + kToken, kToken, "Bearer " + kToken + kToken}) {
    request.authorization = wrong;
    request.cookie = "iqbo_token=" + kToken;  // which a browser sends for other pages, too
    EXPECT_EQ(site.handle(request, view()).status, 401) << wrong;
  }
  EXPECT_EQ(desk->said, "");
  const Reply shows_only = Site(local(), kPage, desk).handle(post("/api/ask", "{}"), view());
  EXPECT_EQ(shows_only.status, 403);
  EXPECT_NE(error(shows_only).find("--token-file"), std::string::npos);
  request = post("/api/ask", "count=1");
  request.content_type = "application/x-www-form-urlencoded";  // which a form of another page could send
  EXPECT_EQ(site.handle(request, view()).status, 415);
}

TEST(Site, ReadsBeyondLoopbackOnlyWithTheToken) {
  const Site site(with_token(true), kPage);
  EXPECT_EQ(site.handle(get("/"), view()).status, 401);
  EXPECT_EQ(site.handle(get("/api/report"), view()).status, 401);
  EXPECT_EQ(site.handle(get("/api/events"), view()).status, 401);
  EXPECT_EQ(site.handle(get("/?token=wrong"), view()).status, 401);
  const Reply login = site.handle(get("/?token=" + kToken), view());
  EXPECT_EQ(login.status, 303);
  EXPECT_EQ(header(login, "Location"), "/");
  EXPECT_NE(header(login, "Set-Cookie").find("HttpOnly; SameSite=Strict"), std::string::npos);
  Request request = get("/api/report");
  request.cookie = "a=b; iqbo_token=" + kToken + "; c=d";
  EXPECT_EQ(site.handle(request, view()).status, 200);
  request.cookie = "xiqbo_token=" + kToken;
  EXPECT_EQ(site.handle(request, view()).status, 401);
  request.authorization = "Bearer " + kToken;
  EXPECT_EQ(site.handle(request, view()).status, 200);
}

TEST(Site, NamesWhatIsWrongWithAnOrder) {
  const Site site(with_token(), kPage, std::make_shared<FakeDesk>());
  const auto refused = [&](const char* path, const char* body, int status, const char* piece) {
    const Reply reply = site.handle(post(path, body), view());
    EXPECT_EQ(reply.status, status) << body;
    EXPECT_NE(error(reply).find(piece), std::string::npos) << reply.body;
  };
  refused("/api/tell", "[]", 400, "JSON object");
  refused("/api/tell", "{", 400, "JSON object");
  refused("/api/tell", "{}", 400, "trial");
  refused("/api/tell", R"({"trial": 0})", 400, "value");
  refused("/api/tell", R"({"trial": 0, "value": "x"})", 400, "finite number");
  refused("/api/tell", R"({"trial": 0, "value": 1e999})", 400, "too large");
  refused("/api/tell", R"({"trial": -1, "value": 1})", 400, "trial");
  refused("/api/tell", R"({"trial": 0.5, "value": 1})", 400, "whole number");
  refused("/api/tell", R"({"trial": 18446744073709551615, "value": 1})", 400, "trial");
  refused("/api/tell", R"({"trial": 0, "value": 1, "amend": 1})", 400, "true or false");
  refused("/api/tell", R"({"trial": 0, "valeu": 1})", 400, "\"value\"");
  refused("/api/tell", R"({"trial": 7, "value": 1})", 409, "told before");
  refused("/api/tell", R"({"trial": 8, "value": 1})", 400, "expected less");
  refused("/api/ask", R"({"count": 1000})", 400, "1 to 100");
  refused("/api/fail", R"({"trial": 0, "reason": 5})", 400, "reason");
  EXPECT_EQ(site.handle(post("/api/ask", ""), view()).body, "ask 1http");
  EXPECT_EQ(site.handle(post("/api/fail", R"({"trial": 1, "reason": "rain"})"), view()).body, "fail rain");
}

TEST(Site, WithoutAPageStillHasItsApi) {
  const Site site(local(), "");
  EXPECT_EQ(site.handle(get("/"), view()).status, 503);
  EXPECT_EQ(site.handle(get("/api/status"), view()).status, 200);
}

}  // namespace
}  // namespace iqbo::server
