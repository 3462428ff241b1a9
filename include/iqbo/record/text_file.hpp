// Whole files of text; a file that cannot be read or written is refused with its path and the reason.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace iqbo {

constexpr std::size_t kMostText = 256'000'000;  // bytes; a table of ten million numbers has fewer

void make_folder(const std::filesystem::path& folder);

// A regular file, or a pipe, which may not be endless: more than `most` bytes are refused. So are devices.
std::string read_text(const std::filesystem::path& path, std::size_t most = kMostText);

// All of it or nothing. A new name, or one of a regular file, which is replaced; everything else is refused.
void write_text(const std::filesystem::path& path, std::string_view text);
void append_text(int file, std::string_view text, const std::filesystem::path& path);

// Refuses a name that is not free and not that of a regular file: a folder, a pipe, a device.
void require_regular(const std::filesystem::path& path);

}  // namespace iqbo
