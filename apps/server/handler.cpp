#include "handler.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "iqbo/core/errors.hpp"
#include "orders.hpp"
#include "report/page.hpp"

namespace iqbo::server {

using namespace internal;

namespace {

constexpr const char* kNothing = "default-src 'none'; frame-ancestors 'none'";
constexpr std::string_view kCookie = "iqbo_token=";
constexpr std::string_view kBearer = "Bearer ";
constexpr std::string_view kLogin = "token=";
constexpr std::string_view kEncrypted = "https://";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Constant time: does not depend on where the strings differ.
bool same_secret(const std::string& one, const std::string& other) {
  unsigned difference = one.size() == other.size() ? 0U : 1U;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned>(one[i] ^ (other.empty() ? '\0' : other[i % other.size()]));
  return difference == 0 && !one.empty();
}

std::string cookie_token(const std::string& cookies) {
  for (std::size_t at = 0; at < cookies.size();) {
    const std::size_t end = std::min(cookies.find(';', at), cookies.size());
    const std::size_t begin = std::min(cookies.find_first_not_of(' ', at), end);
    const std::string_view one = std::string_view(cookies).substr(begin, end - begin);
    if (one.starts_with(kCookie)) return std::string(one.substr(kCookie.size()));
    at = end + 1;
  }
  return {};
}

bool is_json(const std::string& type) { return lower(type).starts_with("application/json"); }

Reply json(std::string body) {
  Reply out;
  out.body = std::move(body);
  return out;
}

Reply not_allowed(const char* methods) {
  Reply out = refusal(405, std::string("only ") + methods);
  out.headers.emplace_back("Allow", methods);
  return out;
}

Reply no_token() {
  Reply out = refusal(401, "this needs the token: Authorization: Bearer <token>");
  out.headers.emplace_back("WWW-Authenticate", "Bearer");
  return out;
}

}  // namespace

Reply refusal(int status, const std::string& why) {
  using Json = nlohmann::json;
  Reply out = json(Json{{"error", why}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  out.status = status;
  out.headers.emplace_back("Content-Security-Policy", kNothing);
  return out;
}

const std::vector<std::pair<std::string, std::string>>& Site::headers() {
  static const std::vector<std::pair<std::string, std::string>> all{{"X-Content-Type-Options", "nosniff"},
                                                                    {"Cache-Control", "no-store"},
                                                                    {"Referrer-Policy", "no-referrer"},
                                                                    {"Cross-Origin-Resource-Policy", "same-origin"},
                                                                    {"X-Frame-Options", "DENY"}};
  return all;
}

const std::vector<std::string>& Site::orders() {
  static const std::vector<std::string> all{"/api/ask", "/api/tell", "/api/fail"};
  return all;
}

bool Site::takes_body(const Request& request) {
  const bool order = std::find(orders().begin(), orders().end(), request.target) != orders().end();
  return order && request.method == "POST" && is_json(request.content_type);
}

Site::Site(Rules rules, std::string page, std::shared_ptr<Desk> desk)
    : rules_(std::move(rules)), page_(std::move(page)), page_policy_(policy_of(page_)), desk_(std::move(desk)) {
  page_policy_ = page_policy_.empty() ? kNothing : page_policy_ + "; frame-ancestors 'none'";
}

// The page with the last state inside, so that it is seen at once; "data-live" tells it to go on from there.
std::string Site::page_with(const View& view) const {
  constexpr std::string_view kDocument = "id=\"document\"";
  if (page_.find(kDocument) == std::string::npos) return page_;
  std::string out = view.trouble.empty() ? page(view.report, page_) : page_;
  out.insert(out.find(kDocument) + kDocument.size(),
             desk_ != nullptr && !rules_.token.empty() ? " data-live data-writes" : " data-live");
  return out;
}

bool Site::knows(const std::string& host) const {
  return std::any_of(rules_.hosts.begin(), rules_.hosts.end(), [&](std::string_view name) {
    if (name.starts_with(kEncrypted)) name.remove_prefix(kEncrypted.size());
    return name == lower(host);
  });
}

bool Site::knows_origin(const std::string& origin) const {
  return std::any_of(rules_.hosts.begin(), rules_.hosts.end(), [&](const std::string& name) {
    return lower(origin) == (name.starts_with(kEncrypted) ? name : "http://" + name);
  });
}

bool Site::has_token(const Request& request, bool by_cookie) const {
  if (rules_.token.empty()) return false;
  if (request.authorization.starts_with(kBearer))
    return same_secret(request.authorization.substr(kBearer.size()), rules_.token);
  return by_cookie && same_secret(cookie_token(request.cookie), rules_.token);
}

Reply Site::handle(const Request& request, const View& view) const {
  if (!knows(request.host)) return refusal(403, "the name in the Host header is not one of this server");
  if (request.origin && !knows_origin(*request.origin)) return refusal(403, "requests from other pages are refused");
  const std::size_t mark = std::min(request.target.find('?'), request.target.size());
  const std::string path = request.target.substr(0, mark);
  const std::string query = mark < request.target.size() ? request.target.substr(mark + 1) : "";
  const bool order = std::find(orders().begin(), orders().end(), path) != orders().end();
  Reply out = order ? write(request, path) : read(request, path, query, view);
  const bool policy = std::any_of(out.headers.begin(), out.headers.end(),
                                  [](const auto& header) { return header.first == "Content-Security-Policy"; });
  if (!policy) out.headers.emplace_back("Content-Security-Policy", kNothing);
  return out;
}

Reply Site::read(const Request& request, const std::string& path, const std::string& query, const View& view) const {
  if (request.method != "GET" && request.method != "HEAD") return not_allowed("GET, HEAD");
  if (rules_.token_to_read && path == "/" && query.starts_with(kLogin) &&
      same_secret(query.substr(kLogin.size()), rules_.token)) {
    Reply out = refusal(303, "continue without the token in the address");
    out.headers.emplace_back("Location", "/");
    out.headers.emplace_back("Set-Cookie", std::string(kCookie) + rules_.token + "; Path=/; HttpOnly; SameSite=Strict");
    return out;
  }
  if (rules_.token_to_read && !has_token(request, true)) return no_token();
  if (path == "/") {
    if (page_.empty()) return refusal(503, std::string(page_missing()));
    return {200, "text/html; charset=utf-8", page_with(view), {{"Content-Security-Policy", page_policy_}}, false};
  }
  const bool known =
      (path == "/api/status" && view.status != "null") || (path == "/api/trials" && view.trials != "null");
  if (!view.trouble.empty() && path.starts_with("/api/") && !known) return refusal(503, view.trouble);
  if (path == "/api/report") return json(view.report);
  if (path == "/api/status") return json(view.status);
  if (path == "/api/trials") return json(view.trials);
  if (path == "/api/posterior") return json(view.posterior);
  if (path == "/api/acquisition") return json(view.acquisition);
  if (path == "/api/events") return {200, "text/event-stream", "", {}, true};
  return refusal(404, "there is no such path; docs/serve.md lists them all");
}

Reply Site::write(const Request& request, const std::string& path) const {
  if (request.method != "POST") return not_allowed("POST");
  if (desk_ == nullptr || rules_.token.empty())
    return refusal(
        403, "this server is read-only; to let it ask and tell, start it with a token: iqbo serve --token-file FILE");
  if (!has_token(request, false)) return no_token();
  if (!is_json(request.content_type)) return refusal(415, "a body of type application/json is expected");
  try {
    if (path == "/api/ask") return json(desk_->ask(ask_order(request.body)));
    if (path == "/api/tell") return json(desk_->tell(tell_order(request.body)));
    return json(desk_->fail(fail_order(request.body)));
  } catch (const Conflict& error) {
    return refusal(409, error.what());
  } catch (const Unavailable& error) {
    return refusal(503, error.what());
  } catch (const NumericalError& error) {  // such as answers that contradict each other
    return refusal(409, error.what());
  } catch (const std::invalid_argument& error) {
    return refusal(400, error.what());
  }
}

}  // namespace iqbo::server
