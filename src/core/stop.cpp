#include "iqbo/core/stop.hpp"

#include <utility>

namespace iqbo {
namespace {

thread_local const StopScope* innermost = nullptr;
thread_local int shields = 0;

}  // namespace

StopScope::StopScope(std::function<bool()> stop) : stop_(std::move(stop)), outer_(std::exchange(innermost, this)) {}
StopScope::~StopScope() { innermost = outer_; }

StopShield::StopShield() { ++shields; }
StopShield::~StopShield() { --shields; }

void stop_point() {
  if (shields > 0) return;
  for (const StopScope* scope = innermost; scope != nullptr; scope = scope->outer_)
    if (scope->stop_ && scope->stop_()) throw Stopped();
}

}  // namespace iqbo
