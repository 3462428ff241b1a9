// Rows of an experiment: one per (problem, policy, seed, t). In CSV the coordinates of a query share one cell, divided
// by blanks; t = 0 is the first query.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace iqbo {

struct ResultRow {
  std::string problem;
  std::string policy;
  std::uint64_t seed = 0;
  std::int64_t t = 0;
  std::vector<double> query;
  double z = 0;
  double instant_regret = 0;
  double simple_regret = 0;
  double cost = 0;  // of all queries up to and including this one
  bool operator==(const ResultRow&) const = default;
};

using ResultTable = std::vector<ResultRow>;

std::string results_to_csv(const ResultTable& rows);                         // header and rows
std::string result_header();                                                 // for files that grow row by row
std::string result_line(const ResultRow& row);                               //
ResultTable results_from_csv(std::string_view text, std::string_view name);  // `name` of the file, for messages

}  // namespace iqbo
