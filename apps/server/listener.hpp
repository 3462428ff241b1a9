// Sockets for a site (handler.hpp): cpp-httplib, bounded in every direction.
//
//   A request must have arrived in full `request_seconds` after it was accepted, however slowly; a reply must be taken
//   in `reply_seconds`; bodies have at most `most_body` bytes; a connection serves one request, in a thread (`threads`,
//   besides those of streams); streams beyond `streams` get 503 with Retry-After, so that others are served.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "handler.hpp"
#include "live.hpp"

namespace iqbo::server {

struct ListenOptions {
  std::string address = "127.0.0.1";
  int port = 8080;  // 0: any free one
  int streams = 64;
  int threads = 96;  // besides those of streams
  double request_seconds = 10;
  double reply_seconds = 60;
  double heartbeat_seconds = 15;  // interval, if a stream has no events
  std::size_t most_body = 65536;
};

class Listener {
 public:
  // Takes the port; throws std::invalid_argument if it cannot.
  explicit Listener(ListenOptions options);
  ~Listener();

  int port() const { return port_; }
  void run(const Site& site, Live& live);  // until stop()
  void stop();                             // from another thread

 private:
  class Server;
  ListenOptions options_;
  std::unique_ptr<Server> server_;
  int port_ = 0;
};

bool is_loopback(const std::string& address);

}  // namespace iqbo::server
