#include "iqbo/problem/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "support/errors.hpp"

namespace iqbo::test {

namespace {

TEST(Registry, KnowsEveryProblemOnce) {
  const auto& names = problem_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  std::vector<std::string> made;
  for (const Problem& one : all_problems()) made.push_back(one.name());
  EXPECT_EQ(made, names);
}

TEST(Registry, SuggestsTheNearestName) {
  expect_refusal([] { problem("branin-nonlinar"); },
                 {"problem", "\"branin-nonlinar\"", "expected \"branin-nonlinear\""});
  expect_refusal([] { problem("brannin"); }, {"expected \"branin-linear\""});
  expect_refusal([] { problem("distrits"); }, {"expected \"districts\"", "one of branin-linear", "gp-draw"});
  expect_refusal([] { problem("Levy"); }, {"levy"});
  expect_refusal([] { problem(""); }, {"problem", "\"\"", "one of"});
}

TEST(Registry, TakesGridsAndWindows) {
  const Problem p = problem("camel-linear", {.x_counts = {5, 7}, .a_counts = {3, 4}, .delta = 0.01});
  EXPECT_EQ(p.x().size(), 35);
  EXPECT_EQ(p.a().size(), 12);
  const Problem wide = problem("camel-linear", {.delta = 0.1});
  EXPECT_LT(p.instant_floor(), problem("camel-linear").instant_floor());
  EXPECT_GT(wide.instant_floor(), problem("camel-linear").instant_floor());
}

TEST(Registry, RefusesOptionsThatMeanNothing) {
  expect_refusal([] { problem("districts", {.delta = 0.5}); }, {"delta", "given", "means nothing to districts"});
  expect_refusal([] { problem("districts", {.x_counts = {5, 5}}); }, {"x_counts", "districts"});
  expect_refusal([] { problem("branin-linear", {.seed = 2}); }, {"seed", "branin-linear"});
  expect_refusal([] { problem("bandit", {.truncation = Truncation::kClip}); }, {"truncation", "bandit"});
  expect_refusal(
      [] {
        problem("branin-multires-linear", {.a_counts = {5, 5}});
      },
      {"a_counts", "branin-multires-linear"});
}

TEST(Registry, RefusesBadValues) {
  expect_refusal([] { problem("branin-linear", {.x_counts = {5}}); }, {"x_counts", "1 columns", "expected 2"});
  expect_refusal([] { problem("branin-linear", {.a_counts = {5, 0}}); }, {"a_counts", "0", "at least 1"});
  expect_refusal([] { problem("branin-linear", {.x_counts = {2000, 2000}}); }, {"x_counts", "at most 1000000"});
  expect_refusal([] { problem("branin-linear", {.delta = 0.0}); }, {"delta", "0"});
  expect_refusal([] { problem("branin-linear", {.delta = 2.0}); }, {"delta", "2", "at most 1.5"});
  expect_refusal([] { problem("ackley-linear", {.truncation = Truncation::kClip}); },
                 {"truncation", "ackley", "not exact"});
}

// --- docs/problems.md -------------------------------------------------------------------------------------------------

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", std::abs(value) < 1e-12 ? 0.0 : value);  // rounding of what is 0
  return text;
}

// "[-5, 10] x [0, 15]", or how many.
template <class Space>
std::string space_text(const std::optional<Box<Space>>& box, const FiniteSet<Space>& list) {
  if (!box) return std::to_string(list.size()) + " listed";
  const auto side = [&](Index c) {
    char text[64];
    std::snprintf(text, sizeof text, "[%.3g, %.3g]", box->lower()[c], box->upper()[c]);
    return std::string(text);
  };
  const Index d = box->dimension();
  bool cube = d > 1;
  std::ostringstream out;
  out << side(0);
  for (Index c = 1; c < d; ++c) cube = cube && side(c) == side(0);
  for (Index c = 1; c < d && !cube; ++c) out << " x " << side(c);
  if (cube) out << "^" << d;
  out << ", " << list.size();
  return out.str();
}

std::string table() {
  std::ostringstream out;
  out << "| name | d | X, grid | A, grid | p(x given a) | max f | mean, sd of f | instant floor | on the grid | best "
         "simple regret on the grid |\n";
  out << "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Problem& p : all_problems())
    out << "| `" << p.name() << "` | " << p.x().dimension() << " | " << space_text(p.x_box(), p.x()) << " | "
        << space_text(p.a_box(), p.a()) << " | " << p.map() << " | " << number(p.optimum().max) << " | "
        << number(p.mean()) << ", " << number(p.unit()) << " | " << number(p.instant_floor()) << " | "
        << number(p.listed_instant_floor()) << " | " << number(p.listed_simple_floor()) << " |\n";
  return out.str();
}

TEST(ProblemsPage, ShowsTheTable) {
  std::ifstream file(IQBO_DOCS "/problems.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_NE(page.str().find(table()), std::string::npos) << "docs/problems.md should have\n\n" << table();
}

}  // namespace
}  // namespace iqbo::test
