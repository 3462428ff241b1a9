// Options of best and predict that ask for probabilities (policy/chances.hpp).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "iqbo/study/study.hpp"

namespace iqbo::cli {

struct ChanceCommand {
  std::optional<double> above;
  std::optional<std::int64_t> among;
  std::int64_t draws = 1024;

  bool given() const { return above || among; }
  // `compared`: so many; without --among, the single best.
  ChanceOptions options(Index compared) const;
};

void add_chances(CLI::App& command, ChanceCommand& options);

std::string with_error(double value, double error, const std::string& unit);  // "1.9 km (standard error 0.07)"

}  // namespace iqbo::cli
