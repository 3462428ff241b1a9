// Watches a study: a thread polls for new events and makes a new view of them. No request waits for that.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "handler.hpp"

namespace iqbo::server {

class Live {
 public:
  struct Source {
    std::function<std::int64_t()> last_event;            // cheap
    std::function<View()> look;                          // may take seconds
    std::function<void(const std::string&)> complain{};  // when either throws
  };

  // Looks once before it returns; throws what that throws.
  explicit Live(Source source, std::chrono::milliseconds every = std::chrono::milliseconds(500));
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  // What the study was when it was last seen. After a NumericalError (answers that contradict each other) that is the last
  // view; after any other error, such as a file that was removed, one that has no study but says what is wrong.
  std::shared_ptr<const View> view() const;

  // Waits until the view includes events after `event`, or has trouble to report; at most for `most`.
  std::shared_ptr<const View> newer_than(std::int64_t event, std::chrono::milliseconds most) const;

  void close();  // stops looking; wakes all waiting threads
  bool closed() const;

 private:
  void watch();
  void replace(View view);

  Source source_;
  std::chrono::milliseconds every_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::shared_ptr<const View> view_;
  bool closed_ = false;
  std::thread watcher_;
};

}  // namespace iqbo::server
