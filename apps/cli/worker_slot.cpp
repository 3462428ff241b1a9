#include "worker_slot.hpp"

#include "common_options.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::cli {

using namespace internal;

// A run that was killed and restarted at once gets its name again, though a server needs a moment to release it. Only
// the first slot is waited for: by then the server has released the others, too.
WorkerSlot::WorkerSlot(const std::string& study, const std::string& wanted) : study_(study), name_(wanted) {
  constexpr double kPatience = 2;
  const double patience = study.find("://") == std::string::npos ? 0 : kPatience;
  if (!wanted.empty()) {
    held_ = HeldName::hold(study, name_, patience);
    if (!held_) refuse("worker", "a running process of this study is called \"" + wanted + "\"", "another name");
  }
  for (int slot = 1; !held_; ++slot) {
    name_ = host_name() + "-" + std::to_string(slot);
    held_ = HeldName::hold(study, name_, slot == 1 ? patience : 0);
  }
}

void WorkerSlot::keep() {
  if (held_ && held_->held()) return;
  held_.reset();
  held_ = HeldName::hold(study_, name_);
  if (!held_)
    refuse("worker", "another process became " + in_quotes(name_) + " while the connection to the server was lost",
           "only one; that process continues with the trials pending here");
}

}  // namespace iqbo::cli
