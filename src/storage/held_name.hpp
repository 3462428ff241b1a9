// A name that one living process holds on a study: nobody else gets it until that process releases it or ends, however
// it ends, and whichever user, folder, container or host it runs in.
//
//   file      a lock on one byte of <file>-workers, a file that stays; the kernel frees the lock
//   server    an advisory lock of a separate connection; the server frees it when that ends: call held() now and then
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "iqbo/storage/storage_error.hpp"

namespace iqbo::internal {

class HeldName {
 public:
  // None if it is held elsewhere for all of `patience` seconds: a server needs a moment to notice a process's death.
  static std::optional<HeldName> hold(const std::string& location, const std::string& name, double patience = 0);

  bool held() const { return held_(); }  // false: the connection is lost, and another process may hold the name by now

 private:
  HeldName(std::shared_ptr<void> lock, std::function<bool()> held) : lock_(std::move(lock)), held_(std::move(held)) {}
  std::shared_ptr<void> lock_;
  std::function<bool()> held_;
};

}  // namespace iqbo::internal
