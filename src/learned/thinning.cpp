#include "thinning.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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

std::vector<Index> nearest_rows(const Rows& listed, const Rows& points) {
  const Eigen::ArrayXXd columns = listed;  // contiguous coordinates
  std::vector<Index> out(static_cast<std::size_t>(points.rows()));
  Eigen::ArrayXd distance(listed.rows());
  for (Index i = 0; i < points.rows(); ++i) {
    distance = (columns.col(0) - points(i, 0)).square();
    for (Index c = 1; c < points.cols(); ++c) distance += (columns.col(c) - points(i, c)).square();
    distance.minCoeff(&out[static_cast<std::size_t>(i)]);
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
