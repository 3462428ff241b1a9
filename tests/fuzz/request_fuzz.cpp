// Any bytes as requests to iqbo serve: nothing is written without the token, nothing is told to strangers, and every refusal is
// JSON. Lines of the input are method, target, host, origin, authorization, cookie, content type; the rest is the body.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "server/handler.hpp"

namespace {

using namespace iqbo::server;  // NOLINT(google-build-using-namespace): a program, not a header

const std::string kToken = "0123456789abcdef";

bool told = false;

struct Notes final : iqbo::server::Desk {
  std::string ask(const AskOrder& /*order*/) override { return note(); }
  std::string tell(const TellOrder& /*order*/) override { return note(); }
  std::string fail(const FailOrder& /*order*/) override { return note(); }
  static std::string note() {
    told = true;
    return "{}";
  }
};

void require(bool holds) {
  if (!holds) std::abort();
}

std::string next_line(std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string out = text.substr(0, end);
  text.erase(0, std::min(end + 1, text.size()));
  return out;
}

Request request_of(std::string text) {
  Request out;
  out.method = next_line(text);
  out.target = next_line(text);
  out.host = next_line(text);
  const std::string origin = next_line(text);
  if (!origin.empty()) out.origin = origin;
  out.authorization = next_line(text);
  out.cookie = next_line(text);
  out.content_type = next_line(text);
  out.body = std::move(text);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Site sites[] = {{{{"localhost:8080"}, kToken, false}, "<p>page</p>", std::make_shared<Notes>()},
                               {{{"localhost:8080"}, kToken, true}, "<p>page</p>", std::make_shared<Notes>()},
                               {{{"localhost:8080"}, {}, false}, "", nullptr}};
  const Request request = request_of(std::string(data, data + size));
  const View view{1, R"({"secret": 1})", "{}", "[]", "{}", "{}"};
  for (const Site& site : sites) {
    told = false;
    const Reply reply = site.handle(request, view);
    const bool token = request.authorization == "Bearer " + kToken;
    require(reply.status >= 200 && reply.status < 600);
    require(!told || (token && request.method == "POST"));
    if (reply.type == "application/json") require(nlohmann::json::accept(reply.body));
    if (request.host.size() != std::string("localhost:8080").size()) require(reply.status == 403);
    const bool cookie = request.cookie.find("iqbo_token=" + kToken) != std::string::npos;
    if (&site == &sites[1] && !token && !cookie) require(reply.body.find("secret") == std::string::npos);
  }
  return 0;
}
