// What the registry is filled from: for each problem its name, the options it understands, and how it is made.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "iqbo/problem/registry.hpp"

namespace iqbo {

struct ProblemMaker {
  struct Takes {
    bool x_counts = false, a_counts = false, delta = false, truncation = false, seed = false;
  };
  std::string name;
  Takes takes;
  std::function<ProblemParts(const ProblemOptions&)> make;  // called with options it takes
};

std::vector<ProblemMaker> function_makers();  // classical functions behind an indirect map, and Branin by resolution
std::vector<ProblemMaker> line_makers();      // one-dimensional problems
std::vector<ProblemMaker> bag_makers();       // districts, the bandit
std::vector<ProblemMaker> tile_makers();      // scenes whose tiles are bought, with and without rare spots
ProblemMaker gp_draw_maker();

inline constexpr std::uint64_t kDefaultSeed = 1;
inline constexpr Index kTreeDepth = 6;  // levels 0 .. 6 [Zhang26]

// The grid asked for, or the usual one of that dimension.
InputSet x_grid(const InputBox& box, const ProblemOptions& options);
QuerySet a_grid(const QueryBox& box, const ProblemOptions& options);

// "x_1", "x_2", ...; "x" alone.
std::vector<std::string> axis_names(const std::string& letter, Index dimension);

// delta_l = 1 / (l + 1) for l = 0 .. kTreeDepth, in units of X [Zhang26].
std::vector<double> tree_resolutions();

// (xi, delta_l): level l has the centres of 2^l cells of `place` along every axis.
QuerySet tree_nodes(const QueryBox& place);
QueryBox with_resolutions(const QueryBox& place);

}  // namespace iqbo
