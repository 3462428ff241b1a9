#include "thinning.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "iqbo/core/stop.hpp"

namespace iqbo {
namespace {

constexpr int kLloydSteps = 12;

Rows farthest_points(const Rows& points, Index count) {
  Rows centres(count, points.cols());
  const Eigen::RowVectorXd middle = points.colwise().mean();
  Index next = 0;
  (points.rowwise() - middle).rowwise().squaredNorm().minCoeff(&next);
  Vector distance = Vector::Constant(points.rows(), std::numeric_limits<double>::infinity());
  for (Index m = 0; m < count; ++m) {
    centres.row(m) = points.row(next);
    distance = distance.cwiseMin((points.rowwise() - points.row(next)).rowwise().squaredNorm());
    distance.maxCoeff(&next);
  }
  return centres;
}

}  // namespace

// In the order of the first coordinate the search goes outwards from the point and ends where that coordinate alone is
// farther away than the nearest row so far. Of equally near rows the first counts.
std::vector<Index> nearest_rows(const Rows& listed, const Rows& points) {
  std::vector<Index> order(static_cast<std::size_t>(listed.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return std::pair(listed(a, 0), a) < std::pair(listed(b, 0), b); });
  std::vector<Index> out(static_cast<std::size_t>(points.rows()));
  for (Index i = 0; i < points.rows(); ++i) {
    if (i % 4096 == 0) stop_point();
    const double at = points(i, 0);
    std::pair<double, Index> best{std::numeric_limits<double>::infinity(), 0};
    const auto is_near = [&](Index row) {
      const double along = listed(row, 0) - at;
      if (along * along > best.first) return false;
      best = std::min(best, std::pair((listed.row(row) - points.row(i)).squaredNorm(), row));
      return true;
    };
    const auto middle = std::lower_bound(order.begin(), order.end(), at,
                                         [&](Index row, double value) { return listed(row, 0) < value; });
    auto right = middle;
    auto left = middle;
    for (bool go_right = true, go_left = true; go_right || go_left;) {
      go_right = go_right && right != order.end() && is_near(*right++);
      go_left = go_left && left != order.begin() && is_near(*--left);
    }
    out[static_cast<std::size_t>(i)] = best.second;
  }
  return out;
}

Clusters thinned(const Rows& points, const Vector& scale, Index count) {
  const Index n = points.rows();
  SparseRows member(n, std::min(n, count));
  if (n <= count) {
    member.setIdentity();
    return {points, member};
  }
  const Rows scaled = points.array().rowwise() / scale.transpose().array();
  Rows centres = farthest_points(scaled, count);
  std::vector<Index> owner;
  for (int step = 0; step < kLloydSteps; ++step) {
    owner = nearest_rows(centres, scaled);
    Rows sum = Rows::Zero(count, points.cols());
    Vector size = Vector::Zero(count);
    for (Index i = 0; i < n; ++i) {
      sum.row(owner[static_cast<std::size_t>(i)]) += scaled.row(i);
      size[owner[static_cast<std::size_t>(i)]] += 1.0;
    }
    for (Index m = 0; m < count; ++m)
      if (size[m] > 0.0) centres.row(m) = sum.row(m) / size[m];
  }
  owner = nearest_rows(centres, scaled);
  Clusters out{Rows::Zero(count, points.cols()), std::move(member)};
  Vector size = Vector::Zero(count);
  for (Index i = 0; i < n; ++i) {
    const Index m = owner[static_cast<std::size_t>(i)];
    out.member.insert(i, m) = 1.0;
    out.centre.row(m) += points.row(i);
    size[m] += 1.0;
  }
  out.member.makeCompressed();
  for (Index m = 0; m < count; ++m) out.centre.row(m) /= std::max(size[m], 1.0);
  return out;
}

}  // namespace iqbo
