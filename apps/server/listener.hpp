// Sockets for a site (handler.hpp): cpp-httplib, bounded in every direction.
//
//   a request must have arrived whole `request_seconds` after it was accepted, byte by byte or not; a reply must be taken within
//   `reply_seconds`; bodies are at most `most_body` bytes; a connection serves one request. A thread serves one connection, so
//   `threads` of them at once, and streams beyond `streams` get 503 with Retry-After: what is left is for everybody else.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "handler.hpp"
#include "live.hpp"

namespace iqbo::server {

struct ListenOptions {
  std::string address = "127.0.0.1";
  int port = 8080;  // 0: any that is free
  int streams = 64;
  int threads = 96;  // besides those of streams
  double request_seconds = 10;
  double reply_seconds = 60;
  double heartbeat_seconds = 15;  // of a stream in which nothing happens
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
