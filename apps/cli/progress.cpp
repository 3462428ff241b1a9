#include "progress.hpp"

#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "core/activity.hpp"

namespace iqbo::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{1000}, kBetween{200};

struct Line {
  bool wanted = false;
  bool shown = false;
  Clock::time_point begin, last;
};

Line& line() {
  static Line only;
  return only;
}

// Past std::cerr, which shows no codes that a terminal obeys (clean_output.hpp). It is not buffered, so the order stays.
void put(const std::string& text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) line().wanted = false;
}

void remove_line() {
  if (std::exchange(line().shown, false)) put("\r\033[K");
}

}  // namespace

void watch_progress() {
  line() = {isatty(STDERR_FILENO) != 0, false, Clock::now(), {}};
  if (line().wanted) internal::on_last_activity(remove_line);
}

void show_progress() {
  Line& now = line();
  const std::string* what = now.wanted ? internal::current_activity() : nullptr;
  if (what == nullptr) return;
  const auto time = Clock::now();
  if (time - now.begin < kPatience || time - now.last < kBetween) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time - now.begin).count();
  put("\r\033[K" + *what + ", " + std::to_string(seconds) + " s");
  now.last = time;
  now.shown = true;
}

}  // namespace iqbo::cli
