#include "iqbo/record/result_table.hpp"

#include <algorithm>
#include <charconv>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/csv.hpp"

namespace iqbo {

using namespace internal;

namespace {

const std::vector<std::string>& columns() {
  static const std::vector<std::string> all = {"problem", "policy",         "seed",          "t",   "query",
                                               "z",       "instant_regret", "simple_regret", "cost"};
  return all;
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text.append(text.empty() ? "" : " ").append(csv_number(value));
  return text;
}

template <class Whole>
Whole whole(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string_view cell = table.rows[row][column];
  Whole value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || stop != cell.data() + cell.size())
    table.refuse_cell(row, column, "is " + in_quotes(cell), "a whole number");
  return value;
}

std::vector<double> split(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string_view cell = table.rows[row][column];
  std::vector<double> out;
  for (std::size_t at = 0; at < cell.size();) {
    const std::size_t end = std::min(cell.find(' ', at), cell.size());
    double value = 0;
    if (!parse_number(cell.substr(at, end - at), value))
      table.refuse_cell(row, column, "is " + in_quotes(cell), "numbers with blanks between them");
    out.push_back(value);
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string result_header() { return csv_line(columns()); }

std::string result_line(const ResultRow& row) {
  return csv_line({row.problem, row.policy, std::to_string(row.seed), std::to_string(row.t), joined(row.query),
                   csv_number(row.z), csv_number(row.instant_regret), csv_number(row.simple_regret),
                   csv_number(row.cost)});
}

std::string results_to_csv(const ResultTable& rows) {
  std::string text = result_header();
  for (const ResultRow& row : rows) text += result_line(row);
  return text;
}

ResultTable results_from_csv(std::string_view text, std::string_view name) {
  const CsvTable table = parse_csv(text, name);
  if (table.columns != columns())
    refuse(name, "has other columns", result_header().substr(0, result_header().size() - 1));
  ResultTable rows;
  for (std::size_t i = 0; i < table.size(); ++i)
    rows.push_back({std::string(table.rows[i][0]), std::string(table.rows[i][1]), whole<std::uint64_t>(table, i, 2),
                    whole<std::int64_t>(table, i, 3), split(table, i, 4), table.number(i, 5), table.number(i, 6),
                    table.number(i, 7), table.number(i, 8)});
  return rows;
}

}  // namespace iqbo
