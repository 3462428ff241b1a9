#include "iqbo/record/text_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0) error = std::error_code(errno, std::generic_category());
  if (error) refuse(folder.string(), error.message(), "a folder that can be written");
}

std::string read_text(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) refuse(path.string(), "is a folder", "a file");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();  // sets failbit of `text`, not of `in`, where the file is empty
  if (!in || in.bad()) refuse(path.string(), "cannot be read", "a file");
  return text.str();
}

void write_text(const fs::path& path, std::string_view text) {
  const fs::path unfinished = path.string() + ".part";
  {
    std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    if (!file) refuse(path.string(), std::strerror(errno), "a file that can be written");
  }
  fs::rename(unfinished, path);
}

void append_text(int file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(path.string(), std::strerror(errno), "a file that can be written");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace iqbo
