// What iqbo serve answers to a request, without sockets: a pure function of the request, the rules and the view.
//
//   GET  /                    the page, with the last state of the study in it
//   GET  /api/report, /api/status, /api/trials, /api/posterior, /api/acquisition      JSON, docs/serve.md
//   GET  /api/events          server-sent events, one whenever something happened; kept open by the listener
//   POST /api/ask, /api/tell, /api/fail      only with a token
//
// Who may ask: the Host must be a name of this server, so that no foreign name that resolves to it (DNS rebinding) can
// read a study; so must the Origin, if any. Writing needs the token as `Authorization: Bearer <token>`, no cookie,
// so that no other page can write. Beyond loopback reading needs it too: likewise, or as the cookie of /?token=<token>.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace iqbo::server {

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, as it was sent
  std::string host = {};
  std::optional<std::string> origin = {};
  std::string authorization = {};
  std::string cookie = {};
  std::string content_type = {};
  std::string body = {};
};

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  bool stream = false;  // events follow
};

// A study at one moment, as JSON. Never changed, only replaced.
struct View {
  std::int64_t last_event = 0;
  std::string report = "null", status = "null", trials = "null", posterior = "null", acquisition = "null";
  // Not empty: why nothing can be shown. The study cannot be read, and there is nothing else here; or its answers
  // contradict each other, and there are only status and trials.
  std::string trouble = {};
};

// Hands out trials and takes answers. JSON in and out; throws std::invalid_argument for a request that makes no sense
// (status 400), Conflict for one that contradicts what was told (409), and Unavailable if there is no study to ask (503).
struct Conflict : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct AskOrder {
  std::int64_t count = 1;
  std::string worker = "http";
};
struct TellOrder {
  std::int64_t trial = 0;
  std::string query = {};  // not "": the name of a query instead, asked or not
  double value = 0;
  std::optional<double> noise_sd = {};
  std::int64_t replicates = 1;
  std::optional<std::int64_t> count = {};  // then there is no value
  std::optional<double> exposure = {};
  bool amend = false;
  std::string worker = "http";
};
struct FailOrder {
  std::int64_t trial = 0;
  std::string reason = {};
  std::string worker = "http";
};
class Desk {
 public:
  virtual ~Desk() = default;
  virtual std::string ask(const AskOrder& order) = 0;
  virtual std::string tell(const TellOrder& order) = 0;
  virtual std::string fail(const FailOrder& order) = 0;
};

struct Rules {
  // Names of this server, lower case: "localhost:8080", ..., or "https://lab.example" if a proxy encrypts for it. Pages
  // that ask must have been loaded by that very name: http://localhost:8080, https://lab.example.
  std::vector<std::string> hosts = {};
  std::string token = {};  // "": nobody may write
  bool token_to_read = false;
};

class Site {
 public:
  // `desk` may be null: then nobody can write. `page`: HTML, or "" if this program has none.
  Site(Rules rules, std::string page, std::shared_ptr<Desk> desk = nullptr);

  Reply handle(const Request& request, const View& view) const;

  static const std::vector<std::string>& orders();  // their paths
  static bool takes_body(const Request& request);   // whether its body must be read

  // Sent with every reply, including those of the listener itself.
  static const std::vector<std::pair<std::string, std::string>>& headers();

 private:
  bool knows(const std::string& host) const;
  bool knows_origin(const std::string& origin) const;
  bool has_token(const Request& request, bool by_cookie) const;
  Reply read(const Request& request, const std::string& path, const std::string& query, const View& view) const;
  Reply write(const Request& request, const std::string& path) const;
  std::string page_with(const View& view) const;

  Rules rules_;
  std::string page_;
  std::string page_policy_;
  std::shared_ptr<Desk> desk_;
};

// {"error": "..."}, the form of every refusal.
Reply refusal(int status, const std::string& why);

}  // namespace iqbo::server
