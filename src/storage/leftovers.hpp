// What processes left behind that were killed while they made a study.
#pragma once

#include <filesystem>

namespace iqbo {

// Removes "<name>.new-<process>", with SQLite's suffixes, from the folder of `target`, if that process has ended and the
// file is empty or a study in which nothing has happened yet. Touches nothing else: a study may be called that.
void remove_leftovers(const std::filesystem::path& target);

}  // namespace iqbo
