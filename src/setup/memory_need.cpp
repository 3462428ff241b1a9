#include "memory_need.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "average/lattice_laws.hpp"
#include "domain/large_list.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo::internal {
namespace {

constexpr double kMembers = 4.0;              // of an ensemble of fits: PolicyOptions::members
constexpr double kNumber = 8.0;               // bytes
constexpr double kStart = 7e7;                // the program itself, and memory that it keeps when it is freed
constexpr double kPerRow = 320.0;             // of a table: its text, its cells, what is made of them
constexpr double kPerEntry = 300.0;           // of a bag: the same, and its place in the laws of every member
constexpr double kFeatures = 1000.0;          // off a lattice, at most
constexpr double kMostOffLattice = 100000.0;  // points
constexpr double kMostFactored = 6000.0;      // FiniteBelief::kMostFactored

double product(const std::vector<AxisSpec>& axes) {
  double out = 1.0;
  for (const AxisSpec& axis : axes) out *= static_cast<double>(axis.grid);
  return axes.empty() ? 0.0 : out;
}

double targets_of(const SpecData& data) {
  return data.spec.targets.kind == TargetSpec::Kind::kPoints ? static_cast<double>(data.targets.coordinates.rows())
                                                             : product(data.spec.targets.axes);
}

double queries_of(const SpecData& data) {
  const QuerySpec& s = data.spec.queries;
  if (s.tree) return 5000.0;
  const double centres =
      s.kind == QuerySpec::Kind::kPoints ? static_cast<double>(data.queries.coordinates.rows()) : product(s.axes);
  return centres * static_cast<double>(std::max<std::size_t>(1, s.resolutions.size()));
}

bool is_on_lattice(const SpecData& data) {
  return data.spec.targets.kind == TargetSpec::Kind::kBox ||
         LatticePoints::of(Inputs(data.targets.coordinates)) != nullptr;
}

std::string thousands(double value) {
  const std::string digits = std::to_string(std::llround(value));
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g GB", 1e-9 * bytes);
  return text;
}

}  // namespace

MemoryNeed memory_need(const SpecData& data) {
  const double n = targets_of(data), all = queries_of(data);
  const double p = all > static_cast<double>(LargeList::kSmall) ? 2.0 * static_cast<double>(LargeList::kFirst) : all;
  const double members = data.spec.kernel || data.spec.fit == FitKind::kPoint ? 1.0 : kMembers;
  const double levels =
      data.spec.queries.kind == QuerySpec::Kind::kCells ? static_cast<double>(data.spec.queries.tree->levels) : 0.0;
  const double entries = static_cast<double>(data.bags.entries.size()) + 0.2 * n * levels;
  const double tables = kPerRow * (n + all) + kPerEntry * entries;
  const bool lattice = n == 0.0 || is_on_lattice(data);
  const double columns = lattice ? 1.25 * static_cast<double>(kExpectedAnswers) + 24.0
                                 : 2.0 * std::min(kFeatures, (n + p) / 3.0) + static_cast<double>(kExpectedAnswers);
  const double belief = members * (n + p) * columns * kNumber;
  const double paths = lattice ? std::min(9.0 * n, 1.2e7) * (members + 5.0) * kNumber
                               : std::pow(std::min(n + p, kMostFactored), 2) * kNumber * std::min(members, 2.0);
  MemoryNeed out;
  out.bytes = kStart + tables + belief + paths;
  out.largest =
      tables > belief
          ? thousands(n + all) + " targets and queries with " + thousands(entries) + " entries of bags"
          : thousands(n) + " targets" +
                (members > 1.0 ? " for " + std::to_string(std::lround(members)) + " sets of hyperparameters" : "");
  out.remedy =
      n >= p ? "a coarser grid of targets (half as many along each of two axes need a quarter)" : "fewer queries";
  if (members > 1.0) out.remedy += R"(, or "fit": "point", which keeps one set of hyperparameters)";
  return out;
}

void require_workable_size(const SpecData& data, double free) {
  const double n = targets_of(data);
  if (n > kMostOffLattice && !is_on_lattice(data))
    refuse("targets", thousands(n) + " points that are not on a lattice",
           "points of a regular grid (holes are allowed), of which there may be 500,000 and more, or at most " +
               thousands(kMostOffLattice) +
               " points elsewhere: thin them out, or move them to the nearest cell of a grid");
  const MemoryNeed need = memory_need(data);
  if (need.bytes > free)
    refuse("study",
           "needs about " + gigabytes(need.bytes) + " of memory by " + std::to_string(kExpectedAnswers) + " answers (" +
               need.largest + "), and " + gigabytes(free) + " is free",
           need.remedy);
}

}  // namespace iqbo::internal
