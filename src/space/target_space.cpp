#include "iqbo/space/target_space.hpp"

namespace iqbo {

Index dimension(const TargetSpace& x) {
  return std::visit([](const auto& space) { return space.dimension(); }, x);
}

Bounds bounds(const TargetSpace& x) {
  if (const auto* box = std::get_if<InputBox>(&x)) return {box->lower(), box->upper()};
  const Rows& points = std::get<InputSet>(x).points().coordinates();
  return {points.colwise().minCoeff().transpose(), points.colwise().maxCoeff().transpose()};
}

}  // namespace iqbo
