#include "listener.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>
#include <set>

#include "iqbo/core/check.hpp"
#include "socket_stream.hpp"

namespace iqbo::server {
namespace {

constexpr int kBacklog = 512;  // httplib's own is 5
constexpr int kRetrySeconds = 5;

thread_local SocketStream* connection = nullptr;  // of the request that this thread serves

Request request_of(const httplib::Request& from) {
  Request out{from.method, from.target, from.get_header_value("Host")};
  if (from.get_header_value_count("Host") > 1) out.host.clear();
  if (from.has_header("Origin")) out.origin = from.get_header_value("Origin");
  if (from.get_header_value_count("Origin") > 1) out.origin = "";  // which no server has
  out.authorization = from.get_header_value("Authorization");
  out.cookie = from.get_header_value("Cookie");
  out.content_type = from.get_header_value("Content-Type");
  out.body = from.body;
  return out;
}

void send(const Reply& reply, httplib::Response& to) {
  to.status = reply.status;
  for (const auto& [name, value] : reply.headers) to.set_header(name, value);
  if (!reply.stream) to.set_content(reply.body, reply.type);
}

std::string event_text(std::int64_t event) {
  const std::string number = std::to_string(event);
  return "id: " + number + "\nevent: changed\ndata: {\"last_event\": " + number + "}\n\n";
}

}  // namespace

class Listener::Server final : public httplib::Server {
 public:
  explicit Server(const ListenOptions& options) : options_(options) {
    new_task_queue = [this] {
      return new httplib::ThreadPool(static_cast<std::size_t>(options_.threads + options_.streams));
    };
    set_payload_max_length(options.most_body);
    // Not httplib's SO_REUSEPORT, with which two servers could share a port unnoticed.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    httplib::Headers usual;
    for (const auto& each : Site::headers()) usual.insert(each);
    set_default_headers(usual);
    set_exception_handler([](const auto&, auto& reply, const std::exception_ptr&) {
      send(refusal(500, "an internal error occurred; the server continues"), reply);
    });
    set_error_handler([](const httplib::Request&, httplib::Response& reply) {
      if (reply.body.empty()) send(refusal(reply.status, "this request cannot be answered"), reply);
    });
  }

  // Ends without waiting for clients. stop() works only on a server that listens, so this waits until it does.
  void end() {
    for (int i = 0; i < 1000 && !is_running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stop();
    const std::lock_guard lock(mutex_);
    ended_ = true;
    for (const socket_t each : connections_) shutdown(each, SHUT_RDWR);
  }

  void serve(const Site& site, Live& live) {
    const auto answer = [this, &site, &live](const httplib::Request& request, httplib::Response& reply) {
      const Reply said = site.handle(request_of(request), *live.view());
      send(said, reply);
      if (said.stream && request.method == "GET") stream(live, reply);
    };
    // Only orders have bodies that are read, and only as JSON: httplib's parser of forms runs regular expressions over
    // what strangers send, and any page may send forms.
    set_pre_routing_handler([answer](const httplib::Request& request, httplib::Response& reply) {
      if (Site::takes_body(request_of(request))) return HandlerResponse::Unhandled;
      answer(request, reply);
      return HandlerResponse::Handled;
    });
    for (const std::string& path : Site::orders()) Post(path, answer);
    ::listen(svr_sock_, kBacklog);
    listen_after_bind();
  }

 private:
  // Sends one event at first, then one after each change; and now and then a comment, which detects closed connections.
  void stream(Live& live, httplib::Response& reply) {
    const auto open = std::make_shared<OpenStream>(streams_);
    if (open->number > options_.streams) {
      send(refusal(503, "too many streams; try again later"), reply);
      reply.set_header("Retry-After", std::to_string(kRetrySeconds));
      return;
    }
    connection->keep_open();
    const auto last = std::make_shared<std::int64_t>(-1);
    const std::chrono::milliseconds beat(static_cast<long>(1000.0 * options_.heartbeat_seconds));
    reply.set_chunked_content_provider(
        "text/event-stream", [&live, open, last, beat, client = connection](std::size_t, httplib::DataSink& sink) {
          const std::string text = next_text(live, *client, *last, beat);
          if (text.empty()) {
            sink.done();
            return true;
          }
          return sink.write(text.data(), text.size());
        });
  }

  // Waits for news, or until it is time for a comment; "" if the stream ends: the client has left, the server stops, or
  // the study cannot be read, which the client learns when it asks again.
  static std::string next_text(Live& live, const SocketStream& client, std::int64_t& last,
                               std::chrono::milliseconds beat) {
    constexpr std::chrono::milliseconds kGlance{250};  // so soon is it noticed that a client has left
    using Clock = std::chrono::steady_clock;
    for (const auto end = Clock::now() + beat; Clock::now() < end;) {
      const auto view = live.newer_than(last, std::min(kGlance, beat));
      if (live.closed() || !view->trouble.empty() || !client.is_writable()) return {};
      if (view->last_event > last) {
        last = view->last_event;
        return event_text(last);
      }
    }
    return ": still here\n\n";
  }

  // Counts a stream while it lives.
  struct OpenStream {
    explicit OpenStream(std::atomic<int>& all) : count(all), number(++all) {}
    ~OpenStream() { --count; }
    OpenStream(const OpenStream&) = delete;
    OpenStream& operator=(const OpenStream&) = delete;
    std::atomic<int>& count;
    int number;
  };

  bool process_and_close_socket(socket_t socket) override {
    SocketStream stream(socket, options_.request_seconds, options_.reply_seconds, 2 * options_.most_body);
    {
      const std::lock_guard lock(mutex_);
      connections_.insert(socket);
      if (ended_) shutdown(socket, SHUT_RDWR);  // it was still in the queue
    }
    connection = &stream;
    bool closed = false;
    const bool done = process_request(stream, true, closed, [](httplib::Request& request) {
      request.ranges.clear();  // a thousand ranges of a report would mean a thousand reports
    });
    connection = nullptr;
    // Unread input would make the kernel reset the connection and drop the reply: read some of it.
    shutdown(socket, SHUT_WR);
    SocketStream tail(socket, 0.2, 0.0, 4 * options_.most_body);
    for (char rest[4096]; tail.read(rest, sizeof rest) > 0;) {
    }
    const std::lock_guard lock(mutex_);
    connections_.erase(socket);
    close(socket);
    return done;
  }

  ListenOptions options_;
  std::atomic<int> streams_ = 0;
  std::mutex mutex_;
  std::set<socket_t> connections_;
  bool ended_ = false;
};

Listener::Listener(ListenOptions options) : options_(std::move(options)), server_(std::make_unique<Server>(options_)) {
  port_ = options_.port;
  const bool bound = port_ == 0 ? (port_ = server_->bind_to_any_port(options_.address)) > 0
                                : server_->bind_to_port(options_.address, port_);
  if (!bound)
    refuse("address", options_.address + " port " + std::to_string(options_.port) + " cannot be used",
           "one of this machine's that is free; --port 0 takes any");
}

Listener::~Listener() = default;

void Listener::run(const Site& site, Live& live) { server_->serve(site, live); }
void Listener::stop() { server_->end(); }

bool is_loopback(const std::string& address) {
  in_addr four{};
  const bool is_four = inet_pton(AF_INET, address.c_str(), &four) == 1;
  return address == "localhost" || address == "::1" || (is_four && (ntohl(four.s_addr) >> 24U) == 127U);
}

}  // namespace iqbo::server
