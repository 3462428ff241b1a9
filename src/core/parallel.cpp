#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

thread_local bool alone = false;

class Team {
 public:
  Team(Index count, const std::function<void(Index)>& body) : count_(count), body_(body) {}

  void run(unsigned members) {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < members; ++i) others.emplace_back([this] { help(); });
    work();
    wait(members - 1);
    others.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void help() {
    {
      const StopScope scope([this] { return stopped_.load(); });
      work();
    }
    const std::lock_guard lock(mutex_);
    ++ended_;
    someone_ended_.notify_one();
  }

  void work() {
    const Alone now;
    for (Index i = next_++; i < count_ && !stopped_; i = next_++) attempt(i, [&] { body_(i); });
  }

  template <class Call>
  void attempt(Index i, const Call& call) {
    try {
      call();
    } catch (...) {
      stopped_ = true;
      const std::lock_guard lock(mutex_);
      if (failure_ && failed_ < i) return;
      failure_ = std::current_exception();
      failed_ = i;
    }
  }

  // The caller may be stopped while it only waits.
  void wait(unsigned others) {
    std::unique_lock lock(mutex_);
    while (ended_ < others) {
      someone_ended_.wait_for(lock, std::chrono::milliseconds(20));
      lock.unlock();
      if (!stopped_) attempt(count_, [] { stop_point(); });
      lock.lock();
    }
  }

  Index count_;
  const std::function<void(Index)>& body_;
  std::atomic<Index> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable someone_ended_;
  unsigned ended_ = 0;
  std::exception_ptr failure_;
  Index failed_ = 0;
};

}  // namespace

Alone::Alone() : before_(std::exchange(alone, true)) {}
Alone::~Alone() { alone = before_; }

unsigned threads() {
  if (const char* given = std::getenv("IQBO_THREADS")) {
    const long count = std::strtol(given, nullptr, 10);
    if (count > 0) return static_cast<unsigned>(std::min(count, 1024L));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

void in_parallel(Index count, const std::function<void(Index)>& body) {
  const auto members = static_cast<unsigned>(std::min<Index>(count, static_cast<Index>(threads())));
  if (!alone && members > 1) return Team(count, body).run(members);
  for (Index i = 0; i < count; ++i) body(i);
}

}  // namespace iqbo::internal
