#include "discrete_gram.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/stationary_part.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kMostShares = Index{1} << 24;  // entries of H: 200 MB
constexpr double kMostWork = 1e9;              // pairs of runs
constexpr Index kPointBlock = 256;             // points whose kernel values are held at once

// Nodes of an octave, and where H would be too large with so many. Errors: 1e-9 and 1e-6 of the variance.
constexpr Index kOrder = 14, kLowOrder = 8;

std::optional<LagShares> shares_of(const DiscreteLaws& laws) {
  if (laws.support->size() < 2) return std::nullopt;
  const auto points = LatticePoints::of(laws.support);
  if (points == nullptr) return std::nullopt;
  const std::vector<LatticeRuns> runs = runs_of(*points, laws.weight);
  const auto size = static_cast<double>(points->size());
  const double work = LagShares::work(runs);
  if (work > kMostWork || work > 40.0 * size * size) return std::nullopt;  // a kernel matrix of the points takes less
  auto out = LagShares::of(*points, runs, kOrder, kMostShares);
  if (!out) out = LagShares::of(*points, runs, kLowOrder, kMostShares);
  return out;
}

}  // namespace

DiscreteGram::DiscreteGram(const DiscreteLaws& laws) : size_(laws.weight.rows()), shares_(shares_of(laws)) {
  if (shares_) return;
  laws_ = compact(laws);
  by_point_ = laws_.weight;
}

bool DiscreteGram::suits(const Kernel& kernel) const {
  if (!shares_ || shares_->exact) return true;
  for (const KernelTerm& term : kernel.stationary_terms())
    for (const KernelTerm::Factor& factor : term.factors)
      if (factor.part->mixture() == nullptr) return false;
  return true;
}

LawGram::Under DiscreteGram::under(const Kernel& kernel, bool with_gradient) const {
  LawGram::Under out{covariance(kernel), {}};
  if (with_gradient) out.pull_back = [this, k = kernel.clone()](const Matrix& weight) { return pull_back(*k, weight); };
  return out;
}

Matrix DiscreteGram::covariance(const Kernel& kernel) const {
  const Index n = size_;
  if (shares_) {
    const Vector at = kernel.evaluate(shares_->distance, Rows::Zero(1, kernel.dimension())).col(0);
    const Vector value = shares_->share * at;
    Matrix out(n, n);
    Index pair = 0;
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) out(j, i) = out(i, j) = value[pair++];
    return out;
  }
  // W K W' = A + A', where A sees K on and below its block diagonal, that diagonal halved.
  Matrix out = Matrix::Zero(n, n);
  for (Index begin = 0; begin < laws_.point.rows(); begin += kPointBlock) {
    stop_point();
    const Index count = std::min(kPointBlock, laws_.point.rows() - begin);
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
  const Index n = size_;
  if (shares_) {
    Vector pairs(n * (n + 1) / 2);
    Index pair = 0;
    for (Index j = 0; j < n; ++j) {
      pairs[pair++] = weight(j, j);
      for (Index i = j + 1; i < n; ++i) pairs[pair++] = 2.0 * weight(i, j);
    }
    const Matrix total = shares_->share.transpose() * pairs;
    return kernel.parameter_gradient(shares_->distance, Rows::Zero(1, kernel.dimension()), total);
  }
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  Matrix left = Matrix::Zero(n, laws_.point.rows());  // M W, then its transpose
  for (Index p = 0; p < laws_.point.rows(); ++p)
    for (ByPoint::InnerIterator it(by_point_, p); it; ++it) left.col(p) += it.value() * weight.col(it.row());
  left.transposeInPlace();
  for (Index begin = 0; begin < laws_.point.rows(); begin += kPointBlock) {
    stop_point();
    const Index count = std::min(kPointBlock, laws_.point.rows() - begin);
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
