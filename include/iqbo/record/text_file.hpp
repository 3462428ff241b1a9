// Whole files of text; a file that cannot be read or written is refused with its path and the reason.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace iqbo {

void make_folder(const std::filesystem::path& folder);
std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, std::string_view text);  // all of it or nothing
void append_text(int file, std::string_view text, const std::filesystem::path& path);

}  // namespace iqbo
