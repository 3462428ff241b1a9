// What long work is doing, for whoever shows it to a person.
//
//   const Activity now("fitting the model to 500 answers");
//
// Activities of a thread are nested; the innermost is the one to show. A program that shows them looks at
// current_activity() now and then, for instance whenever it is asked whether to stop (StopScope).
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace iqbo::internal {

class Activity {
 public:
  explicit Activity(std::string what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  friend const std::string* current_activity();
  std::string what_;
  const Activity* outer_;
  std::chrono::steady_clock::time_point begin_;
};

const std::string* current_activity();  // of this thread; null for none

// Called when the outermost activity of a thread ends, so that a line about it can be removed. For one program to set.
void on_last_activity(std::function<void()> call);

// Called, in its thread, when an activity begins (seconds < 0) and when it ends, with the seconds that it took. It must not
// throw. For one program to set, before there are activities.
void on_every_activity(std::function<void(const std::string& what, double seconds)> call);

}  // namespace iqbo::internal
