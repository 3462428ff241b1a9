// Whether SQLite's write-ahead log, left by a process that was killed, is as SQLite wrote it.
//
// SQLite reads the log up to the first page whose checksum is wrong and forgets the rest, because that is how a log looks whose
// last change was cut off. If pages of the same log follow, though, it was not cut off there: bytes have changed since, and
// changes that were acknowledged would be lost without a word.
//
// Pages are written in order. A kill leaves no page behind a wrong one, and a loss of power only pages of the one change under
// way, so that after a restart of the machine two later changes are needed for a proof. What cannot be told from a change that was
// cut off is a wrong page at the very end.
//
// Format: sqlite.org/fileformat2.html, section 4.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace iqbo {

struct LogDamage {
  std::size_t good = 0;  // changes before the wrong page
  std::size_t lost = 0;  // changes from there on, at least
};

// None: there is no log, or nothing proves that it was changed. Another process may be writing to it meanwhile. The file is opened and
// closed, which drops no lock: SQLite has none on it.
std::optional<LogDamage> damage_of_log(const std::filesystem::path& log);

}  // namespace iqbo
