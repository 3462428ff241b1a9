#include "iqbo/policy/setting.hpp"

#include <algorithm>
#include <string>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

Vector widths(const TargetSpace& x) {
  if (const auto* box = std::get_if<InputBox>(&x)) return box->upper() - box->lower();
  const Rows& points = std::get<InputSet>(x).points().coordinates();
  return (points.colwise().maxCoeff() - points.colwise().minCoeff()).transpose();
}

// A window far wider than everything there is to see has its resolution in the wrong units.
void require_windows_within(const QueryTree& tree, const Setting& setting) {
  if (tree.points() != nullptr) return;  // an average of points, whatever its resolution is called
  constexpr double kFar = 2.0;
  const Vector most = kFar * widths(setting.x);
  for (Index level = 0; level <= tree.l_max(); ++level) {
    const Laws here = setting.conditional->laws(tree.queries({Node{level, 0}}));
    for (const auto& part : here.parts())
      if (const auto* window = std::get_if<SpreadLaws>(&part.kind))
        for (Index j = 0; j < most.size(); ++j)
          if (const double width = std::max(window->sd(0, j), window->half_width(0, j));
              most[j] > 0.0 && width > most[j])
            refuse("resolution",
                   "level " + std::to_string(level) + " sees " + readable(width) + " along axis " + std::to_string(j),
                   "at most " + readable(most[j]) + ", twice the width of x; give TreeOptions::resolution");
  }
}

void require_consistent_tree(const QueryTree& tree, const Setting& setting) {
  if (setting.cost) refuse("cost", "given with a tree", "none: the tree's own cost");
  require_windows_within(tree, setting);
}

}  // namespace

Index dimension(const TargetSpace& x) {
  return std::visit([](const auto& space) { return space.dimension(); }, x);
}

Index dimension(const AskSpace& a) {
  return std::visit([](const auto& space) { return space.dimension(); }, a);
}

void require_consistent(const Setting& setting) {
  if (setting.conditional == nullptr) refuse("conditional", "none", "a model of p(x|a)");
  require_columns(dimension(setting.x), setting.conditional->input_dimension(), "x");
  require_columns(dimension(setting.a), setting.conditional->query_dimension(), "a");
  const auto* tree = std::get_if<QueryTree>(&setting.a);
  if (tree != nullptr) require_consistent_tree(*tree, setting);
  if (setting.noise_var) require_non_negative(Vector(Vector::Constant(1, *setting.noise_var)), "noise_var");
  if (setting.kernel != nullptr) {
    require_columns(setting.kernel->dimension(), setting.conditional->input_dimension(), "kernel");
    if (!setting.noise_var && (tree == nullptr || !tree->has_noise_var()))
      refuse("noise_var", "none", "a number, as the kernel is given");
  } else if (setting.mean != nullptr) {
    refuse("mean", "given without a kernel", "both or none: without a kernel the mean is fitted");
  }
  if (setting.query_kernel != nullptr)
    require_columns(setting.query_kernel->dimension(), setting.conditional->query_dimension(), "query_kernel");
}

}  // namespace iqbo
