// A name for a worker that a restart finds again: the lowest of host-1, host-2, ... that no living process uses for the
// same study, or the given one. It is released when its process ends, however it ends.
#pragma once

#include <optional>
#include <string>

#include "storage/held_name.hpp"

namespace iqbo::cli {

class WorkerSlot {
 public:
  // With `wanted`, that name; refuses one that a living process holds.
  explicit WorkerSlot(const std::string& study, const std::string& wanted = {});

  const std::string& name() const { return name_; }

  // Takes the name again if the connection that held it was lost. Refuses to go on if another process holds it by now,
  // and with it the pending trials.
  void keep();

 private:
  std::string study_;
  std::string name_;
  std::optional<internal::HeldName> held_;
};

}  // namespace iqbo::cli
