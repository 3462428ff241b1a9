#include "iqbo/problem/registry.hpp"

#include <algorithm>
#include <numeric>

#include "makers.hpp"

namespace iqbo {
namespace {

const std::vector<ProblemMaker>& makers() {
  static const std::vector<ProblemMaker> all = [] {
    std::vector<ProblemMaker> out = function_makers();
    for (const auto& more : {line_makers(), bag_makers(), std::vector{gp_draw_maker()}})
      out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return all;
}

// How many letters must be inserted, deleted or replaced.
std::size_t letters_apart(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

[[noreturn]] void refuse_name(std::string_view name) {
  const auto& names = problem_names();
  // Many have the name of a function and a map: "brannin" is near "branin-linear".
  const auto apart = [&](std::string_view known) {
    return std::min(letters_apart(name, known), 1 + letters_apart(name, known.substr(0, known.find('-'))));
  };
  const auto nearest = std::min_element(
      names.begin(), names.end(), [&](const auto& left, const auto& right) { return apart(left) < apart(right); });
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  refuse("problem", '"' + std::string(name) + '"', '"' + *nearest + "\"? It is one of " + list);
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
  if (found == makers().end()) refuse_name(name);
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
