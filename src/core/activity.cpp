#include "activity.hpp"

#include <utility>

namespace iqbo::internal {
namespace {

thread_local const Activity* innermost = nullptr;

std::function<void()>& last_call() {
  static std::function<void()> call;
  return call;
}

std::function<void(const std::string&, double)>& every_call() {
  static std::function<void(const std::string&, double)> call;
  return call;
}

}  // namespace

Activity::Activity(std::string what)
    : what_(std::move(what)), outer_(std::exchange(innermost, this)), begin_(std::chrono::steady_clock::now()) {
  if (every_call()) every_call()(what_, -1);
}

Activity::~Activity() {
  if (every_call())
    every_call()(what_, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
  innermost = outer_;
  if (innermost == nullptr && last_call()) last_call()();
}

const std::string* current_activity() { return innermost == nullptr ? nullptr : &innermost->what_; }

void on_last_activity(std::function<void()> call) { last_call() = std::move(call); }

void on_every_activity(std::function<void(const std::string& what, double seconds)> call) {
  every_call() = std::move(call);
}

}  // namespace iqbo::internal
