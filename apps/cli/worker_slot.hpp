// A name for a worker that a restart finds again: host-1, host-2, ... the lowest that no living process of this machine uses
// for the same study. The kernel gives a slot back when its process ends, however it ends.
#pragma once

#include <string>

namespace iqbo::cli {

class WorkerSlot {
 public:
  explicit WorkerSlot(const std::string& study);
  ~WorkerSlot();
  WorkerSlot(const WorkerSlot&) = delete;
  WorkerSlot& operator=(const WorkerSlot&) = delete;

  const std::string& name() const { return name_; }

 private:
  int lock_ = -1;
  std::string name_;
};

}  // namespace iqbo::cli
