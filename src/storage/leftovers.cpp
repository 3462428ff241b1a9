#include "leftovers.hpp"

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace iqbo {

namespace fs = std::filesystem;

namespace {

// No process has a larger number (the kernel's PID_MAX_LIMIT): "plan.new-20261117" is somebody's.
constexpr long kLargestProcess = 4'194'304;

bool has_ended(long process) {
  return process <= kLargestProcess && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

// Empty, or as a study of iqbo begins.
bool may_be_a_study(const fs::path& file) {
  std::array<char, 72> start{};
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), start.size());
  const std::string_view text(start.data(), static_cast<std::size_t>(in.gcount()));
  return text.empty() ||
         (text.size() == start.size() && text.starts_with("SQLite format 3") && text.substr(68, 4) == "iqbo");
}

// A study in which something has happened was complete: somebody has given it that name. What cannot be read may be one.
bool may_have_events(const fs::path& file) {
  try {
    soci::session sql(soci::sqlite3, "readonly=true dbname=\"" + file.string() + "\"");
    long long count = 0;
    sql << "SELECT COUNT(*) FROM sqlite_master WHERE name = 'iqbo_event'", soci::into(count);
    if (count > 0) sql << "SELECT COUNT(*) FROM iqbo_event", soci::into(count);
    return count > 0;
  } catch (const soci::soci_error&) {
    return true;
  }
}

}  // namespace

void remove_leftovers(const fs::path& target) {
  static const std::regex kLeft(R"(.+\.new-(\d{1,9}))");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    std::smatch parts;
    if (!std::regex_match(name, parts, kLeft) || !fs::is_regular_file(entry.symlink_status(ignored))) continue;
    if (has_ended(std::stol(parts[1])) && may_be_a_study(entry.path()) && !may_have_events(entry.path()))
      left.push_back(entry.path());
  }
  for (const fs::path& file : left)
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(file.string() + suffix, ignored);
}

}  // namespace iqbo
