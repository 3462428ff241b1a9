#include "live.hpp"

#include <algorithm>

#include "iqbo/core/errors.hpp"

namespace iqbo::server {
namespace {
constexpr std::int64_t kNoEvent = -2;  // which no study has: the next look that succeeds is news
}

Live::Live(Source source, std::chrono::milliseconds every)
    : source_(std::move(source)), every_(every), view_(std::make_shared<const View>(source_.look())) {
  watcher_ = std::thread([this] { watch(); });
}

Live::~Live() {
  close();
  watcher_.join();
}

std::shared_ptr<const View> Live::view() const {
  const std::lock_guard lock(mutex_);
  return view_;
}

std::shared_ptr<const View> Live::newer_than(std::int64_t event, std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] { return closed_ || view_->last_event > event || !view_->trouble.empty(); });
  return view_;
}

void Live::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool Live::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

void Live::replace(View view) {
  auto now = std::make_shared<const View>(std::move(view));
  const std::lock_guard lock(mutex_);
  view_ = std::move(now);
  changed_.notify_all();
}

void Live::watch() {
  using Clock = std::chrono::steady_clock;
  bool complained = false;
  Clock::duration pause = every_;  // at least as long as the last look took, to leave half a processor for measurements
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, pause, [&] { return closed_; })) return;
    }
    pause = every_;
    try {
      if (source_.last_event() == view()->last_event) continue;
      const auto begin = Clock::now();
      replace(source_.look());
      pause = std::max<Clock::duration>(every_, Clock::now() - begin);
      complained = false;
    } catch (const std::exception& error) {
      if (!complained && source_.complain) source_.complain(error.what());
      complained = true;  // report once, not twice a second
      if (dynamic_cast<const NumericalError*>(&error) != nullptr) continue;
      View none;
      none.last_event = kNoEvent;
      none.trouble = error.what();
      replace(std::move(none));
    }
  }
}

}  // namespace iqbo::server
