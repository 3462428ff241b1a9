#include "socket_stream.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace iqbo::server {
namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long>(1000.0 * seconds));
}

}  // namespace

SocketStream::SocketStream(socket_t socket, double read_seconds, double write_seconds, std::size_t most)
    : socket_(socket),
      read_until_(Clock::now() + milliseconds(read_seconds)),
      write_seconds_(write_seconds),
      left_(most) {}

bool SocketStream::wait_for(short events, Clock::time_point until) const {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd one{socket_, static_cast<short>(events | POLLRDHUP), 0};
    const int ready = poll(&one, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || (one.revents & (POLLERR | POLLNVAL)) != 0) return false;
    if ((events & POLLOUT) != 0 && open_ended_ && (one.revents & (POLLRDHUP | POLLHUP)) != 0) return false;
    if ((one.revents & (events | POLLHUP)) != 0) return true;
    if ((events & POLLIN) != 0 && (one.revents & POLLRDHUP) != 0) return true;
  }
}

SocketStream::Clock::time_point SocketStream::write_until() const {
  if (open_ended_ || !writing_since_) writing_since_ = Clock::now();
  return *writing_since_ + milliseconds(write_seconds_);
}

bool SocketStream::is_readable() const { return begin_ < end_ || wait_for(POLLIN, read_until_); }
bool SocketStream::is_writable() const { return wait_for(POLLOUT, write_until()); }

ssize_t SocketStream::read(char* out, size_t size) {
  if (begin_ == end_) {
    if (left_ == 0 || !wait_for(POLLIN, read_until_)) return -1;
    const ssize_t got = recv(socket_, buffer_.data(), std::min(buffer_.size(), left_), 0);
    if (got <= 0) return got;
    left_ -= static_cast<std::size_t>(got);
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
  }
  const std::size_t count = std::min(size, end_ - begin_);
  std::memcpy(out, buffer_.data() + begin_, count);
  begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t SocketStream::write(const char* data, size_t size) {
  if (!is_writable()) return -1;
  return send(socket_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Nothing uses these.
void SocketStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}
void SocketStream::get_local_ip_and_port(std::string& ip, int& port) const { get_remote_ip_and_port(ip, port); }

}  // namespace iqbo::server
