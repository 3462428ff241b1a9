#include "activity.hpp"

#include <utility>

namespace iqbo::internal {
namespace {

thread_local const Activity* innermost = nullptr;

std::function<void()>& last_call() {
  static std::function<void()> call;
  return call;
}

}  // namespace

Activity::Activity(std::string what) : what_(std::move(what)), outer_(std::exchange(innermost, this)) {}

Activity::~Activity() {
  innermost = outer_;
  if (innermost == nullptr && last_call()) last_call()();
}

const std::string* current_activity() { return innermost == nullptr ? nullptr : &innermost->what_; }

void on_last_activity(std::function<void()> call) { last_call() = std::move(call); }

}  // namespace iqbo::internal
