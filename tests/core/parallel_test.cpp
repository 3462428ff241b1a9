#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

// Sets IQBO_THREADS for a while.
class WithThreads {
 public:
  explicit WithThreads(const char* count) { setenv("IQBO_THREADS", count, 1); }
  ~WithThreads() { unsetenv("IQBO_THREADS"); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;
};

TEST(InParallel, CallsEachOnceOnSeveralThreads) {
  const WithThreads three("3");
  EXPECT_EQ(threads(), 3U);
  std::vector<std::atomic<int>> calls(200);
  std::set<std::thread::id> who;
  std::mutex mutex;
  in_parallel(200, [&](Index i) {
    ++calls[static_cast<std::size_t>(i)];
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const std::lock_guard lock(mutex);
    who.insert(std::this_thread::get_id());
  });
  for (const auto& each : calls) EXPECT_EQ(each, 1);
  EXPECT_EQ(who.size(), 3U);
}

TEST(InParallel, NotInsideOfItself) {
  const WithThreads three("3");
  std::atomic<int> elsewhere = 0;
  in_parallel(3, [&](Index) {
    const auto outer = std::this_thread::get_id();
    in_parallel(5, [&](Index) { elsewhere += std::this_thread::get_id() == outer ? 0 : 1; });
  });
  EXPECT_EQ(elsewhere, 0);
}

TEST(InParallel, ThrowsTheFirstOfTheFailures) {
  const WithThreads three("3");
  std::atomic<int> begun = 0;
  const auto body = [&](Index i) {
    ++begun;
    if (i < 3) throw std::runtime_error(std::to_string(i));
  };
  try {
    in_parallel(1000, body);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).size(), 1U);
  }
  EXPECT_LT(begun, 1000);
}

TEST(InParallel, StopsWithTheCaller) {
  const WithThreads two("2");
  std::atomic<bool> stop = false;
  const StopScope scope([&] { return stop.load(); });
  EXPECT_THROW(in_parallel(2,
                           [&](Index i) {
                             if (i == 1) stop = true;
                             for (;;) stop_point();
                           }),
               Stopped);
}

TEST(InParallel, NothingToDo) {
  in_parallel(0, [](Index) { FAIL(); });
}

}  // namespace
}  // namespace iqbo::internal
