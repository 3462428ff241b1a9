// A connection for httplib, with deadlines for the whole request and reply: httplib's own time-outs restart with every
// byte, so that a client which sends one byte a second would hold its thread for ever.
#pragma once

#include <httplib.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>

namespace iqbo::server {

class SocketStream final : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // `most`: how many bytes may be read before the connection counts as broken.
  SocketStream(socket_t socket, double read_seconds, double write_seconds, std::size_t most);

  // From now on only each single write has a deadline: the stream may stay open.
  void keep_open() { open_ended_ = true; }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* out, size_t size) override;
  ssize_t write(const char* data, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool wait_for(short events, Clock::time_point until) const;
  Clock::time_point write_until() const;

  socket_t socket_;
  Clock::time_point read_until_;
  double write_seconds_;
  std::size_t left_;  // bytes that may still be read
  mutable std::optional<Clock::time_point> writing_since_;
  bool open_ended_ = false;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0, end_ = 0;  // of the bytes in it
};

}  // namespace iqbo::server
