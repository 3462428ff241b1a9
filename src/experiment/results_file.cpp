#include "results_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "iqbo/core/check.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/text_file.hpp"

namespace iqbo {
namespace fs = std::filesystem;
namespace {

const Entry& entry_of(const Experiment& experiment, Index job) {
  return experiment.entries[static_cast<std::size_t>(job) % experiment.entries.size()];
}

// Whether a row is one of the job-th replication.
bool belongs(const ResultRow& row, const Experiment& experiment, Index job) {
  const Entry& entry = entry_of(experiment, job);
  return row.problem == entry.problem && row.policy == entry.policy &&
         row.seed == experiment.first_seed + static_cast<std::uint64_t>(job) / experiment.entries.size();
}

constexpr std::string_view kTimingsHeader = "problem,policy,seed,rows,seconds\n";

// How the line of a replication begins in the table of times: up to the time itself.
std::string timing_start(const ResultRow& first, std::size_t rows) {
  std::string out = csv_line({first.problem, first.policy, std::to_string(first.seed), std::to_string(rows)});
  out.back() = ',';
  return out;
}

// A table of times without the column "rows", as earlier versions wrote it, gets one whose cells are empty.
void add_rows_column(const fs::path& timings) {
  if (!fs::exists(timings)) return;
  const std::string text = read_text(timings);
  if (text.empty() || text.starts_with(kTimingsHeader)) return;
  CsvTable table = parse_csv(text, timings.string());
  const auto at = static_cast<std::ptrdiff_t>(table.position("seconds"));
  table.columns.insert(table.columns.begin() + at, "rows");
  CsvRows rows;
  for (const CsvRow row : table.rows) {
    std::vector<std::string> cells(row.begin(), row.end());
    cells.insert(cells.begin() + at, "");
    rows.push_back(cells);
  }
  table.rows = std::move(rows);
  write_text(timings, to_csv(table));
}

// Refuses a configuration of another experiment; only the number of seeds may have grown.
void require_same(const fs::path& path, const std::string& expected) {
  auto found = nlohmann::json::parse(read_text(path), nullptr, false);
  auto wanted = nlohmann::json::parse(expected);
  if (!found.is_object()) refuse(path.string(), "is no JSON object", "the configuration of an experiment");
  found.erase("seeds");
  wanted.erase("seeds");
  const auto changes = nlohmann::json::diff(found, wanted);
  if (!changes.empty())
    refuse(path.string(), "another configuration (" + changes[0]["path"].get<std::string>() + " differs)",
           "the same one; choose another folder");
}

}  // namespace

void keep_configuration(const Experiment& experiment, const fs::path& folder) {
  make_folder(folder);
  const fs::path json = folder / (experiment.name + ".json");
  const std::string wanted = configuration(experiment);
  if (fs::exists(json)) require_same(json, wanted);
  if (!fs::exists(json) || read_text(json) != wanted) write_text(json, wanted);
}

ResultsFile::ResultsFile(const Experiment& experiment, const fs::path& folder)
    : csv_(folder / (experiment.name + ".csv")), timings_(folder / (experiment.name + ".timings.csv")) {
  make_folder(folder);
  const fs::path json = folder / (experiment.name + ".json");
  const std::string wanted = configuration(experiment);
  if (fs::exists(json))
    require_same(json, wanted);
  else if (fs::exists(csv_))
    refuse(csv_.string(), "no configuration beside it", json.string() + "; choose another folder");
  for (const fs::path& each : {csv_, timings_, json}) require_regular(each);
  file_ = ::open(csv_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) refuse(csv_.string(), std::strerror(errno), "a file that can be written");
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) refuse(csv_.string(), "in use by another process", "one at a time");
    add_rows_column(timings_);
    keep_whole(experiment);
    write_text(json, wanted);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

ResultsFile::~ResultsFile() { ::close(file_); }

void ResultsFile::keep_whole(const Experiment& experiment) {
  std::string text = read_text(csv_);
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
  const Index jobs = experiment.seeds * static_cast<Index>(experiment.entries.size());
  ResultTable rows = text.empty() ? ResultTable() : results_from_csv(text, csv_.string());
  std::size_t whole = 0;
  for (std::size_t row = 0; row < rows.size();) {
    std::size_t end = row;
    while (end < rows.size() && belongs(rows[end], experiment, replications_) &&
           rows[end].t == static_cast<std::int64_t>(end - row))
      ++end;
    if (replications_ >= jobs || end == row)
      refuse(csv_.string(),
             "row " + std::to_string(row + 2) + " is of seed " + std::to_string(rows[row].seed) + ", " +
                 rows[row].policy + " on " + rows[row].problem,
             replications_ >= jobs
                 ? "no more than " + std::to_string(experiment.seeds) + " seeds; choose another folder"
                 : "the rows in the order of this experiment; choose another folder");
    const Entry& entry = entry_of(experiment, replications_);
    const bool all_steps = !entry.budget && static_cast<Index>(end - row) == entry.steps;
    if (end == rows.size() && !all_steps && !was_timed(rows[row], end - row)) break;
    whole = row = end;
    ++replications_;
  }
  rows.resize(whole);
  const std::string kept = results_to_csv(rows);
  if (!text.empty() && text.compare(0, kept.size(), kept) != 0)
    refuse(csv_.string(), "was edited", "the file as it was written; choose another folder");
  if (::ftruncate(file_, text.empty() ? 0 : static_cast<off_t>(kept.size())) != 0)
    refuse(csv_.string(), std::strerror(errno), "a file that can be written");
  if (text.empty()) append_text(file_, kept, csv_);
  table_ = std::move(rows);
}

bool ResultsFile::was_timed(const ResultRow& first, std::size_t rows) const {
  if (!fs::exists(timings_)) return false;
  return read_text(timings_).find('\n' + timing_start(first, rows)) != std::string::npos;
}

void ResultsFile::append(const ResultTable& replication, double seconds) {
  std::string lines;
  for (const ResultRow& row : replication) lines += result_line(row);
  append_text(file_, lines, csv_);
  table_.insert(table_.end(), replication.begin(), replication.end());
  ++replications_;
  if (replication.empty()) return;
  std::ofstream timings(timings_, std::ios::app);
  if (timings.tellp() == std::ofstream::pos_type(0)) timings << kTimingsHeader;
  timings << timing_start(replication[0], replication.size()) << csv_number(seconds) << '\n';
}

}  // namespace iqbo
