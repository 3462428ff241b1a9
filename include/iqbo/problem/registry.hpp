// Test problems by name.
//
//   const Problem branin = problem("branin-nonlinear");
//   const Problem clipped = problem("branin-linear", {.truncation = Truncation::kClip});
//   const Problem seventh = problem("districts", {.seed = 7});
//
// docs/problems.md lists them all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "iqbo/conditional/truncated.hpp"
#include "iqbo/problem/problem.hpp"

namespace iqbo {

// An option that means nothing to a problem is refused, so that nobody relies on an effect that it does not have.
struct ProblemOptions {
  std::vector<Index> x_counts = {};  // grid of X along each axis; none: 401, 36, 12, 4 in 1, 2, 3, 6 dimensions
  std::vector<Index> a_counts = {};  // grid of A; none: 61, 30, 10, 4
  std::optional<double> delta = {};  // sd of a Gaussian window in units of X, at most a tenth of its shortest side
  std::optional<Truncation> truncation = {};  // of a window that reaches out of X; none: f is averaged there too
  std::optional<std::uint64_t> seed = {};     // of what is drawn at random; none: 1
};

// Refuses an unknown name, suggesting the nearest.
Problem problem(std::string_view name, const ProblemOptions& options = {});

const std::vector<std::string>& problem_names();
std::vector<Problem> all_problems();  // each with default options, in the order of their names above

}  // namespace iqbo
