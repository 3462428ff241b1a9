#include "answer_columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::internal {
namespace {

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::size_t> column(const CsvTable& table, const std::string& name) {
  return table.has(name) ? std::optional(table.position(name)) : std::nullopt;
}

// --- measured averages ---

// Other common names of the optional columns: small letters without blanks, underscores, hyphens and points.
const std::set<std::string> kOfNoise{"sd",
                                     "se",
                                     "std",
                                     "stderr",
                                     "stdev",
                                     "stddev",
                                     "sem",
                                     "sigma",
                                     "error",
                                     "stderror",
                                     "stdeviation",
                                     "standarderror",
                                     "standarddeviation",
                                     "uncertainty",
                                     "noise"};
const std::set<std::string> kOfReplicates{"n",       "nobs",        "obs",        "reps",
                                          "nreps",   "count",       "replicate",  "nreplicates",
                                          "repeats", "repetitions", "samplesize", "nsamples"};

// The optional column that is meant by another common name; "": none.
std::string meant_by(const std::string& column) {
  std::string plain;
  for (const char c : column)
    if (std::string_view(" _-.").find(c) == std::string_view::npos)
      plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return kOfNoise.contains(plain) ? "noise_sd" : kOfReplicates.contains(plain) ? "replicates" : "";
}

// A column that is not read, but whose name resembles that of an optional one, is a slip that would go unnoticed.
void refuse_slips(const CsvTable& table, std::vector<std::string> read) {
  std::vector<std::string> missing;
  for (const char* name : {"noise_sd", "replicates"}) (table.has(name) ? read : missing).emplace_back(name);
  read.emplace_back("value");
  for (const std::string& column : table.columns) {
    if (among(read, column)) continue;
    const std::string other = meant_by(column);
    const bool meant = !other.empty() && !table.has(other);
    if (const std::string near = meant ? other : nearest_name(column, missing); !near.empty())
      refuse(table.name, "has a column " + in_quotes(column),
             in_quotes(near) + ", or another name for a column that is not to be read");
  }
}

// --- counts ---

const std::vector<std::string> kCountNames{"cases", "clicks"};
const std::vector<std::string> kExposureNames{"population", "impressions", "trials"};

// The column called `name`, or the only one that is called by another of its names.
std::optional<std::size_t> counted_column(const CsvTable& table, const std::string& name,
                                          const std::vector<std::string>& others,
                                          const std::vector<std::string>& read) {
  if (table.has(name)) return table.position(name);
  std::vector<std::string> found;
  for (const std::string& other : others)
    if (table.has(other) && !among(read, other)) found.push_back(other);
  if (found.size() > 1)
    refuse(table.name, "has columns " + in_quotes(found[0]) + " and " + in_quotes(found[1]),
           "the right one of them to be called " + in_quotes(name));
  return found.empty() ? std::nullopt : std::optional(table.position(found[0]));
}

void refuse_counts(const CsvTable& table, const std::vector<std::string>& read) {
  if (table.has("value")) return;
  if (!counted_column(table, "count", kCountNames, read)) return;
  refuse(table.name, "has counts", R"(a column "value", or a study whose spec has "answers": "poisson" or "binomial")");
}

std::int64_t whole(const CsvTable& table, std::size_t row, std::size_t column) {
  constexpr double kMost = 9007199254740991.0;  // 2^53 - 1
  const double value = table.number(row, column);
  if (value < 0.0 || value != std::floor(value) || value > kMost)
    table.refuse_cell(row, column, "is " + in_quotes(table.rows[row][column]), "a whole number, 0 or more");
  return static_cast<std::int64_t>(value);
}

}  // namespace

AnswerColumns::AnswerColumns(const Spec& spec, const CsvTable& table, const std::vector<std::string>& read)
    : table_(table) {
  if (is_count(spec.answers)) {
    count_ = counted_column(table, "count", kCountNames, read);
    exposure_ = counted_column(table, "exposure", kExposureNames, read);
    if (!count_)
      refuse(table.name, "has no column \"count\"", R"(it (or "cases", "clicks"): answers of this study are counts)");
    for (const char* name : {"noise_sd", "replicates"})
      if (table.has(name))
        refuse(table.name, "has a column " + in_quotes(name), "none: the noise of counts follows from their exposure");
    return;
  }
  refuse_counts(table, read);
  refuse_slips(table, read);
  value_ = table.position("value");
  noise_sd_ = column(table, "noise_sd");
  replicates_ = column(table, "replicates");
}

std::vector<std::string> AnswerColumns::unread(const std::vector<std::string>& read) const {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < table_.columns.size(); ++j) {
    const auto is = [&](const std::optional<std::size_t>& column) { return column == j; };
    const bool answer = is(value_) || is(noise_sd_) || is(replicates_) || is(count_) || is(exposure_);
    if (!answer && !among(read, table_.columns[j])) out.push_back(table_.columns[j]);
  }
  return out;
}

Answer AnswerColumns::at(std::size_t row, Mistakes& mistakes) const {
  return count_ ? counted(row, mistakes) : measured(row, mistakes);
}

bool AnswerColumns::given(std::size_t row, const std::optional<std::size_t>& column) const {
  return column && !is_missing(table_.rows[row][*column]);
}

Answer AnswerColumns::counted(std::size_t row, Mistakes& mistakes) const {
  Answer out;
  mistakes.check(row, [&] { out.count = whole(table_, row, *count_); });
  if (!given(row, exposure_)) return out;
  mistakes.check(row, [&] {
    out.exposure = table_.number(row, *exposure_);
    if (!(*out.exposure > 0.0))
      table_.refuse_cell(row, *exposure_, "is " + in_quotes(table_.rows[row][*exposure_]), "a number > 0");
  });
  return out;
}

Answer AnswerColumns::measured(std::size_t row, Mistakes& mistakes) const {
  Answer out;
  mistakes.check(row, [&] {
    if (!given(row, value_))
      table_.refuse_cell(row, *value_, "is " + in_quotes(table_.rows[row][*value_]),
                         "a finite number; leave out rows without an answer");
    out.value = table_.number(row, *value_);
  });
  if (given(row, noise_sd_))
    mistakes.check(row, [&] {
      out.noise_sd = table_.number(row, *noise_sd_);
      if (*out.noise_sd < 0) table_.refuse_cell(row, *noise_sd_, "is negative", "a number >= 0");
    });
  if (given(row, replicates_)) mistakes.check(row, [&] { out.replicates = replicates(row); });
  return out;
}

std::int64_t AnswerColumns::replicates(std::size_t row) const {
  const std::string_view cell = table_.rows[row][*replicates_];
  std::int64_t out = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), out);
  if (error != std::errc() || stop != cell.data() + cell.size() || out < 1)
    table_.refuse_cell(row, *replicates_, "is " + in_quotes(cell), "a whole number from 1");
  return out;
}

}  // namespace iqbo::internal
