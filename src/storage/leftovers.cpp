#include "leftovers.hpp"

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

bool is_alive(long process) { return kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM; }

bool begins_a_study(const fs::path& file) {
  std::array<char, 72> start{};
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), start.size());
  const std::string_view text(start.data(), static_cast<std::size_t>(in.gcount()));
  return text.size() == start.size() && text.starts_with("SQLite format 3") && text.substr(68, 4) == "iqbo";
}

}  // namespace

void remove_leftovers(const fs::path& target) {
  static const std::regex kLeft(R"((\.?(.+)\.new-(\d{1,9}))(?:-wal|-shm|-journal)?)");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    std::smatch parts;
    if (!std::regex_match(name, parts, kLeft) || !fs::is_regular_file(entry.symlink_status(ignored))) continue;
    if (is_alive(std::stol(parts[3]))) continue;
    if (parts[2] == target.filename().string() || begins_a_study(folder / parts[1].str())) left.push_back(entry.path());
  }
  for (const fs::path& file : left) fs::remove(file, ignored);
}

}  // namespace iqbo
