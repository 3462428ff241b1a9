#include "makers.hpp"

namespace iqbo {
namespace {

std::vector<Index> counts(const std::vector<Index>& given, Index dimension, const std::vector<Index>& usual,
                          const char* name) {
  if (given.empty())
    return std::vector<Index>(static_cast<std::size_t>(dimension), usual[static_cast<std::size_t>(dimension)]);
  require_columns(static_cast<Index>(given.size()), dimension, name);
  double points = 1.0;
  for (const Index count : given) {
    if (count < 1) refuse(name, std::to_string(count), "at least 1 along every axis");
    points *= static_cast<double>(count);
  }
  if (points > 1e6) refuse(name, readable(points) + " points", "at most 1000000");
  return given;
}

}  // namespace

InputSet x_grid(const InputBox& box, const ProblemOptions& options) {
  return InputSet(box.grid(counts(options.x_counts, box.dimension(), {0, 401, 36, 12, 0, 0, 4}, "x_counts")));
}

QuerySet a_grid(const QueryBox& box, const ProblemOptions& options) {
  return QuerySet(box.grid(counts(options.a_counts, box.dimension(), {0, 61, 30, 10, 0, 0, 4}, "a_counts")));
}

std::vector<std::string> axis_names(const std::string& letter, Index dimension) {
  if (dimension == 1) return {letter};
  std::vector<std::string> out;
  for (Index c = 1; c <= dimension; ++c) out.push_back(letter + "_" + std::to_string(c));
  return out;
}

std::vector<double> tree_resolutions() {
  std::vector<double> out;
  for (Index level = 0; level <= kTreeDepth; ++level) out.push_back(1.0 / static_cast<double>(level + 1));
  return out;
}

QuerySet tree_nodes(const QueryBox& place) {
  const Index d = place.dimension();
  const std::vector<double> delta = tree_resolutions();
  Queries all;
  for (Index level = 0; level <= kTreeDepth; ++level) {
    const Index cells = Index{1} << level;
    const Vector half = (place.upper() - place.lower()) / (2.0 * static_cast<double>(cells));
    const Queries centres = cells == 1 ? place.grid(std::vector<Index>(static_cast<std::size_t>(d), 1))
                                       : QueryBox(place.lower() + half, place.upper() - half)
                                             .grid(std::vector<Index>(static_cast<std::size_t>(d), cells));
    Rows nodes(centres.size(), d + 1);
    nodes << centres.coordinates(), Vector::Constant(centres.size(), delta[static_cast<std::size_t>(level)]);
    all = all.joined(Queries(nodes));
  }
  return QuerySet(all);
}

QueryBox with_resolutions(const QueryBox& place) {
  const Index d = place.dimension();
  const std::vector<double> delta = tree_resolutions();
  Vector lower(d + 1);
  Vector upper(d + 1);
  lower << place.lower(), delta.back();
  upper << place.upper(), delta.front();
  return {lower, upper};
}

}  // namespace iqbo
