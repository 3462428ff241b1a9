// A name for a worker that a restart finds again: host-1, host-2, ... the lowest that no living process uses for the same
// study, or the one that is given. It is given back when its process ends, however it ends.
#pragma once

#include <optional>
#include <string>

#include "storage/held_name.hpp"

namespace iqbo::cli {

class WorkerSlot {
 public:
  // With `wanted`, that name; refuses one that a living process has.
  explicit WorkerSlot(const std::string& study, const std::string& wanted = {});

  const std::string& name() const { return name_; }

  // Takes the name again if the connection that held it was lost. Refuses to go on once another process has it, and with it the
  // trials that are out.
  void keep();

 private:
  std::string study_;
  std::string name_;
  std::optional<internal::HeldName> held_;
};

}  // namespace iqbo::cli
