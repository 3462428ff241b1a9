#include "lag_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace iqbo::internal {
namespace {

// Lagrange's polynomials of Chebyshev nodes of the first kind, by their barycentric form.
Vector weights_at(double lag, const Vector& node) {
  const Index n = node.size();
  Vector out(n);
  for (Index i = 0; i < n; ++i) {
    if (lag == node[i]) return Vector::Unit(n, i);
    const double angle = std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    out[i] = (i % 2 == 0 ? 1.0 : -1.0) * std::sin(angle) / (lag - node[i]);
  }
  return out / out.sum();
}

}  // namespace

LagNodes::LagNodes(Index count, Index order) {
  const auto exactly = [&](Index begin, Index end) {
    for (Index lag = begin; lag < end; ++lag) {
      first_.push_back(size());
      weight_.emplace_back(Vector::Ones(1));
      at_.push_back(static_cast<double>(lag));
    }
  };
  exactly(0, std::min(count, kExact));
  for (Index begin = kExact; begin < count; begin *= 2) {
    const Index end = std::min(2 * begin, count);
    if (end - begin <= order) {
      exactly(begin, end);
      continue;
    }
    Vector node(order);
    const double middle = 0.5 * static_cast<double>(begin + end - 1), half = 0.5 * static_cast<double>(end - 1 - begin);
    for (Index i = 0; i < order; ++i)
      node[i] =
          middle + half * std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(order));
    const Index first = size();
    at_.insert(at_.end(), node.begin(), node.end());
    for (Index lag = begin; lag < end; ++lag) {
      first_.push_back(first);
      weight_.push_back(weights_at(static_cast<double>(lag), node));
    }
  }
}

}  // namespace iqbo::internal
