#include "limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include "commands.hpp"
#include "common_options.hpp"
#include "show.hpp"

namespace iqbo::cli {

// --- time ---

namespace {

constexpr double kGrace = 2;  // seconds, for computations that look whether they should stop

std::atomic<bool> over = false;
double allowed_seconds = 0;

void watch(double seconds) {
  constexpr double kLongest = 1e9;  // 30 years: sleep_for() takes far more for no time at all
  if (seconds > kLongest) return;
  allowed_seconds = seconds;
  std::thread([seconds] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    over = true;
    std::this_thread::sleep_for(std::chrono::duration<double>(kGrace));
    const std::string words = "iqbo: " + time_message() + "\n";
    if (write(STDERR_FILENO, words.data(), words.size()) < 0) _exit(kTimedOut);
    _exit(kTimedOut);
  }).detach();
}

}  // namespace

void add_memory_limit(CLI::App& command) { command.parse_complete_callback(limit_memory); }

void add_limits(CLI::App& command) {
  add_memory_limit(command);
  command
      .add_option_function<double>(
          "--timeout", [](double seconds) { watch(seconds); },
          "Give up after this many seconds (exit code " + std::to_string(kTimedOut) + ")")
      ->check(positive());
}

bool time_is_over() { return over; }

std::string time_message() {
  return "gave up after " + short_number(allowed_seconds) + " s (--timeout); finished work is kept";
}

// --- memory ---

namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

struct Memory {
  std::uint64_t free = kUnknown;  // bytes
  std::string who;                // sets the limit
};

Memory memory_found;
rlimit usual_limit{};
bool is_limited = false;

// The first number of a file, or of the line that begins with `key`; "max" and files that are missing are unknown.
std::uint64_t number_in(const std::string& file, const std::string& key = {}) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t value = 0;
    if (!key.empty() && (!(words >> name) || name != key)) continue;
    return words >> value ? value : kUnknown;
  }
  return kUnknown;
}

void consider(std::uint64_t limit, std::uint64_t used, std::uint64_t reclaimable, const std::string& who) {
  if (limit == kUnknown || used == kUnknown) return;
  if (reclaimable == kUnknown) reclaimable = 0;
  const std::uint64_t taken = used - std::min(used, reclaimable);
  const std::uint64_t left = limit - std::min(limit, taken);
  if (left < memory_found.free) memory_found = {left, who};
}

// A control group and those around it, in the two versions that Linux has.
void consider_groups(std::string path) {
  for (;; path = path.substr(0, path.rfind('/'))) {
    const std::string two = "/sys/fs/cgroup" + path;
    consider(number_in(two + "/memory.max"), number_in(two + "/memory.current"),
             number_in(two + "/memory.stat", "inactive_file"), "the control group (" + two + "/memory.max)");
    const std::string one = "/sys/fs/cgroup/memory" + path;
    consider(number_in(one + "/memory.limit_in_bytes"), number_in(one + "/memory.usage_in_bytes"),
             number_in(one + "/memory.stat", "total_inactive_file"),
             "the control group (" + one + "/memory.limit_in_bytes)");
    if (path.empty()) return;
  }
}

// "0::/user.slice", or in version 1 "5:memory:/docker/1a2b".
std::vector<std::string> groups() {
  std::vector<std::string> out{""};
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t second = line.find(':', line.find(':') + 1);
    if (second == std::string::npos) continue;
    const bool memory = line.starts_with("0::") || line.find("memory") < second;
    if (memory && line.substr(second + 1) != "/") out.push_back(line.substr(second + 1));
  }
  return out;
}

}  // namespace

void limit_memory() {
  constexpr std::uint64_t kKilo = 1024;
  const std::uint64_t available = number_in("/proc/meminfo", "MemAvailable:");
  const std::uint64_t swap = number_in("/proc/meminfo", "SwapFree:");
  if (available != kUnknown && swap != kUnknown)
    consider(kKilo * (available + swap), 0, 0, "the memory of this machine");
  for (const std::string& path : groups()) consider_groups(path);
  const std::uint64_t now = number_in("/proc/self/status", "VmData:");
  if (memory_found.free == kUnknown || now == kUnknown || getrlimit(RLIMIT_DATA, &usual_limit) != 0) return;
  rlimit limit = usual_limit;
  // A little is left for the rest of the program, and for what it still has to say.
  const std::uint64_t most = kKilo * now + memory_found.free - memory_found.free / 20;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= most) return;
  limit.rlim_cur = most;
  is_limited = setrlimit(RLIMIT_DATA, &limit) == 0;
}

void lift_memory_limit() {
  if (is_limited) setrlimit(RLIMIT_DATA, &usual_limit);
}

double free_memory() {
  rlimit addresses{}, data{};
  getrlimit(RLIMIT_AS, &addresses);
  getrlimit(RLIMIT_DATA, &data);
  double out =
      memory_found.free == kUnknown ? std::numeric_limits<double>::infinity() : static_cast<double>(memory_found.free);
  for (const rlimit& each : {addresses, data})
    if (each.rlim_cur != RLIM_INFINITY) out = std::min(out, static_cast<double>(each.rlim_cur));
  return out;
}

std::string memory_message() {
  rlimit addresses{};
  getrlimit(RLIMIT_AS, &addresses);
  getrlimit(RLIMIT_DATA, &usual_limit);
  const bool by_user = addresses.rlim_cur != RLIM_INFINITY || (!is_limited && usual_limit.rlim_cur != RLIM_INFINITY);
  std::string out = "there is not enough memory for this";
  if (by_user)
    out += ": ulimit allows " +
           short_number(1e-9 * static_cast<double>(std::min(addresses.rlim_cur, usual_limit.rlim_cur))) + " GB";
  else if (is_limited)
    out += ": " + short_number(1e-9 * static_cast<double>(memory_found.free)) + " GB were free, by " + memory_found.who;
  return out + "; nothing is lost. Fewer targets, queries or answers need less";
}

}  // namespace iqbo::cli
