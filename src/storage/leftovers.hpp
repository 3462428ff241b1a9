// What processes left behind that were killed while they made a study.
#pragma once

#include <filesystem>

namespace iqbo {

// Removes "<name>.new-<process>", with SQLite's suffixes, from the folder of `target`, if that process is gone. Touches
// nothing that does not begin as a study of iqbo does; other contents only if <name> is that of `target`.
void remove_leftovers(const std::filesystem::path& target);

}  // namespace iqbo
