// A name that one living process has on a study: nobody else gets it until that process lets go or ends, however it ends,
// whichever user, folder, container or host it runs in.
//
//   file      a lock on one byte of <file>-workers, a file that stays; the kernel frees the lock
//   server    an advisory lock of a connection of its own; the server frees it when the connection ends. A server that is
//             restarted forgets it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "iqbo/storage/storage_error.hpp"

namespace iqbo {

class HeldName {
 public:
  // None if it is held elsewhere, for `patience` seconds on end: a server takes a moment to see that a process has died.
  static std::optional<HeldName> hold(const std::string& location, const std::string& name, double patience = 0);

 private:
  explicit HeldName(std::shared_ptr<void> lock) : lock_(std::move(lock)) {}
  std::shared_ptr<void> lock_;
};

}  // namespace iqbo
