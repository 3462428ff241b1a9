#include "iqbo/problem/registry.hpp"

#include <algorithm>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "makers.hpp"

namespace iqbo {

using namespace internal;

namespace {

const std::vector<ProblemMaker>& makers() {
  static const std::vector<ProblemMaker> all = [] {
    std::vector<ProblemMaker> out = function_makers();
    for (const auto& more : {line_makers(), bag_makers(), std::vector{gp_draw_maker()}, tile_makers()})
      out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return all;
}

void require_taken(const ProblemMaker& maker, const ProblemOptions& options) {
  const auto check = [&](bool given, bool taken, const char* name) {
    if (given && !taken) refuse(name, "given", "nothing: it means nothing to " + maker.name);
  };
  check(!options.x_counts.empty(), maker.takes.x_counts, "x_counts");
  check(!options.a_counts.empty(), maker.takes.a_counts, "a_counts");
  check(options.delta.has_value(), maker.takes.delta, "delta");
  check(options.truncation.has_value(), maker.takes.truncation, "truncation");
  check(options.seed.has_value(), maker.takes.seed, "seed");
}

}  // namespace

Problem problem(std::string_view name, const ProblemOptions& options) {
  const auto found =
      std::find_if(makers().begin(), makers().end(), [&](const auto& maker) { return maker.name == name; });
  if (found == makers().end()) refuse("problem", in_quotes(name), expected_names(name, problem_names()));
  require_taken(*found, options);
  return Problem(found->make(options));
}

const std::vector<std::string>& problem_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const ProblemMaker& maker : makers()) out.push_back(maker.name);
    return out;
  }();
  return names;
}

std::vector<Problem> all_problems() {
  std::vector<Problem> out;
  for (const std::string& name : problem_names()) out.push_back(problem(name));
  return out;
}

}  // namespace iqbo
