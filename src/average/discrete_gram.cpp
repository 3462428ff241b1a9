#include "discrete_gram.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "iqbo/core/stop.hpp"
#include "numerics/lattice.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kMostShares = Index{1} << 24;  // entries of H: 200 MB
constexpr Index kBlock = 256;                  // points whose kernel values are held at once

// How many points each law has, and the sum over pairs of laws of the products: the work to compute H.
double pairs_of_points(const SparseRows& weight) {
  double sum = 0.0, squares = 0.0;
  for (Index i = 0; i < weight.rows(); ++i) {
    const auto count = static_cast<double>(weight.innerVector(i).nonZeros());
    sum += count;
    squares += count * count;
  }
  return 0.5 * (sum * sum + squares);
}

}  // namespace

DiscreteGram::DiscreteGram(const DiscreteLaws& laws)
    : laws_(compact(laws)), by_point_(laws_.weight), distances_(on_lattice(laws_)) {}

// Distances are symmetric along each axis: every stationary part is a function of squares or of cosines. They are
// numbered in order of appearance.
std::optional<DiscreteGram::Distances> DiscreteGram::on_lattice(const Compact& laws) {
  const SparseRows& weight = laws.weight;
  const double work = pairs_of_points(weight);
  const auto points = static_cast<double>(laws.point.rows());
  if (laws.point.rows() < 2 || work > 40.0 * points * points || work > 20.0 * static_cast<double>(kMostShares))
    return std::nullopt;
  const auto lattice = lattice_of(laws.point);
  if (!lattice) return std::nullopt;
  Index cells = 1;
  std::vector<Index> stride;
  for (const Index count : lattice->cells) {
    stride.push_back(cells);
    cells *= count;
  }
  std::vector<Index> number(static_cast<std::size_t>(cells), -1);  // of each distance
  std::vector<Index> cell_of;                                      // the other way round
  std::vector<double> sum(static_cast<std::size_t>(cells), 0.0);   // for the current pair of laws
  std::vector<Index> touched;
  std::vector<double> value;
  std::vector<int> column, begin{0};
  const Index n = weight.rows(), d = laws.point.cols();
  for (Index j = 0; j < n; ++j) {
    stop_point();
    for (Index i = j; i < n; ++i) {
      for (SparseRows::InnerIterator x(weight, i); x; ++x)
        for (SparseRows::InnerIterator y(weight, j); y; ++y) {
          Index cell = 0;
          for (Index c = 0; c < d; ++c)
            cell +=
                stride[static_cast<std::size_t>(c)] * std::abs(lattice->cell(x.col(), c) - lattice->cell(y.col(), c));
          double& at = sum[static_cast<std::size_t>(cell)];
          if (at == 0.0) touched.push_back(cell);
          at += x.value() * y.value();
        }
      // Numbers ascend within a row, as a sparse matrix needs it.
      std::vector<std::pair<int, double>> row;
      for (const Index cell : touched) {
        double& share = sum[static_cast<std::size_t>(cell)];
        if (share == 0.0) continue;  // listed twice, or weights that cancel
        Index& at = number[static_cast<std::size_t>(cell)];
        if (at < 0) {
          at = static_cast<Index>(cell_of.size());
          cell_of.push_back(cell);
        }
        row.emplace_back(static_cast<int>(at), std::exchange(share, 0.0));
      }
      std::sort(row.begin(), row.end());
      for (const auto& [at, share] : row) {
        column.push_back(at);
        value.push_back(share);
      }
      touched.clear();
      begin.push_back(static_cast<int>(value.size()));
    }
    if (static_cast<Index>(value.size()) > kMostShares) return std::nullopt;
  }
  Distances out{Rows(static_cast<Index>(cell_of.size()), d), {}};
  for (Index k = 0; k < out.difference.rows(); ++k) {
    Index rest = cell_of[static_cast<std::size_t>(k)];
    for (Index c = 0; c < d; ++c) {
      const Index count = lattice->cells[static_cast<std::size_t>(c)];
      out.difference(k, c) = static_cast<double>(rest % count) * lattice->spacing[c];
      rest /= count;
    }
  }
  out.share = Eigen::Map<const decltype(out.share)>(static_cast<Index>(begin.size()) - 1, out.difference.rows(),
                                                    static_cast<Index>(value.size()), begin.data(), column.data(),
                                                    value.data());
  return out;
}

LawGram::Under DiscreteGram::under(const Kernel& kernel, bool with_gradient) const {
  LawGram::Under out{covariance(kernel), {}};
  if (with_gradient) out.pull_back = [this, k = kernel.clone()](const Matrix& weight) { return pull_back(*k, weight); };
  return out;
}

Matrix DiscreteGram::covariance(const Kernel& kernel) const {
  const Index n = laws_.weight.rows();
  if (distances_) {
    const Vector at = kernel.evaluate(distances_->difference, Rows::Zero(1, kernel.dimension())).col(0);
    const Vector value = distances_->share * at;
    Matrix out(n, n);
    Index pair = 0;
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) out(j, i) = out(i, j) = value[pair++];
    return out;
  }
  // W K W' = A + A', where A sees K on and below its block diagonal, that diagonal halved.
  Matrix out = Matrix::Zero(n, n);
  for (Index begin = 0; begin < laws_.point.rows(); begin += kBlock) {
    stop_point();
    const Index count = std::min(kBlock, laws_.point.rows() - begin);
    const Index below = laws_.point.rows() - begin;
    Matrix k = kernel.evaluate(laws_.point.middleRows(begin, count), laws_.point.bottomRows(below));
    k.leftCols(count) *= 0.5;
    Matrix averaged = Matrix::Zero(count, n);
    for (Index p = 0; p < below; ++p)
      for (ByPoint::InnerIterator it(by_point_, begin + p); it; ++it) averaged.col(it.row()) += it.value() * k.col(p);
    averaged.transposeInPlace();
    for (Index q = 0; q < count; ++q)
      for (ByPoint::InnerIterator it(by_point_, begin + q); it; ++it) out.col(it.row()) += it.value() * averaged.col(q);
  }
  return out + out.transpose().eval();
}

// d/dtheta sum M .* (W K W') = d/dtheta sum (W' M W) .* K, over half of the points' pairs as above.
Vector DiscreteGram::pull_back(const Kernel& kernel, const Matrix& weight) const {
  const Index n = laws_.weight.rows();
  if (distances_) {
    Vector pairs(n * (n + 1) / 2);
    Index pair = 0;
    for (Index j = 0; j < n; ++j) {
      pairs[pair++] = weight(j, j);
      for (Index i = j + 1; i < n; ++i) pairs[pair++] = 2.0 * weight(i, j);
    }
    const Matrix total = distances_->share.transpose() * pairs;
    return kernel.parameter_gradient(distances_->difference, Rows::Zero(1, kernel.dimension()), total);
  }
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  Matrix left = Matrix::Zero(n, laws_.point.rows());  // M W, then its transpose
  for (Index p = 0; p < laws_.point.rows(); ++p)
    for (ByPoint::InnerIterator it(by_point_, p); it; ++it) left.col(p) += it.value() * weight.col(it.row());
  left.transposeInPlace();
  for (Index begin = 0; begin < laws_.point.rows(); begin += kBlock) {
    stop_point();
    const Index count = std::min(kBlock, laws_.point.rows() - begin);
    const Index below = laws_.point.rows() - begin;
    Matrix spread = Matrix::Zero(below, count);
    for (Index q = 0; q < count; ++q)
      for (ByPoint::InnerIterator it(by_point_, begin + q); it; ++it)
        spread.col(q) += (2.0 * it.value()) * left.col(it.row()).tail(below);
    spread.topRows(count) *= 0.5;
    gradient += kernel.parameter_gradient(laws_.point.bottomRows(below), laws_.point.middleRows(begin, count), spread);
  }
  return gradient;
}

}  // namespace iqbo::internal
