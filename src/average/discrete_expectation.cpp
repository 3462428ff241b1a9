#include "discrete_expectation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "iqbo/core/stop.hpp"
#include "lattice_kernel.hpp"

namespace iqbo {
namespace {

// Kernel values held at once: 8 MB.
constexpr Index kBlockValues = Index{1} << 20;

// Calls body(begin, count) over the support points of `laws`, at `rows` kernel values per point.
template <class Body>
void for_blocks(Index rows, Index points, Body body) {
  const Index step = std::max<Index>(1, kBlockValues / std::max<Index>(1, rows));
  for (Index begin = 0; begin < points; begin += step) {
    stop_point();
    body(begin, std::min(step, points - begin));
  }
}

// Points and weights of law i alone.
std::pair<Rows, Vector> law(const DiscreteLaws& laws, Index i) {
  std::vector<Index> used;
  std::vector<double> weight;
  for (SparseRows::InnerIterator it(laws.weight, i); it; ++it) {
    used.push_back(it.col());
    weight.push_back(it.value());
  }
  return {laws.support->coordinates()(used, Eigen::all),
          Eigen::Map<const Vector>(weight.data(), static_cast<Index>(weight.size()))};
}

double squared_entries(const SparseRows& weight) {
  double total = 0.0;
  for (Index i = 0; i < weight.rows(); ++i) {
    const auto entries = static_cast<double>(weight.innerVector(i).nonZeros());
    total += entries * entries;
  }
  return total;
}

// Learned weights have few zeros, and then dense arithmetic is several times faster.
Matrix product(const SparseRows& weight, const Matrix& values) {
  if (2 * weight.nonZeros() > weight.size()) return Matrix(weight) * values;
  return weight * values;
}

// Whether every point is used once, by one law after another, as in learned clouds: then nothing is to be left out.
bool is_compact(const SparseRows& weight) {
  if (weight.nonZeros() != weight.cols()) return false;
  Index next = 0;
  for (Index i = 0; i < weight.rows(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it)
      if (it.col() != next++) return false;
  return true;
}

// The lattice of laws over one support, where so many pairs of points are worth tabulating the kernel by distance.
std::shared_ptr<const internal::LatticePoints> lattice_worth(const Kernel& kernel, const DiscreteLaws& left,
                                                             const DiscreteLaws& right, double pairs) {
  constexpr double kMany = 1e6, kPairsPerCell = 8.0;
  const auto points = static_cast<double>(left.support->size());
  if (left.support != right.support || pairs < std::max(kMany, kPairsPerCell * points) || !is_stationary(kernel))
    return nullptr;
  return internal::LatticePoints::of(left.support);
}

}  // namespace

Compact compact(const DiscreteLaws& laws) {
  if (is_compact(laws.weight)) return {laws.support->coordinates(), laws.weight};
  std::vector<Index> position(static_cast<std::size_t>(laws.support->size()), -1);
  std::vector<Index> used;
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(static_cast<std::size_t>(laws.weight.nonZeros()));
  for (Index i = 0; i < laws.weight.rows(); ++i)
    for (SparseRows::InnerIterator it(laws.weight, i); it; ++it) {
      Index& at = position[static_cast<std::size_t>(it.col())];
      if (at < 0) {
        at = static_cast<Index>(used.size());
        used.push_back(it.col());
      }
      entries.emplace_back(i, at, it.value());
    }
  Compact out{laws.support->coordinates()(used, Eigen::all), {}};
  out.weight.resize(laws.weight.rows(), static_cast<Index>(used.size()));
  out.weight.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Matrix average_columns(const DiscreteLaws& laws, Index n, const std::function<Matrix(const Rows&)>& columns) {
  const Compact right = compact(laws);
  const Eigen::SparseMatrix<double, Eigen::ColMajor, Index> weight = right.weight;
  Matrix out = Matrix::Zero(n, laws.weight.rows());
  for_blocks(n, right.point.rows(), [&](Index begin, Index count) {
    out.noalias() += columns(right.point.middleRows(begin, count)) * weight.middleCols(begin, count).transpose();
  });
  return out;
}

void for_weighted_points(const DiscreteLaws& laws, const Matrix& weight,
                         const std::function<void(const Rows& points, const Matrix& point_weight)>& body) {
  const Compact all = compact(laws);
  const Eigen::SparseMatrix<double, Eigen::ColMajor, Index> columns = all.weight;
  for_blocks(weight.cols(), all.point.rows(), [&](Index begin, Index count) {
    body(all.point.middleRows(begin, count), columns.middleCols(begin, count).transpose() * weight);
  });
}

Matrix discrete_expect(const Kernel& kernel, const Inputs& x, const DiscreteLaws& laws) {
  const double pairs = static_cast<double>(x.size()) * static_cast<double>(laws.weight.nonZeros());
  if (const auto lattice = lattice_worth(kernel, laws, laws, pairs))
    if (const auto cells = lattice->cells_of(x))
      return internal::LatticeKernel(kernel, lattice)
          .with_cells(*cells, blocks_of(*lattice, runs_of(*lattice, laws.weight)));
  return average_columns(laws, x.size(), [&](const Rows& y) { return kernel.evaluate(x.coordinates(), y); });
}

Matrix discrete_expect(const Kernel& kernel, const DiscreteLaws& left, const DiscreteLaws& right) {
  const double pairs = static_cast<double>(left.weight.nonZeros()) * static_cast<double>(right.weight.nonZeros());
  if (const auto lattice = lattice_worth(kernel, left, right, pairs)) {
    const auto runs = runs_of(*lattice, left.weight);
    if (&left == &right) return internal::LatticeKernel(kernel, lattice).among(runs, runs);
    return internal::LatticeKernel(kernel, lattice).among(runs, runs_of(*lattice, right.weight));
  }
  const Compact rows = compact(left);
  const Compact columns = compact(right);
  const Eigen::SparseMatrix<double, Eigen::ColMajor, Index> weight = columns.weight;
  Matrix out = Matrix::Zero(rows.weight.rows(), columns.weight.rows());
  for_blocks(rows.point.rows(), columns.point.rows(), [&](Index begin, Index count) {
    const Matrix values = kernel.evaluate(rows.point, columns.point.middleRows(begin, count));
    const Matrix averaged = product(rows.weight, values);
    out.noalias() += averaged * weight.middleCols(begin, count).transpose();
  });
  return out;
}

Vector discrete_expect_diagonal(const Kernel& kernel, const DiscreteLaws& laws) {
  if (const auto lattice = lattice_worth(kernel, laws, laws, squared_entries(laws.weight)))
    return internal::LatticeKernel(kernel, lattice).variances(runs_of(*lattice, laws.weight));
  const Compact all = compact(laws);
  const auto points = static_cast<double>(all.point.rows());
  Vector out = Vector::Zero(laws.weight.rows());
  if (squared_entries(laws.weight) <= points * points) {  // sparse laws, such as bags: each on its own points
    for (Index i = 0; i < laws.weight.rows(); ++i) {
      const auto [point, weight] = law(laws, i);
      out[i] = weight.dot(kernel.evaluate(point, point) * weight);
    }
    return out;
  }
  const Eigen::SparseMatrix<double, Eigen::ColMajor, Index> weight = all.weight;
  for_blocks(all.point.rows(), all.point.rows(), [&](Index begin, Index count) {
    const Matrix averaged = product(all.weight, kernel.evaluate(all.point, all.point.middleRows(begin, count)));
    out += weight.middleCols(begin, count).cwiseProduct(averaged) * Vector::Ones(count);
  });
  return out;
}

// With T_ij = weight: d/dtheta sum T .* (P k(S, S') R') = d/dtheta sum (P' T R) .* k(S, S').
Vector discrete_pull_back(const Kernel& kernel, const DiscreteLaws& left, const DiscreteLaws& right,
                          const Matrix& weight) {
  const Compact rows = compact(left);
  const Compact columns = compact(right);
  Vector gradient = Vector::Zero(kernel.log_parameters().size());
  const Eigen::SparseMatrix<double, Eigen::ColMajor, Index> column_weight = columns.weight;
  for_blocks(rows.point.rows(), columns.point.rows(), [&](Index begin, Index count) {
    const Matrix spread_columns = weight * column_weight.middleCols(begin, count);
    const Matrix spread = rows.weight.transpose() * spread_columns;
    gradient += kernel.parameter_gradient(rows.point, columns.point.middleRows(begin, count), spread);
  });
  return gradient;
}

}  // namespace iqbo
