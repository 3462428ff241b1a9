#include "iqbo/record/text_file.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "iqbo/core/check.hpp"
#include "new_file.hpp"

namespace iqbo {
namespace fs = std::filesystem;

namespace {

std::string megabytes(std::size_t bytes) {
  return bytes < 1'000'000 ? std::to_string(bytes) + " bytes" : std::to_string(bytes / 1'000'000) + " MB";
}

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0) error = std::error_code(errno, std::generic_category());
  if (error) refuse(folder.string(), error.message(), "a folder that can be written");
}

std::string read_text(const fs::path& path, std::size_t most) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse(path.string(), "is a folder", "a file");
  if (fs::is_character_file(status) || fs::is_block_file(status)) refuse(path.string(), "is a device", "a file");
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (const auto size = fs::file_size(path, ignored); !ignored && size <= most) text.reserve(size);
  std::array<char, 65536> part{};
  while (in.read(part.data(), part.size()) || in.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most)
      refuse(path.string(), "has more than " + megabytes(most), "a file of at most " + megabytes(most));
  }
  if (in.bad() || !in.eof()) refuse(path.string(), "cannot be read", "a file");
  return text;
}

void require_regular(const fs::path& path) {
  if (path.empty()) refuse("file", "has no name", "the name of a file");
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);  // follows links
  if (fs::exists(status) && !fs::is_regular_file(status))
    refuse(path.string(), fs::is_directory(status) ? "is a folder" : "is a pipe or a device",
           "a new name, or that of a file to replace");
  if (!path.has_filename()) refuse(path.string(), "is a folder", "a new name, or that of a file to replace");
}

void write_text(const fs::path& path, std::string_view text) {
  require_regular(path);
  std::error_code error;
  const bool linked = fs::is_symlink(fs::symlink_status(path, error));
  try {
    internal::NewFile file(linked ? fs::weakly_canonical(path) : path);  // a link stays one
    file.write(text);
    file.replace();
  } catch (const std::system_error& failed) {
    refuse(path.string(), failed.code().message(), "a file that can be written");
  }
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
