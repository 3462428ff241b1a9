// Classical functions behind the two maps of [Zhang26] from A = [0, 1]^d onto X = [lower, upper]:
//
//   linear       mu_j(a) = lower_j + side_j a_j
//   non-linear   mu_j(a) = lower_j + side_j cos(pi a_j / 2): reversed, and crowded near the upper end
//
// X = mu(a) + delta N, delta a thirtieth of X's shortest side unless given: 0.5 for Branin, as in the paper.
#include <cmath>
#include <iomanip>
#include <numbers>
#include <sstream>
#include <utility>

#include "functions.hpp"
#include "makers.hpp"
#include "window_truth.hpp"

namespace iqbo {
namespace {

constexpr double kShare = 1.0 / 30.0;  // delta in shortest sides
constexpr double kLargestShare = 0.1;  // up to where averages are as exact as promised

constexpr double kQuarter = 0.5 * std::numbers::pi;

enum class Map { kLinear, kNonlinear };

QueryMap map_onto(const InputBox& box, Map map, Index query_dimension) {
  const Vector& lower = box.lower();  // copied by what captures it
  const Vector side = box.upper() - box.lower();
  const Index d = lower.size();
  if (map == Map::kLinear) {
    Matrix slope = Matrix::Zero(d, query_dimension);
    slope.leftCols(d) = side.asDiagonal();
    return QueryMap::affine(slope, lower);
  }
  const auto value = [lower, side, d](const Queries& a) -> Rows {
    const Rows cosine = (kQuarter * a.coordinates().leftCols(d).array()).cos();
    return (cosine * side.asDiagonal()).rowwise() + lower.transpose();
  };
  const auto jacobian = [side, d, query_dimension](const Queries& a) {
    std::vector<Matrix> out(static_cast<std::size_t>(a.size()), Matrix::Zero(d, query_dimension));
    for (Index i = 0; i < a.size(); ++i)
      for (Index c = 0; c < d; ++c)
        out[static_cast<std::size_t>(i)](c, c) = -kQuarter * side[c] * std::sin(kQuarter * a.row(i)[c]);
    return out;
  };
  return QueryMap::function(query_dimension, d, value, jacobian);
}

// Queries whose windows are centred at maximisers of f: where g is likely to be large.
Rows centred_at(const Inputs& x, const InputBox& box, Map map) {
  const Vector side = box.upper() - box.lower();
  const Rows share = (x.coordinates().rowwise() - box.lower().transpose()) * side.cwiseInverse().asDiagonal();
  return map == Map::kLinear ? share : Rows(share.array().acos() / kQuarter);
}

std::string rounded(double value) {
  std::ostringstream out;
  out << std::setprecision(3) << value;
  return out.str();
}

std::string map_name(Map map) { return map == Map::kLinear ? "linear" : "nonlinear"; }

std::string window_text(Map map, const std::string& sd, std::optional<Truncation> truncation) {
  std::string out = map == Map::kLinear ? "linear" : "cosine";
  out += ", N(mu(a), " + sd + "^2)";
  if (truncation) out += *truncation == Truncation::kClip ? ", clipped" : ", renormalised";
  return out;
}

double window_sd(const TestFunction& function, const ProblemOptions& options) {
  const double side = (function.box.upper() - function.box.lower()).minCoeff();
  if (!options.delta) return kShare * side;
  require_positive(*options.delta, "delta");
  if (*options.delta > kLargestShare * side)
    refuse("delta", readable(*options.delta),
           "at most " + readable(kLargestShare * side) + ", a tenth of X's shortest side");
  return *options.delta;
}

void require_exact(const TestFunction& function, const ProblemOptions& options) {
  if (options.truncation && !function.smooth)
    refuse("truncation", "one", "none: averages of " + function.name + " under a truncated window are not exact");
}

// The same as queries of A: at the finest resolution, where there are several.
Queries near_best(const TestFunction& function, Map map, const QueryBox& a_box) {
  Rows out = a_box.lower().transpose().replicate(function.argmax.size(), 1);
  out.leftCols(function.box.dimension()) = centred_at(function.argmax, function.box, map);
  return Queries(std::move(out));
}

ProblemParts behind_window(const TestFunction& function, Map map, const GaussianConditional& window,
                           const std::string& sd, const ProblemOptions& options, QuerySet a, QueryBox a_box) {
  return {.name = function.name + "-" + map_name(map),
          .title = function.title + (map == Map::kLinear ? ", linear map" : ", non-linear map"),
          .map = window_text(map, sd, options.truncation),
          .description = function.text,
          .x_names = axis_names("x", function.box.dimension()),
          .a_names = axis_names("a", a_box.dimension()),
          .truth = std::make_shared<WindowTruth>(function.f, window, function.box, options.truncation),
          .conditional = window_conditional(window, function.box, options.truncation),
          .x = x_grid(function.box, options),
          .a = std::move(a),
          .x_box = function.box,
          .a_box = a_box,
          .known_argmax = function.argmax,
          .near_best_query = near_best(function, map, a_box),
          .relative_noise = function.relative_noise};
}

QueryBox unit_cube(Index d) { return {Vector::Zero(d), Vector::Ones(d)}; }

ProblemParts one_resolution(const TestFunction& function, Map map, const ProblemOptions& options) {
  require_exact(function, options);
  const Index d = function.box.dimension();
  const double sd = window_sd(function, options);
  const GaussianConditional window(map_onto(function.box, map, d), sd);
  ProblemParts parts =
      behind_window(function, map, window, rounded(sd), options, a_grid(unit_cube(d), options), unit_cube(d));
  parts.description += map == Map::kLinear
                           ? " Asked through a Gaussian window around the point that a in [0, 1]^d is scaled to"
                           : " Asked through a Gaussian window around lower + side cos(pi a / 2)";
  parts.description += ", the " + std::string(map == Map::kLinear ? "linear" : "non-linear") +
                       " map of [Zhang26], of sd " + rounded(sd) +
                       (options.delta ? "." : ": a thirtieth of the shortest side, as the paper's is of Branin's.");
  return parts;
}

ProblemParts many_resolutions(const TestFunction& function, Map map, const ProblemOptions& options) {
  const Index d = function.box.dimension();
  const GaussianConditional window(map_onto(function.box, map, d + 1), QueryMap::columns({d}));
  ProblemParts parts =
      behind_window(function, map, window, "delta", options, tree_nodes(unit_cube(d)), with_resolutions(unit_cube(d)));
  parts.name = function.name + "-multires-" + map_name(map);
  parts.title += ", by resolution";
  parts.a_names = axis_names("xi", d);
  parts.a_names.emplace_back("delta");
  parts.resolutions = tree_resolutions();
  parts.description +=
      " Asked through Gaussian windows of sd delta = 1 / (l + 1), l = 0 .. 6, at cost (l + 1) / 2: the setting of "
      "algorithm 2 in [Zhang26].";
  return parts;
}

}  // namespace

std::vector<ProblemMaker> function_makers() {
  std::vector<ProblemMaker> out;
  for (const TestFunction& function : test_functions())
    for (const Map map : {Map::kLinear, Map::kNonlinear})
      out.push_back(
          {function.name + "-" + map_name(map),
           {.x_counts = true, .a_counts = true, .delta = true, .truncation = true},
           [&function, map](const ProblemOptions& options) { return one_resolution(function, map, options); }});
  const TestFunction& branin = test_functions().front();
  for (const Map map : {Map::kLinear, Map::kNonlinear})
    out.push_back({branin.name + "-multires-" + map_name(map),
                   {.x_counts = true, .truncation = true},
                   [&branin, map](const ProblemOptions& options) { return many_resolutions(branin, map, options); }});
  return out;
}

}  // namespace iqbo
