// A name that one living process has on a study: nobody else gets it until that process lets go or ends, however it ends,
// whichever user, folder, container or host it runs in.
//
//   file      a lock on one byte of <file>-workers, a file that stays; the kernel frees the lock
//   server    an advisory lock of a connection of its own; the server frees it when the connection ends: ask held() now and then
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "iqbo/storage/storage_error.hpp"

namespace iqbo::internal {

class HeldName {
 public:
  // None if it is held elsewhere, for `patience` seconds on end: a server takes a moment to see that a process has died.
  static std::optional<HeldName> hold(const std::string& location, const std::string& name, double patience = 0);

  bool held() const { return held_(); }  // false: the connection is lost, and anybody may have the name by now

 private:
  HeldName(std::shared_ptr<void> lock, std::function<bool()> held) : lock_(std::move(lock)), held_(std::move(held)) {}
  std::shared_ptr<void> lock_;
  std::function<bool()> held_;
};

}  // namespace iqbo::internal
